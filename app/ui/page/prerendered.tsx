import { useRevalidator } from "@remix-run/react";
import { type MutableRefObject, type ReactElement, useEffect, useLayoutEffect, useRef } from "react";

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
  useEffect(() => {
    if (!data || !focused.current) return;
    const { parent, index } = focused.current;
    focused.current = undefined;
    linksIn(parent)[index]?.focus({ preventScroll: true });
  }, [data]);
  return data ? children(data) : <AsOnServer as={as} focused={focused} />;
}

/** A link by its place among the links of an element's parent, which outlives the element. */
interface FocusedLink {
  parent: HTMLElement;
  index: number;
}

const linksIn = (parent: HTMLElement): HTMLElement[] => [...parent.querySelectorAll("a")];

/** The element from the server. Notes in `focused` which link had the focus when it was removed. */
function AsOnServer({ as, focused }: { as: Tag; focused: MutableRefObject<FocusedLink | undefined> }) {
  const Element = as as "div";
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(
    () => () => {
      const link = document.activeElement;
      const parent = place.current?.parentElement;
      if (!parent || !(link instanceof HTMLElement) || !place.current?.contains(link)) return;
      focused.current = { parent, index: linksIn(parent).indexOf(link) };
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

/**
 * Loads the page's data if the browser had to make a prerendered element itself, without its content: after hydration
 * failed, for example because an extension had changed the page.
 */
export function useMissingParts(): void {
  const { state, revalidate } = useRevalidator();
  useEffect(() => {
    if (state === "idle" && document.querySelector("[data-missing]")) revalidate();
  });
}
