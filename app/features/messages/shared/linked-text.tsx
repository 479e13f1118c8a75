import { Fragment, type ReactNode } from "react";
import { splitLinks } from "../rules";

/**
 * A player's text with its addresses as links, which don't tell the other site where the visitor came from. A link
 * whose text doesn't begin with its host is followed by the host in parentheses.
 * @param leaving the paths of the leaving page for suspicious addresses: see `leavingLinks`
 */
export function LinkedText({
  text,
  leaving = {},
}: {
  text: string;
  leaving?: Record<string, string> | undefined;
}): ReactNode {
  return splitLinks(text).map(({ text: part, start, href, host }) => (
    <Fragment key={start}>
      {href ? (
        <a
          href={leaving[href] ?? href}
          title={href}
          target="_blank"
          // The leaving page links back to this page, so it gets the referrer.
          rel={`noopener ${leaving[href] ? "" : "noreferrer "}nofollow ugc`}
          className="break-all underline underline-offset-3"
        >
          {part}
        </a>
      ) : (
        part
      )}
      {host && ` (${host})`}
    </Fragment>
  ));
}
