/* Puts the strip `Get ready` into its own file, for the players who have steps to take (the route of the list). */
// Without the shell, esbuild would split that in two: see docs/decisions/0061-search.md.
import "~/shell";

export { GetReady } from "~/features/players/ready/get-ready";
