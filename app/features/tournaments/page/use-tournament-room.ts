import { readTournamentFrame } from "#party/wire/tournament-frames";
import { useReloadingRoom } from "~/ui/hooks/use-reloading-room";

/**
 * Keeps a tournament's page up to date for as long as it is rendered: reloads its data when the tournament changes.
 * `since` is when the data was read, in milliseconds since 1970.
 */
export function LiveTournament({ id, since }: { id: string; since: number }) {
  useReloadingRoom(`/parties/tournament/${id}`, since, (frame) => readTournamentFrame(frame) !== undefined);
  return null;
}
