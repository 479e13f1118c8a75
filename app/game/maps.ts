/** The maps of the game: data, not rules. Which ones are in rotation is the organisers' choice. */
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
