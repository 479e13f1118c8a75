/** HTML as it may stand in an e-mail: what is in it has been escaped. Only `html` makes it. */
export interface Markup {
  readonly text: string;
}

type Content = Markup | string | number | false | undefined | readonly Content[];

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };

/**
 * A template of HTML. Every value is escaped, so that it stays a word between tags as well as between double quotes;
 * only other templates go in as they are. `false` and `undefined` leave nothing. The template's own line breaks and the
 * indents after them are left out: an attribute can't stand on a line of its own.
 */
export function html(template: TemplateStringsArray, ...values: Content[]): Markup {
  const pieces = template.map((piece) => piece.replace(/\n\s*/g, ""));
  return new Template(pieces.reduce((text, piece, index) => text + toText(values[index - 1]) + piece));
}

/** A class, so that no string or object that came from elsewhere passes for markup. */
class Template implements Markup {
  constructor(readonly text: string) {}
}

function toText(value: Content): string {
  if (value === undefined || value === false) return "";
  if (value instanceof Template) return value.text;
  if (Array.isArray(value)) return value.map(toText).join("");
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}
