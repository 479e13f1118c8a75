/** The steps of the strip `Get ready`, in their order. */
export const READY_STEPS = ["rank", "role", "hours"] as const;

export type ReadyStep = (typeof READY_STEPS)[number];
