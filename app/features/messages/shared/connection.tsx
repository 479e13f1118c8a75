import type { ConnectionState } from "~/platform/rooms/use-room";
import { useIsHydrated } from "~/ui/hooks/use-is-hydrated";

const CONNECTION_WORDS: Record<ConnectionState, string> = {
  connecting: "Connecting…",
  open: "Live",
  closed: "Not connected",
};

/** Shows whether new messages arrive by themselves. Without JavaScript there is no connection to show. */
export function Connection({ state }: { state: ConnectionState }) {
  const isHydrated = useIsHydrated();
  return (
    <p role="status" className={`thread-connection ${state === "open" ? "max-md:sr-only" : ""}`}>
      {isHydrated && (
        <>
          <span
            aria-hidden="true"
            className={`size-2 rounded-full ${state === "open" ? "bg-good" : "border border-edge"}`}
          />
          {CONNECTION_WORDS[state]}
        </>
      )}
    </p>
  );
}
