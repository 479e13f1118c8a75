import { useNavigation, useRevalidator } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { readTournamentFrame } from "#party/wire/tournament-frames";
import { useRoom } from "~/platform/rooms/use-room";

/** A page is loaded again at most this often, in milliseconds: many results may come in at once. */
const PAUSE = 1_000;

/**
 * Loads the page again when its tournament has changed: not while something else is loading, and in a hidden tab not before
 * someone looks at it.
 */
function useTournamentRoom(tournamentId: string): void {
  const { revalidate, state } = useRevalidator();
  const isIdle = useNavigation().state === "idle" && state === "idle";
  /** Goes up with every reason to look. */
  const [heard, setHeard] = useState(0);
  const seen = useRef(heard);
  const loadedAt = useRef(0);

  const room = useRoom(`/parties/tournament/${tournamentId}`, {
    onFrame: (frame) => {
      if (readTournamentFrame(frame)) setHeard((count) => count + 1);
    },
  });

  // What was said while the room could not be heard, nobody says again.
  const wasOpen = useRef(false);
  useEffect(() => {
    if (room.state !== "open") return;
    if (wasOpen.current) setHeard((count) => count + 1);
    wasOpen.current = true;
  }, [room.state]);

  useEffect(() => {
    if (seen.current === heard || !isIdle) return;
    const look = () => {
      if (document.hidden || seen.current === heard) return;
      seen.current = heard;
      loadedAt.current = Date.now();
      revalidate();
    };
    const timer = setTimeout(look, Math.max(0, loadedAt.current + PAUSE - Date.now()));
    document.addEventListener("visibilitychange", look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [heard, isIdle, revalidate]);
}

/** Keeps the page of a tournament as it is (`useTournamentRoom`), for as long as it is rendered. */
export function LiveTournament({ id }: { id: string }) {
  useTournamentRoom(id);
  return null;
}
