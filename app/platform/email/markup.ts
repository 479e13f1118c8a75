/** HTML for an e-mail, with all values escaped. Only `html` creates it. */
export interface Markup {
  readonly text: string;
}

type Content = Markup | string | number | false | undefined | readonly Content[];

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };

/**
 * Fills an HTML template. Every value is escaped, so that it is safe between tags and between double quotes; only other
 * templates are inserted unchanged. `false` and `undefined` are left out. The template's own line breaks, and the
 * indentation after them, are removed: an attribute can't be on a line of its own.
 */
export function html(template: TemplateStringsArray, ...values: Content[]): Markup {
  const pieces = template.map((piece) => piece.replace(/\n\s*/g, ""));
  return new Template(pieces.reduce((text, piece, index) => text + toText(values[index - 1]) + piece));
}

/** A class, so that no foreign string or object can pass for markup. */
class Template implements Markup {
  constructor(readonly text: string) {}
}

function toText(value: Content): string {
  if (value === undefined || value === false) return "";
  if (value instanceof Template) return value.text;
  if (Array.isArray(value)) return value.map(toText).join("");
  return String(value).replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}
