import { textOf } from "./client";

/** A control of a form as a page shows it. */
interface ShownField {
  /** What it holds; of radios, the chosen one. */
  value: string;
  invalid: boolean;
  /** The text that `aria-describedby` points at (on the control, or on the fieldset around radios). */
  description: string;
}

/** Finds a control by its name, in the open dialog where the page has one. Throws where there is none. */
export function field(page: string, name: string): ShownField {
  const html = page.match(/<dialog\b.*<\/dialog>/s)?.[0] ?? page;
  const controls = [...html.matchAll(/<(input|textarea|select)\b([^>]*)>/g)].filter(
    ([, , own = ""]) => attribute(own, "name") === name,
  );
  const [first] = controls;
  if (!first) throw new Error(`The page has no field “${name}”.`);
  const [tag, kind, own] = [first[0], first[1] as string, first[2] as string];
  const rest = html.slice(first.index + tag.length);
  const isRadio = attribute(own, "type") === "radio";
  const described = isRadio ? (html.slice(0, first.index).match(/.*<fieldset\b([^>]*)>/s)?.[1] ?? "") : own;
  return {
    value: isRadio ? chosenRadio(controls.map((control) => control[2] as string)) : heldBy(kind, own, rest),
    invalid: attribute(own, "aria-invalid") === "true",
    description: (attribute(described, "aria-describedby") ?? "")
      .split(" ")
      .map((id) => id && textOfElement(html, id))
      .filter(Boolean)
      .join(" "),
  };
}

function heldBy(kind: string, own: string, rest: string): string {
  if (kind === "textarea") return decode(rest.slice(0, rest.indexOf("</textarea>")).replace(/^\n/, ""));
  if (kind === "input") return attribute(own, "value") ?? "";
  const options = [...rest.slice(0, rest.indexOf("</select>")).matchAll(/<option\b([^>]*)>(.*?)<\/option>/gs)];
  const chosen = options.find(([, option = ""]) => /\sselected\b/.test(option)) ?? options[0];
  return attribute(chosen?.[1] ?? "", "value") ?? textOf(chosen?.[2] ?? "");
}

const chosenRadio = (radios: string[]) =>
  attribute(radios.find((radio) => /\schecked\b/.test(radio)) ?? "", "value") ?? "";

/** The text of the element with this id; empty where there is none. */
function textOfElement(html: string, id: string): string {
  const match = html.match(new RegExp(`<(\\w+)[^>]*\\sid="${id}"[^>]*>(.*?)</\\1>`, "s"));
  return textOf(match?.[2] ?? "");
}

/** What the toasts and alerts of a page say, in order. */
export function announcements(html: string): string[] {
  return [...html.matchAll(/<div\b[^>]*\srole="(?:status|alert)"[^>]*>(.*?)<\/div>(?=<\/div>|<|$)/gs)].map(
    ([, inner = ""]) => textOf(inner),
  );
}

/** What the toasts and alerts of a page say, in one line. */
export const says = (html: string) => announcements(html).join(" ");

/** The text of a page's main part. */
export const main = (html: string) => textOf(html.match(/<main\b.*<\/main>/s)?.[0] ?? "");

/** The links of a page: text and address. */
export function links(html: string): { text: string; href: string }[] {
  return [...html.matchAll(/<a\b([^>]*)>(.*?)<\/a>/gs)].map(([, own = "", inner = ""]) => ({
    text: textOf(inner),
    href: attribute(own, "href") ?? "",
  }));
}

/** The heading of a page. */
export const heading = (html: string) => textOf(html.match(/<h1\b[^>]*>(.*?)<\/h1>/s)?.[1] ?? "");

/** The titles of the posts of a page of the list, in order. */
export const postTitles = (html: string) =>
  [...html.matchAll(/<article class="lfg-card">.*?<h3[^>]*>(.*?)<\/h3>/gs)].map(([, title = ""]) => textOf(title));

/** The names on a page of the directory, in order. */
export const playerNames = (html: string) =>
  [...html.matchAll(/<li class="player-row">.*?<h3[^>]*>(.*?)<\/h3>/gs)].map(([, name = ""]) => textOf(name));

/** What a `<meta>` of this name or property says. */
export function meta(html: string, name: string): string | null {
  const tag = [...html.matchAll(/<meta\b([^>]*)>/g)].find(
    ([, own = ""]) => attribute(own, "property") === name || attribute(own, "name") === name,
  );
  return tag ? attribute(tag[1] ?? "", "content") : null;
}

export function attribute(attributes: string, name: string): string | null {
  const match = attributes.match(new RegExp(`(?:^|\\s)${name}="([^"]*)"`, "i"));
  return match ? decode(match[1] as string) : null;
}

/** Text as it is: entities decoded, white space kept. */
const decode = (text: string) => text.replace(/&[#\w]+;/g, (entity) => textOf(`x${entity}x`).slice(1, -1));
