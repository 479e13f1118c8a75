/**
 * Replaces the old version of `uuid` that brackets-manager requires (scripts/local/bundle.ts) with the one function
 * that it calls, from our own version.
 */
export { v4 } from "uuid";
