import { Form, useNavigation } from "@remix-run/react";
import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { Button } from "~/ui/button";
import { LeaveQuestion } from "~/ui/dialogs/leave-question";
import { useLeaveBlocker } from "~/ui/dialogs/use-leave-blocker";
import { RankBadge } from "~/ui/game/rank-badge";
import { useIsHydrated } from "~/ui/hooks/use-is-hydrated";
import type { SeedableTeam } from "./present.server";
import { followStored, isSameOrder, moveItem, type PageOrder, showStored } from "./rules";

const SAVE_BUTTON = "save-order";
const OVERTAKEN = "Not saved yet. Another organiser has saved an order: save yours to replace it, or discard it.";

/**
 * The teams in the order of their seeds. Without JavaScript, each press of `Up` or `Down` submits a form of its own.
 * With JavaScript, teams are moved on the page, by these buttons or by dragging, and the order is saved as a whole.
 */
export function TeamOrder({ teams, isByHand }: { teams: readonly SeedableTeam[]; isByHand: boolean }) {
  const isHydrated = useIsHydrated();
  const busy = useNavigation().formData?.get("intent") === "order";
  const { order, isChanged, isOvertaken, move, startDragging, send, discard, status, list } = useOrder(teams);
  const blocker = useLeaveBlocker(isChanged && isByHand);
  if (teams.length === 0) return <p className="mt-3 text-muted">Nobody has registered yet.</p>;
  const last = order.length - 1;
  return (
    <Form method="post" preventScrollReset>
      <ol {...list} className="mt-3 max-w-[720px] border-t-2 border-edge">
        {order.map((team, index) => (
          <li key={team.id} className="flex min-h-12 items-center gap-3 border-b border-line">
            {isByHand && isHydrated && (
              <>
                <input type="hidden" name="team" value={team.id} />
                {/* For pointers only: keyboard users have the buttons, which do the same. */}
                <span
                  aria-hidden="true"
                  className="grid size-11 flex-none cursor-grab touch-none place-items-center text-faint select-none"
                  onPointerDown={(event) => startDragging(event, team.id)}
                >
                  ⠿
                </span>
              </>
            )}
            <span className="w-8 flex-none font-display text-muted tabular-nums">{isByHand ? index + 1 : ""}</span>
            <span id={`team-${team.id}`} title={team.name} className="min-w-0 flex-1 truncate font-semibold">
              {team.name}
            </span>
            <span className="flex-none text-meta text-muted max-md:hidden">
              {team.averageRank ? <RankBadge rank={team.averageRank} /> : "No rank set"}
            </span>
            {isByHand && (
              <span className="flex flex-none gap-1">
                {(["up", "down"] as const).map((way) => (
                  <Button
                    key={way}
                    name={way}
                    value={team.id}
                    size="row"
                    variant="quiet"
                    aria-describedby={`team-${team.id}`}
                    aria-disabled={index === (way === "up" ? 0 : last) || undefined}
                    onClick={
                      isHydrated
                        ? (event: MouseEvent) => {
                            event.preventDefault();
                            move(team.id, way === "up" ? index - 1 : index + 1);
                          }
                        : undefined
                    }
                  >
                    {way === "up" ? "Up" : "Down"}
                  </Button>
                ))}
              </span>
            )}
          </li>
        ))}
      </ol>
      {isByHand && isHydrated && (
        <p className="mt-4 flex flex-wrap items-center gap-4">
          <Button id={SAVE_BUTTON} name="intent" value="order" busy={busy} busyLabel="Saving" onClick={send}>
            Save Order
          </Button>
          {isChanged && (
            <Button
              type="button"
              variant="quiet"
              onClick={() => {
                discard();
                // The pressed button disappears.
                document.getElementById(SAVE_BUTTON)?.focus();
              }}
            >
              Discard
            </Button>
          )}
          <span role="status" className="text-meta text-muted">
            {isOvertaken ? OVERTAKEN : isChanged ? "Not saved yet." : ""}
          </span>
        </p>
      )}
      <span role="status" className="sr-only">
        {status}
      </span>
      <LeaveQuestion blocker={blocker}>The order isn't saved yet.</LeaveQuestion>
    </Form>
  );
}

/** The order as shown on the page, until it is saved. */
function useOrder(teams: readonly SeedableTeam[]) {
  const loaded = teams.map(({ id }) => id);
  const [kept, setKept] = useState(() => showStored(loaded));
  // The page reloads its data whenever a team registers or withdraws, or an organiser saves.
  const shown = isSameOrder(kept.stored, loaded) ? kept : followStored(kept, loaded);
  if (shown !== kept) setKept(shown);
  const [status, setStatus] = useState("");
  const list = useRef<HTMLOListElement>(null);
  const dragged = useRef<string | null>(null);
  // Pointer events can arrive before the page has rendered the previous step.
  const current = useRef(shown);
  current.current = shown;
  const focused = useRef<Element | null>(null);

  // Moving a row briefly detaches its button from the page, which loses the focus.
  useEffect(() => {
    if (focused.current instanceof HTMLElement) focused.current.focus();
    focused.current = null;
  });

  const byId = new Map(teams.map((team) => [team.id, team]));

  const change = (order: PageOrder) => {
    current.current = order;
    setKept(order);
  };

  const move = (id: string, to: number) => {
    const { ids } = current.current;
    const from = ids.indexOf(id);
    if (from < 0 || to < 0 || to >= ids.length || from === to) return;
    focused.current = document.activeElement;
    change({ ...current.current, ids: moveItem(ids, from, to) });
    setStatus(`${byId.get(id)?.name} is now number ${to + 1}.`);
  };

  const rowAt = (y: number) =>
    [...(list.current?.children ?? [])].findIndex((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return top <= y && y < bottom;
    });

  /** Starts dragging a row. The list captures the pointer, because a moving row would lose it. */
  const startDragging = (event: PointerEvent, id: string) => {
    event.preventDefault();
    dragged.current = id;
    list.current?.setPointerCapture(event.pointerId);
  };

  const drag = {
    onPointerMove({ clientY }: PointerEvent) {
      if (dragged.current !== null) move(dragged.current, rowAt(clientY));
    },
    onPointerUp() {
      dragged.current = null;
    },
    onPointerCancel() {
      dragged.current = null;
    },
  };

  return {
    order: shown.ids.flatMap((id) => byId.get(id) ?? []),
    isChanged: !isSameOrder(shown.ids, loaded),
    isOvertaken: shown.isOvertaken,
    move,
    startDragging,
    /** Remembers the order that is being submitted. */
    send: () => change({ ...current.current, sent: current.current.ids }),
    discard: () => change(showStored(loaded)),
    status,
    list: { ref: list, ...drag },
  };
}
