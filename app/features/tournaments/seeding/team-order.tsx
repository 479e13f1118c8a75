import { Form, useNavigation } from "@remix-run/react";
import { type MouseEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { Button } from "~/ui/button";
import { RankBadge } from "~/ui/game/rank-badge";
import { useIsHydrated } from "~/ui/hooks/use-is-hydrated";
import type { SeedableTeam } from "./present.server";
import { moveItem } from "./rules";

/**
 * The teams in the order of their seeds. Without script, each press of `Up` or `Down` submits a form of its own. With
 * script, teams are moved on the page, by these buttons or by dragging, and saved together.
 */
export function TeamOrder({ teams, isByHand }: { teams: readonly SeedableTeam[]; isByHand: boolean }) {
  const isHydrated = useIsHydrated();
  const busy = useNavigation().formData?.get("intent") === "order";
  const { order, isChanged, move, startDragging, status, list } = useOrder(teams);
  if (teams.length === 0) return <p className="mt-3 text-muted">No team has registered yet.</p>;
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
                  onPointerDown={(event) => startDragging(event, index)}
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
                            move(index, way === "up" ? index - 1 : index + 1);
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
          <Button name="intent" value="order" busy={busy} busyLabel="Saving">
            Save Order
          </Button>
          <span className="text-meta text-muted">{isChanged ? "Not saved yet." : ""}</span>
        </p>
      )}
      <span role="status" className="sr-only">
        {status}
      </span>
    </Form>
  );
}

/** The order as shown on the page, until it is saved. */
function useOrder(teams: readonly SeedableTeam[]) {
  const [order, setOrder] = useState(teams);
  const [status, setStatus] = useState("");
  const list = useRef<HTMLOListElement>(null);
  const dragged = useRef<number | null>(null);
  // Pointer events can arrive before the page has rendered the previous step.
  const current = useRef(order);
  current.current = order;
  const focused = useRef<Element | null>(null);
  // Data loaded from the server, saved here or changed by others, replaces the order.
  const loaded = teams.map(({ id }) => id).join();
  const latest = useRef(teams);
  latest.current = teams;
  // biome-ignore lint/correctness/useExhaustiveDependencies: resets only if other teams or another order were loaded
  useEffect(() => setOrder(latest.current), [loaded]);

  // Moving a row briefly detaches its button from the page, which loses the focus.
  useEffect(() => {
    if (focused.current instanceof HTMLElement) focused.current.focus();
    focused.current = null;
  });

  const move = (from: number, to: number) => {
    const name = current.current[from]?.name;
    if (to < 0 || to >= order.length || from === to) return;
    focused.current = document.activeElement;
    current.current = moveItem(current.current, from, to);
    setOrder(current.current);
    setStatus(`${name} is now number ${to + 1}.`);
  };

  const rowAt = (y: number) =>
    [...(list.current?.children ?? [])].findIndex((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return top <= y && y < bottom;
    });

  /** Starts dragging a row. The list captures the pointer, because a moving row would lose it. */
  const startDragging = (event: PointerEvent, index: number) => {
    event.preventDefault();
    dragged.current = index;
    list.current?.setPointerCapture(event.pointerId);
  };

  const drag = {
    onPointerMove({ clientY }: PointerEvent) {
      if (dragged.current === null) return;
      const to = rowAt(clientY);
      if (to < 0 || to === dragged.current) return;
      move(dragged.current, to);
      dragged.current = to;
    },
    onPointerUp() {
      dragged.current = null;
    },
    onPointerCancel() {
      dragged.current = null;
    },
  };

  const isChanged = order.some(({ id }, index) => id !== teams[index]?.id);
  return { order, isChanged, move, startDragging, status, list: { ref: list, ...drag } };
}
