import { Fragment, type ReactNode } from "react";
import { splitLinks } from "../rules";

/** A player's text with its addresses as links, which don't tell the other site where the visitor came from. */
export function LinkedText({ text }: { text: string }): ReactNode {
  return splitLinks(text).map(({ text: part, start, href }) =>
    href ? (
      <a
        key={start}
        href={href}
        target="_blank"
        rel="noopener noreferrer nofollow ugc"
        className="break-all underline underline-offset-3"
      >
        {part}
      </a>
    ) : (
      <Fragment key={start}>{part}</Fragment>
    ),
  );
}
