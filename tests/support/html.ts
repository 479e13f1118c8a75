import { type CheerioAPI, load } from "cheerio";

/** Elements of a page, in document order. */
type Selection = ReturnType<CheerioAPI>;
/** A page's HTML, or elements of it. */
type Part = string | Selection;

/** The number of parsed pages that are kept, because tests often read one page several times in a row. */
const CACHE_SIZE = 4;
const parsed = new Map<string, CheerioAPI>();

function parse(html: string): CheerioAPI {
  const $ = parsed.get(html) ?? load(html);
  parsed.delete(html);
  parsed.set(html, $);
  for (const oldest of parsed.keys()) if (parsed.size > CACHE_SIZE) parsed.delete(oldest);
  return $;
}

/** Finds the elements inside a part that match a CSS selector. */
export const select = (part: Part, selector: string): Selection =>
  typeof part === "string" ? parse(part)(selector) : part.find(selector);

/** Finds the same elements as `select`, each as a selection of its own. */
export function selectEach(part: Part, selector: string): Selection[] {
  const found = select(part, selector);
  return found.toArray().map((_, index) => found.eq(index));
}

/** The text of each element that matches a CSS selector. */
export const texts = (part: Part, selector: string): string[] => selectEach(part, selector).map(textOf);

/**
 * The text of a part as a reader sees it: white space collapsed, a space between elements, scripts and styles left
 * out. Empty for an empty selection.
 */
export function textOf(part: Part): string {
  const nodes: Nodes = typeof part === "string" ? parse(part).root().toArray() : part.toArray();
  return spacedText(nodes).replace(/\s+/g, " ").trim();
}

type Nodes = readonly { type: string; data?: string; children?: Nodes }[];

const spacedText = (nodes: Nodes): string =>
  nodes
    .map(({ type, data = "", children = [] }) => {
      if (type === "text") return data;
      return type === "tag" || type === "root" ? ` ${spacedText(children)} ` : "";
    })
    .join("");

interface Form {
  method: "get" | "post";
  action: string | null;
  values: Record<string, string[]>;
}

/** Finds the form that has a button with this name. @returns the form, with the values that it sends if unchanged */
export function findForm(html: string, name: string): Form {
  for (const form of selectEach(html, "form")) {
    const button = selectEach(form, "button").find((one) => one.attr("aria-label") === name || textOf(one) === name);
    if (!button) continue;
    const values: Record<string, string[]> = {};
    const pressed = { name: button.attr("name"), value: button.attr("value") ?? "" };
    for (const { name: key, value } of [...form.serializeArray(), pressed]) {
      // Restore the page's own line breaks: cheerio has already turned them into the CRLF that browsers send.
      if (key) values[key] = [...(values[key] ?? []), value.replaceAll("\r\n", "\n")];
    }
    // cheerio overlooks a selected option inside an `<optgroup>`.
    for (const list of selectEach(form, "select")) {
      const key = list.attr("name") ?? "";
      if (key in values) values[key] = [selectedOption(list)];
    }
    const method = form.attr("method")?.toLowerCase() === "post" ? "post" : "get";
    return { method, action: button.attr("formaction") ?? form.attr("action") ?? null, values };
  }
  throw new Error(`The page has no form with a button “${name}”.`);
}

/** A form control as the page shows it. */
interface ShownField {
  /** The control's value; for radios, the checked one's. */
  value: string;
  invalid: boolean;
  /** The text that `aria-describedby` points at (on the control, or on the fieldset around radios). */
  description: string;
}

/** Finds a control by its name, inside the dialog if the page has one. Throws when there is no such control. */
export function field(html: string, name: string): ShownField {
  const place = select(html, "dialog").length > 0 ? "dialog" : "body";
  const controls = select(html, place).find(`:is(input, textarea, select)[name="${name}"]`);
  if (controls.length === 0) throw new Error(`The page has no field “${name}”.`);
  const isRadio = controls.attr("type") === "radio";
  const described = isRadio ? controls.first().closest("fieldset") : controls;
  const control = isRadio ? controls.filter("[checked]") : controls.first();
  return {
    value: control.is("select") ? selectedOption(control) : String(control.val() ?? ""),
    invalid: controls.attr("aria-invalid") === "true",
    description: (described.attr("aria-describedby") ?? "")
      .split(" ")
      .map((id) => id && textOf(select(html, `[id="${id}"]`)))
      .filter(Boolean)
      .join(" "),
  };
}

/** The value of a list's selected option, or of the first one if none is selected. */
function selectedOption(list: Selection): string {
  const options = select(list, "option");
  const selected = options.filter("[selected]");
  const option = (selected.length > 0 ? selected : options).first();
  return option.attr("value") ?? textOf(option);
}

/** The values of the ticked checkboxes and radios with this name. */
export const ticked = (html: string, name: string): string[] =>
  selectEach(html, `input[name="${name}"][checked]`).map((box) => box.attr("value") ?? "on");

/** The texts of a page's toasts and alerts, in order. */
export const announcements = (html: string): string[] => texts(html, "div[role=status], div[role=alert]");

/** The texts of a page's toasts and alerts, in one line. */
export const announcedText = (html: string): string => announcements(html).join(" ");

/** The text of a page's main part. */
export const main = (html: string): string => textOf(select(html, "main"));

/** The links of a page: text and URL. */
export const links = (part: Part): { text: string; href: string }[] =>
  selectEach(part, "a").map((link) => ({ text: textOf(link), href: link.attr("href") ?? "" }));

/** The labels of the buttons on a page. */
export const buttons = (html: string): string[] => texts(html, "button");

/** The heading of a page. */
export const heading = (html: string): string => textOf(select(html, "h1").first());

/** The title of a page, as the browser's tab shows it. */
export const title = (html: string): string => textOf(select(html, "title").first());

/** The titles of the posts on a page of the LFG list, in order. */
export const postTitles = (html: string): string[] => firstHeadings(html, ".lfg-card");

/** The players' names on a page of the directory, in order. */
export const playerNames = (html: string): string[] => firstHeadings(html, ".player-row");

const firstHeadings = (html: string, selector: string): string[] =>
  selectEach(html, selector).map((part) => textOf(select(part, "h3").first()));

/** The element that matches a CSS selector and has this heading. Throws when there is none. */
export function findByHeading(html: string, selector: string, name: string): Selection {
  const found = selectEach(html, selector).find((part) => textOf(select(part, "h3").first()) === name);
  if (!found) throw new Error(`The page has nothing with the heading “${name}”.`);
  return found;
}

/** The content of the `<meta>` with this name or property; null when there is none. */
export const meta = (html: string, name: string): string | null =>
  select(html, `meta[property="${name}"], meta[name="${name}"]`).attr("content") ?? null;
