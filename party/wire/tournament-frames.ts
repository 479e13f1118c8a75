import { type Checks, createReader } from "./frames";

/** Messages from the room of a tournament to the browsers that show it. */
export type TournamentServerMessage =
  /** The tournament has changed: load the page again. */
  { type: "changed" };

const TOURNAMENT: Checks<TournamentServerMessage> = {
  changed: {},
};

/** Reads a frame from the room of a tournament; undefined if its type is unknown. */
export const readTournamentFrame = createReader(TOURNAMENT);
