/** Formats a place: "3rd". @param place from 1 */
function ordinal(place: number): string {
  const teen = place % 100 > 10 && place % 100 < 14;
  return `${place}${(!teen && ["th", "st", "nd", "rd"][place % 10]) || "th"}`;
}

/**
 * Formats a final place: "3rd", or "3rd–4th" if it is shared.
 * @param last the last of the shared places; null if the place isn't shared
 */
export const sayPlace = (place: number, last: number | null): string =>
  last === null || last === place ? ordinal(place) : `${ordinal(place)}–${ordinal(last)}`;
