/** The steps of the `Get ready` strip, in order. */
export const READY_STEPS = ["rank", "role", "hours"] as const;

export type ReadyStep = (typeof READY_STEPS)[number];
