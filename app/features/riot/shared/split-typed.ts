import { splitRiotId } from "../rules";

/**
 * Moves the tag of a Riot ID to its own field as soon as the player has typed or pasted it after the game name. The
 * focus moves with it.
 * @param form a form with the fields `gameName` and `tagLine`
 */
export function splitTyped(form: HTMLFormElement): void {
  const [name, tag] = ["gameName", "tagLine"].map((field) => form.elements.namedItem(field));
  if (!(name instanceof HTMLInputElement && tag instanceof HTMLInputElement)) return;
  const split = splitRiotId(name.value, tag.value);
  if (!split) return;
  name.value = split.gameName;
  tag.value = split.tagLine;
  if (document.activeElement === name) tag.focus();
}
