/** The buttons at the foot of the account forms are the tallest of their kind: one column, one decision. */
export const SUBMIT_HEIGHT = "min-h-11 touch:min-h-12";
