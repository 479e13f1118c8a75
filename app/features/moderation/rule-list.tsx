import { COMMUNITY_RULES } from "./community-rules";

/** The community's rules, each with its number, which is its anchor, too: `#rule-3`. */
export function RuleList() {
  return (
    <ol className="rule-list">
      {COMMUNITY_RULES.map(({ number, title, text }) => (
        <li key={number} id={`rule-${number}`}>
          <span aria-hidden="true" className="rule-number">
            {number}
          </span>
          <div>
            <h2>{title}</h2>
            <p>{text}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}
