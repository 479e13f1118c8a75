import { Form, useNavigation } from "@remix-run/react";
import { Button, ButtonLink } from "~/ui/button";
import { CopyButton } from "~/ui/copy-button";
import { CheckboxField } from "~/ui/forms/choice-field";
import { TextField } from "~/ui/forms/field";
import { INVITED_AT_ONCE, rosterLimit } from "../rules";
import type { TeamPage } from "./page";

/** The captain's ways to add players: the team's link, and invitations by name. */
export function Invitations({ page }: { page: TeamPage }) {
  const { tournament, members, inviteLink, invited, acquaintances } = page;
  const pressed = useNavigation().formData;
  const intent = pressed?.get("intent");
  const limit = rosterLimit(tournament.teamSize);
  if (members.length >= limit) {
    return (
      <p className="mt-8 max-w-[760px] text-muted">
        Your team is full: {tournament.teamSize} players and {limit - tournament.teamSize} substitutes.
      </p>
    );
  }
  return (
    <section aria-labelledby="invite" className="mt-10 max-w-[760px]">
      <h2 id="invite" className="mb-3 font-display text-section">
        Bring your players
      </h2>
      <div className="border-t-2 border-edge pt-4">
        <Form method="post" preventScrollReset className="grid items-end gap-4 md:grid-cols-[1fr_auto]">
          <TextField
            id="invite-link"
            name="link"
            label="Invite link"
            readOnly
            defaultValue={inviteLink ?? ""}
            key={inviteLink}
            onFocus={(event) => event.currentTarget.select()}
          />
          <div className="flex gap-2">
            {inviteLink && <CopyButton text={inviteLink} />}
            <Button name="intent" value="renew-link" variant="quiet" busy={intent === "renew-link"}>
              New Link
            </Button>
          </div>
        </Form>
        <p className="mt-1.5 text-meta text-muted">
          Anyone with the link can join (max {limit}). A new link replaces the old one.
        </p>
      </div>
      {invited.length > 0 && (
        <>
          <h3 className="mt-7 mb-2 font-semibold">Invited, no answer yet</h3>
          <ul className="border-t border-edge">
            {invited.map(({ userId, name, rank }) => (
              <li key={userId} className="flex items-center justify-between gap-4 border-b border-line py-2">
                <span className="min-w-0 wrap-anywhere">
                  <bdi id={`asked-${userId}`} className="font-semibold">
                    {name}
                  </bdi>{" "}
                  {rank && <span className="text-meta text-muted">{rank}</span>}
                </span>
                <Form method="post" preventScrollReset className="flex-none">
                  <input type="hidden" name="player" value={userId} />
                  <Button
                    name="intent"
                    value="take-back"
                    variant="quiet"
                    size="row"
                    busy={intent === "take-back" && pressed?.get("player") === userId}
                    aria-describedby={`asked-${userId}`}
                  >
                    Uninvite
                  </Button>
                </Form>
              </li>
            ))}
          </ul>
        </>
      )}
      <h3 className="mt-7 mb-2 font-semibold">Invite players you know</h3>
      {acquaintances.length === 0 ? (
        <p className="text-meta text-muted">Players from your past teams and chats show up here.</p>
      ) : (
        <Form method="post" preventScrollReset>
          <fieldset>
            <legend className="sr-only">Players you know, up to {INVITED_AT_ONCE} at once</legend>
            {acquaintances.map(({ userId, name, rank }) => (
              <CheckboxField
                key={userId}
                id={`ask-${userId}`}
                name="players"
                value={userId}
                label={name}
                {...(rank && { hint: rank })}
              />
            ))}
          </fieldset>
          <Button name="intent" value="invite" className="mt-4" busy={intent === "invite"} busyLabel="Sending">
            Send Invitations
          </Button>
        </Form>
      )}
      <div className="actions mt-7">
        <ButtonLink to={`/dashboard/lfg/new?${new URLSearchParams({ title: tournament.title })}`} variant="quiet">
          Look for Players in LFG
        </ButtonLink>
      </div>
    </section>
  );
}
