/** Personality tags that are offered while one types; players write what they like. */
export const PLAYSTYLES = [
  "calm",
  "early caller",
  "jokes",
  "learning",
  "no tilt",
  "organiser",
  "patient",
  "reviews rounds",
  "warm-up first",
] as const;
