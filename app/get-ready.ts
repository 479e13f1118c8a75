/* The strip `Get ready` as a file of its own, for the players who have steps to take (the route of the list). */
// Without the shell, esbuild would split that in two: see docs/decisions/0061-search.md.
import "~/shell";

export { GetReady } from "~/features/players/ready/get-ready";
