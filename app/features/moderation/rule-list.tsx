import { COMMUNITY_RULES } from "./community-rules";

/** The community's rules. Each one's number is also its anchor: `#rule-3`. */
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
