import { useRevalidator } from "@remix-run/react";
import { type MutableRefObject, type ReactElement, useEffect, useLayoutEffect, useRef } from "react";
import { useBrowserLayoutEffect } from "../hooks/use-browser-layout-effect";

/** The tags of such elements, which all take the attributes that are set here. */
type Tag = "div" | "p" | "section" | "span" | "ul";

/**
 * An element that hydration leaves as the server rendered it. The browser then needs neither the element's data nor
 * the work of its components (docs/decisions/0082-prerendered-parts.md). A page with such elements calls
 * `useMissingParts`.
 * @param as the element's tag
 * @param data the element's data: hidden from a page's first script by `hideFromScript`, there on the server and after
 *   any navigation
 * @param children renders the element
 */
export function Prerendered<Data>({
  as,
  data,
  children,
}: {
  as: Tag;
  data: Data | undefined;
  children: (data: Data) => ReactElement;
}) {
  const focused = useRef<FocusedLink>();
  // Runs before `PageAnnouncer` looks where the focus is.
  useBrowserLayoutEffect(() => {
    if (!data || !focused.current) return;
    const { parent, href, nth } = focused.current;
    focused.current = undefined;
    linksTo(parent, href)[nth]?.focus({ preventScroll: true });
  }, [data]);
  return data ? children(data) : <AsOnServer as={as} focused={focused} />;
}

/** A link among those with the same address in the element's parent, which outlives the element. */
interface FocusedLink {
  parent: HTMLElement;
  href: string;
  nth: number;
}

const linksTo = (parent: HTMLElement, href: string): HTMLAnchorElement[] =>
  [...parent.querySelectorAll("a")].filter((link) => link.href === href);

/** The element from the server. Notes in `focused` which link had the focus when it was removed. */
function AsOnServer({ as, focused }: { as: Tag; focused: MutableRefObject<FocusedLink | undefined> }) {
  const Element = as as "div";
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(
    () => () => {
      const link = document.activeElement;
      const parent = place.current?.parentElement;
      if (!parent || !(link instanceof HTMLAnchorElement) || !place.current?.contains(link)) return;
      focused.current = { parent, href: link.href, nth: linksTo(parent, link.href).indexOf(link) };
    },
    [focused],
  );
  return (
    <Element
      ref={place}
      // Hydration sets no attributes, so only an element that React had to make has this one.
      data-missing=""
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: it's always empty, so React keeps the server's content
      dangerouslySetInnerHTML={NOTHING}
    />
  );
}

const NOTHING = { __html: "" };

/** The root element that came from the server. If hydration fails, React replaces it. */
const served = typeof document === "undefined" ? null : document.documentElement;

/**
 * Fills the prerendered elements that the browser had to make itself, without content: after hydration failed, because
 * an extension had changed the page. They get the content that the server sent. If it can't be found, the page's data
 * are loaded.
 */
export function useMissingParts(): void {
  const { state, revalidate } = useRevalidator();
  useBrowserLayoutEffect(() => {
    for (const made of missingParts()) {
      const found = findServed(made);
      if (!found) continue;
      for (const { name, value } of found.attributes) made.setAttribute(name, value);
      made.replaceChildren(...found.childNodes);
      made.removeAttribute("data-missing");
    }
  }, []);
  // Doesn't run after every render: the first ones after the request begins still see the state before it.
  useEffect(() => {
    if (state === "idle" && missingParts().length > 0) revalidate();
  }, [state, revalidate]);
}

const missingParts = () => document.querySelectorAll("[data-missing]");

/** Finds the element that the server sent in the place of another: the tags on the way from `main` are the same. */
function findServed(made: Element): Element | null {
  if (made.localName === "main") return served?.querySelector("main") ?? null;
  const { parentElement: parent, localName } = made;
  if (!parent) return null;
  const found = findServed(parent)?.children[[...parent.children].indexOf(made)];
  return found?.localName === localName ? found : null;
}
