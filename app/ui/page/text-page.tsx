import type { ReactNode } from "react";

interface TextSection {
  /** Its anchor. */
  id: string;
  title: string;
  text: ReactNode;
}

/**
 * A page of text, such as the terms: its title and lead sentence, a list of its sections, and the sections. Its
 * typography is in `styles/text-page.css`.
 */
export function TextPage({
  title,
  lead,
  inForceSince,
  sections,
}: {
  title: string;
  lead: ReactNode;
  /** The date from which this text applies, such as "23 November 2026"; omitted where it doesn't matter. */
  inForceSince?: string;
  sections: readonly TextSection[];
}) {
  return (
    <div className="text-page">
      <header>
        <h1 className="font-display text-title-phone md:text-title">{title}</h1>
        <p className="text-page-lead">{lead}</p>
        {inForceSince && <p className="text-meta text-muted">In effect since {inForceSince}</p>}
      </header>
      <nav aria-labelledby="on-this-page">
        <h2 id="on-this-page">On this page</h2>
        <ul>
          {sections.map(({ id, title: name }) => (
            <li key={id}>
              <a href={`#${id}`}>{name}</a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="text-page-body">
        {sections.map(({ id, title: name, text }) => (
          <section key={id} id={id} aria-labelledby={`${id}-title`}>
            <h2 id={`${id}-title`}>{name}</h2>
            {text}
          </section>
        ))}
      </div>
    </div>
  );
}
