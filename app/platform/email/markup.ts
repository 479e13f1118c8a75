import { escapeMarkup } from "../escape";

/** HTML for an email, with all values escaped. Only `html` creates it. */
export interface Markup {
  readonly text: string;
}

type Content = Markup | string | number | false | undefined | readonly Content[];

/**
 * Fills an HTML template. Every value is escaped, so that it is safe between tags and between double quotes; only other
 * templates are inserted unchanged. `false` and `undefined` are left out. The template's own line breaks and
 * indentation are removed without a space, so don't break lines between attributes.
 */
export function html(template: TemplateStringsArray, ...values: Content[]): Markup {
  const pieces = template.map((piece) => piece.replace(/\n\s*/g, ""));
  return new Template(pieces.reduce((text, piece, index) => text + toText(values[index - 1]) + piece));
}

/** A class, so that only `html` can create markup: no other object or string passes the `instanceof` check. */
class Template implements Markup {
  constructor(readonly text: string) {}
}

function toText(value: Content): string {
  if (value === undefined || value === false) return "";
  if (value instanceof Template) return value.text;
  if (Array.isArray(value)) return value.map(toText).join("");
  return escapeMarkup(String(value));
}
