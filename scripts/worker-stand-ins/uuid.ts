/**
 * What the Worker has in place of the `uuid` of an older kind that brackets-manager requires (scripts/local/bundle.ts):
 * the one function of it that is called there, from our own.
 */
export { v4 } from "uuid";
