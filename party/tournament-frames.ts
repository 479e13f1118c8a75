import { type Checks, number, readerOf } from "./frames";

/** From the room of a tournament to the browsers that show it. */
export type TournamentServerMessage =
  /** Something has changed; the version that the tournament has now, where the room knows it. */
  { type: "changed"; version: number | null };

const TOURNAMENT: Checks<TournamentServerMessage> = {
  changed: { version: (version) => version === null || number(version) },
};

/** Reads what the room of a tournament says; undefined for what is not known here. */
export const readTournamentFrame = readerOf(TOURNAMENT);
