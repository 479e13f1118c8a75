import { Form, useNavigation } from "@remix-run/react";
import { PlayerLine, playerNameId } from "~/features/players/shared/player-line";
import { Button } from "~/ui/button";
import { SelectField } from "~/ui/forms/field";
import { isRosterOpen, type TeamPage } from "./page";
import type { Member } from "./queries.server";

/** A team's players, with the captain's buttons. */
export function Roster({ page }: { page: TeamPage }) {
  const { members, isCaptain, tournament, viewer } = page;
  const isOpen = isRosterOpen(tournament);
  const isOn = isOpen || (tournament.state === "running" && !tournament.isHidden);
  const substitutes = members.filter(({ isSubstitute }) => isSubstitute);
  return (
    <section aria-labelledby="roster" className="mt-8 max-w-[760px]">
      <h2 id="roster" className="mb-3 font-display text-section">
        {tournament.teamSize === 1 ? "Player" : "Players"}
      </h2>
      <ul className="border-t-2 border-text">
        {members.map((member) => (
          <PlayerLine
            key={member.userId}
            player={member}
            tag={tagOf(member, viewer?.id)}
            isYou={member.userId === viewer?.id}
            actions={
              isCaptain && isOn && member.userId !== viewer?.id && <MemberButtons member={member} canRemove={isOpen} />
            }
          >
            {(member.riotId || member.discordTag) && (
              <dl className="mt-2 flex flex-wrap gap-x-7 gap-y-1 text-meta">
                <Handle name="Riot ID" value={member.riotId} />
                <Handle name="Discord" value={member.discordTag} />
              </dl>
            )}
          </PlayerLine>
        ))}
      </ul>
      {isCaptain && isOn && substitutes.length > 0 && (
        <SwapForm starters={members.filter(({ isSubstitute }) => !isSubstitute)} substitutes={substitutes} />
      )}
    </section>
  );
}

const tagOf = ({ userId, isCaptain, isSubstitute }: Member, viewerId: string | undefined): string | undefined =>
  [userId === viewerId && "You", isCaptain && "Captain", isSubstitute && "Substitute"].filter(Boolean).join(", ") ||
  undefined;

function MemberButtons({ member, canRemove }: { member: Member; canRemove: boolean }) {
  const pressed = useNavigation().formData;
  const running = pressed?.get("player") === member.userId ? pressed.get("intent") : null;
  const nameId = playerNameId(member.userId);
  return (
    <Form method="post" preventScrollReset className="flex flex-none gap-2 max-md:-ml-[13px]">
      <input type="hidden" name="player" value={member.userId} />
      <Button
        name="intent"
        value="hand-over"
        variant="quiet"
        size="row"
        busy={running === "hand-over"}
        aria-describedby={nameId}
      >
        Make Captain
      </Button>
      {canRemove && (
        <Button
          name="intent"
          value="remove"
          variant="quiet"
          size="row"
          busy={running === "remove"}
          aria-describedby={nameId}
        >
          Remove
        </Button>
      )}
    </Form>
  );
}

/** The form that swaps a starter with a substitute. */
function SwapForm({ starters, substitutes }: { starters: Member[]; substitutes: Member[] }) {
  const busy = useNavigation().formData?.get("intent") === "swap";
  const options = (members: Member[]) =>
    members.map(({ userId, name }) => (
      <option key={userId} value={userId}>
        {name}
      </option>
    ));
  return (
    <Form
      method="post"
      preventScrollReset
      className="mt-2 grid items-end gap-4 border-t border-line pt-5 md:grid-cols-[1fr_1fr_auto]"
    >
      <SelectField id="substitute" name="substitute" label="Substitute">
        {options(substitutes)}
      </SelectField>
      <SelectField id="swapped" name="player" label="Plays instead of">
        {options(starters)}
      </SelectField>
      <Button name="intent" value="swap" busy={busy}>
        Swap
      </Button>
    </Form>
  );
}

/** A name by which teammates can find a player elsewhere. */
function Handle({ name, value }: { name: string; value: string | null }) {
  if (!value) return null;
  return (
    <div className="flex min-w-0 flex-wrap gap-x-2">
      <dt className="text-muted">{name}</dt>
      <dd dir="auto" className="font-semibold wrap-anywhere">
        {value}
      </dd>
    </div>
  );
}
