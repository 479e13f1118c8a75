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
  const [reloadRequests, setReloadRequests] = useState(0);
  const handledRequests = useRef(reloadRequests);
  const loadedAt = useRef(0);

  const room = useRoom(`/parties/tournament/${tournamentId}`, {
    onFrame: (frame) => {
      if (readTournamentFrame(frame)) setReloadRequests((count) => count + 1);
    },
  });

  // The room doesn't repeat messages that were missed while disconnected, so a reconnection is a reason to reload.
  const wasOpen = useRef(false);
  useEffect(() => {
    if (room.state !== "open") return;
    if (wasOpen.current) setReloadRequests((count) => count + 1);
    wasOpen.current = true;
  }, [room.state]);

  useEffect(() => {
    if (handledRequests.current === reloadRequests || !isIdle) return;
    const reload = () => {
      if (document.hidden || handledRequests.current === reloadRequests) return;
      handledRequests.current = reloadRequests;
      loadedAt.current = Date.now();
      revalidate();
    };
    const timer = setTimeout(reload, Math.max(0, loadedAt.current + PAUSE - Date.now()));
    document.addEventListener("visibilitychange", reload);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", reload);
    };
  }, [reloadRequests, isIdle, revalidate]);
}

/** Keeps a tournament's page up to date (`useTournamentRoom`) for as long as it is rendered. */
export function LiveTournament({ id }: { id: string }) {
  useTournamentRoom(id);
  return null;
}
