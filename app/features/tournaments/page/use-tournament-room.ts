import { useNavigation, useRevalidator } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { readTournamentFrame } from "#party/wire/tournament-frames";
import { useRoom } from "~/platform/rooms/use-room";

/** The shortest time between two reloads of a page, in milliseconds, because many results may arrive at once. */
const PAUSE = 1_000;

/**
 * Reloads the page's data when its tournament changes. Waits while something else is loading and, in a hidden tab,
 * until the tab is visible.
 */
function useTournamentRoom(tournamentId: string): void {
  const { revalidate, state } = useRevalidator();
  const isIdle = useNavigation().state === "idle" && state === "idle";
  /** Counts the reasons to reload. */
  const [heard, setHeard] = useState(0);
  const seen = useRef(heard);
  const loadedAt = useRef(0);

  const room = useRoom(`/parties/tournament/${tournamentId}`, {
    onFrame: (frame) => {
      if (readTournamentFrame(frame)) setHeard((count) => count + 1);
    },
  });

  // The room doesn't repeat messages that were missed while disconnected, so a reconnection is a reason to reload.
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

/** Keeps a tournament's page up to date (`useTournamentRoom`) for as long as it is rendered. */
export function LiveTournament({ id }: { id: string }) {
  useTournamentRoom(id);
  return null;
}
