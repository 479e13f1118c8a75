/** The height of the account forms' submit buttons, which are taller than those of other forms. */
export const SUBMIT_HEIGHT = "min-h-11 touch:min-h-12";
