/** The suggested personality tags; players may write others. */
export const PLAYSTYLES = [
  "calm",
  "early caller",
  "no tilt",
  "patient",
  "reviews rounds",
  "organiser",
  "jokes",
  "learning",
  "warm-up first",
] as const;
