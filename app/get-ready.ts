/* Puts the `Get ready` strip into its own file. The LFG list loads it only for players who have steps to take. */
// Without this import, esbuild would split the shell in two: see docs/decisions/0061-search.md.
import "~/shell";

export { GetReady } from "~/features/players/ready/get-ready";
