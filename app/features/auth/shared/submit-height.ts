/** The height of the submit buttons of the account forms, which are the tallest of their kind. */
export const SUBMIT_HEIGHT = "min-h-11 touch:min-h-12";
