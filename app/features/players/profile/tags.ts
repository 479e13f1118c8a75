import { isBlank } from "~/platform/forms/text-length";
import { foldTag } from "../directory/facets";

/** Splits a text into tags at commas and line breaks. Of tags that differ only in case, it keeps the first. */
export function splitTags(text: string): string[] {
  const tags = text
    .split(/[,\n]/)
    .map((tag) => tag.replace(/\s+/gu, " ").trim())
    .filter((tag) => !isBlank(tag));
  const folded = tags.map(foldTag);
  return tags.filter((_, at) => folded.indexOf(folded[at] as string) === at);
}
