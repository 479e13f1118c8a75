/** The maps of the game: data, not rules. Organisers choose which ones are in rotation. */
export const MAPS = [
  "Abyss",
  "Ascent",
  "Bind",
  "Breeze",
  "Corrode",
  "Fracture",
  "Haven",
  "Icebox",
  "Lotus",
  "Pearl",
  "Split",
  "Sunset",
] as const;

export type GameMap = (typeof MAPS)[number];
