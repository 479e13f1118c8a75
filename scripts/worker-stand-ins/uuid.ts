/**
 * Replaces the old version of `uuid` that brackets-manager requires (scripts/local/bundle.ts). brackets-manager calls
 * only this function, which comes from our own version.
 */
export { v4 } from "uuid";
