/** The maps of the game. No rule says which ones are in rotation; organisers choose. */
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
