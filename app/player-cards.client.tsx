import { HoverCard } from "radix-ui";
import { useEffect, useId, useRef, useState } from "react";
import type { PlayerCard } from "~/features/players/card/present.server";
import { Reason } from "~/features/players/shared/reason";
import { VerifiedMark } from "~/features/riot/shared/verified-mark";
import { Avatar } from "~/ui/avatar";
import { RankBadge } from "~/ui/game/rank-badge";
import { RoleChip } from "~/ui/game/role-chip";
import type { LayerProps } from "~/ui/tooltips/intent-layer";
// Every route with a page imports the shell. If these cards didn't, esbuild would split the shell's file for them.
import "./shell";

/** The time that the pointer or the focus must rest on a link before its card is requested, in milliseconds. */
const OPEN_DELAY = 500;
/** The time that a card stays open for a pointer that moves towards it, in milliseconds. */
const CLOSE_DELAY = 200;

interface Shown {
  link: HTMLElement;
  area: DOMRect;
  card: PlayerCard;
}

/**
 * Loads a player's card; null if there is none.
 * @throws Error if it can't be loaded now
 */
async function loadCard(link: HTMLAnchorElement, signal: AbortSignal): Promise<PlayerCard | null> {
  const response = await fetch(`${link.pathname}/card`, { signal });
  if (response.ok) return (await response.json()) as PlayerCard;
  if (response.status === 404) return null;
  throw new Error(`The card can't be loaded: ${response.status}`);
}

/**
 * Shows a player's card beside a link to them, on hover and on keyboard focus. Radix's trigger is an empty frame over
 * the link, as for tooltips. The card has no controls, and describes the link while it is open. Escape closes it.
 */
export function PlayerCardLayer({ since, find }: LayerProps) {
  const [shown, setShown] = useState<Shown | null>(null);
  const content = useRef<HTMLDivElement>(null);
  const id = useId();

  useEffect(() => {
    const cards = new Map<string, Promise<PlayerCard | null>>();
    const page = new AbortController();
    let aim: { link: HTMLAnchorElement; byFocus: boolean } | null = null;
    let timer: number | undefined;

    function leave() {
      clearTimeout(timer);
      aim = null;
      setShown(null);
    }

    function aimAt(link: HTMLAnchorElement, byFocus: boolean, delay = OPEN_DELAY) {
      leave();
      aim = { link, byFocus };
      const mine = aim;
      timer = window.setTimeout(async () => {
        const { pathname } = link;
        const loading = cards.get(pathname) ?? loadCard(link, page.signal);
        cards.set(pathname, loading);
        // A card that can't be loaded now is requested again when the player points at the link again.
        const card = await loading.catch(() => void cards.delete(pathname));
        if (card && aim === mine && link.isConnected) setShown({ link, area: link.getBoundingClientRect(), card });
      }, delay);
    }

    function point({ target, pointerType }: PointerEvent) {
      if (pointerType === "touch" || !(target instanceof Element)) return;
      const link = find(target) as HTMLAnchorElement | null;
      if (link && link !== aim?.link) return aimAt(link, false);
      if (!aim || aim.byFocus) return;
      clearTimeout(timer);
      if (link) return content.current ? undefined : aimAt(link, false);
      if (content.current?.contains(target)) return;
      timer = window.setTimeout(leave, content.current ? CLOSE_DELAY : 0);
    }

    function focus({ target }: Pick<FocusEvent, "target">) {
      const link = target instanceof Element && target.matches(":focus-visible") && find(target);
      if (link) aimAt(link as HTMLAnchorElement, true);
    }

    const blur = () => aim?.byFocus && leave();
    // An Escape before the card is open belongs to the page.
    const press = ({ key: pressed }: KeyboardEvent) => pressed === "Escape" && leave();

    if (since !== null) {
      const under = [...document.querySelectorAll(":hover")].at(-1);
      const link = under && (find(under) as HTMLAnchorElement | null);
      if (link) aimAt(link, false, Math.max(0, OPEN_DELAY - (performance.now() - since)));
      else focus({ target: document.activeElement });
    }
    const options = { signal: page.signal, capture: true, passive: true };
    document.addEventListener("pointerover", point, options);
    document.addEventListener("pointerdown", leave, options);
    document.addEventListener("focusin", focus, options);
    document.addEventListener("focusout", blur, options);
    document.addEventListener("scroll", leave, options);
    document.addEventListener("keydown", press, { signal: page.signal });
    return () => {
      page.abort();
      leave();
    };
  }, [since, find]);

  useEffect(() => {
    if (!shown) return;
    const { link } = shown;
    const before = link.getAttribute("aria-describedby");
    link.setAttribute("aria-describedby", before ? `${before} ${id}` : id);
    return () => {
      if (before) link.setAttribute("aria-describedby", before);
      else link.removeAttribute("aria-describedby");
    };
  }, [shown, id]);

  if (!shown) return null;
  const { link, area, card } = shown;
  const { left, top, width, height } = area;
  return (
    <HoverCard.Root open onOpenChange={(open) => open || setShown(null)}>
      <HoverCard.Trigger asChild>
        <span aria-hidden="true" className="tooltip-frame" style={{ left, top, width, height }} />
      </HoverCard.Trigger>
      {/* A modal dialog is above the rest of the page. */}
      <HoverCard.Portal container={link.closest<HTMLElement>("dialog:modal") ?? document.body}>
        <HoverCard.Content
          ref={content}
          id={id}
          align="start"
          sideOffset={6}
          collisionPadding={8}
          className="menu w-[300px] max-w-[calc(100vw-16px)] px-4! pt-0! pb-4! text-meta"
        >
          <Card card={card} />
        </HoverCard.Content>
      </HoverCard.Portal>
    </HoverCard.Root>
  );
}

function Card({
  card: { name, letter, picture, verified, rank, role, hours, reasons, reviews },
}: {
  card: PlayerCard;
}) {
  return (
    <>
      <div className="flex gap-3.5">
        <Avatar letter={letter} picture={picture} size="player" />
        <div className="min-w-0 flex-1 pt-3">
          <p className="flex flex-wrap items-center gap-x-2.5">
            <bdi className="text-body font-semibold wrap-anywhere">{name}</bdi>
            {verified && <VerifiedMark label={verified.label} title="" />}
          </p>
          <p className="mt-1 flex flex-wrap items-center gap-x-3.5 gap-y-1">
            {rank ? <RankBadge rank={rank} /> : <span className="text-muted">No rank given</span>}
            {role && <RoleChip role={role} />}
          </p>
        </div>
      </div>
      {reasons.length > 0 && (
        <ul className="mt-3 grid gap-1">
          {reasons.map(({ about, fits, text }) => (
            <Reason key={about} fits={fits}>
              {text}
            </Reason>
          ))}
        </ul>
      )}
      {(hours || reviews) && (
        <p className="mt-3 grid gap-0.5 border-t border-line pt-2.5 text-muted">
          {hours && <span>{hours}</span>}
          {reviews && <span>{reviews}</span>}
        </p>
      )}
    </>
  );
}
