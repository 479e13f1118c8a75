import { readTournamentFrame } from "#party/wire/tournament-frames";
import { useReloadingRoom } from "~/ui/hooks/use-reloading-room";

/** Keeps a tournament's page up to date for as long as it is rendered: reloads its data when the tournament changes. */
export function LiveTournament({ id }: { id: string }) {
  useReloadingRoom(`/parties/tournament/${id}`, (frame) => readTournamentFrame(frame) !== undefined);
  return null;
}
