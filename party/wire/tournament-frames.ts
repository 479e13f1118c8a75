import { type Checks, readerOf } from "./frames";

/** From the room of a tournament to the browsers that show it. */
export type TournamentServerMessage =
  /** Something has changed: load the page again. */
  { type: "changed" };

const TOURNAMENT: Checks<TournamentServerMessage> = {
  changed: {},
};

/** Reads what the room of a tournament says; undefined for what is not known here. */
export const readTournamentFrame = readerOf(TOURNAMENT);
