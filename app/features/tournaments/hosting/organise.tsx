import { Form } from "@remix-run/react";
import { MAX_RIOT_ID_LENGTH } from "~/features/riot/rules";
import type { FormReply } from "~/platform/forms/forms";
import type { PageLinks } from "~/platform/lists/keyset";
import { Button, ButtonLink } from "~/ui/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextField } from "~/ui/forms/field";
import { useServerForm } from "~/ui/forms/use-server-form";
import { ChevronIcon } from "~/ui/icons";
import { Link } from "~/ui/link";
import { Pages } from "~/ui/pagination";
import type { LogEntry, TournamentView } from "../present.server";
import { editScope } from "../rules";

type Player = { id: string; name: string };

/** Tells a hidden tournament's host when they can add organisers. */
export const ADD_LATER = "You can add organisers once the tournament is shown again.";

/** The organisers' tab: their actions, the list of organisers, and the log. */
export function Organise({
  tournament,
  viewerId,
  isInCharge,
  organisers,
  offered,
  log,
  pages,
  reply,
}: {
  tournament: TournamentView;
  viewerId: string;
  /**
   * Whether the viewer is the host, or a co-organiser standing in while the host's account is suspended, deleted or due
   * for deletion.
   */
  isInCharge: boolean;
  organisers: Player[];
  /** Players to choose from: those that the viewer has talked to. */
  offered: Player[];
  log: LogEntry[];
  /** Links to the previous and next page of the log. */
  pages: PageLinks;
  reply: FormReply | undefined;
}) {
  const { id, state, entered, isHidden } = tournament;
  const home = `/tournaments/${id}`;
  const isOver = state === "finished" || state === "cancelled";
  const canEdit = editScope({ state, currentParticipants: entered }) !== "nothing";
  return (
    <div className="grid gap-x-16 gap-y-9 pt-3 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <div className="grid min-w-0 content-start gap-9">
        <section aria-labelledby="steps">
          <h2 id="steps" className="font-display text-rail">
            This tournament
          </h2>
          <div className="mt-4 flex flex-wrap gap-2">
            {state === "open" && !isHidden && <ButtonLink to={`${home}/seeding`}>Seeding and Start</ButtonLink>}
            {canEdit && (
              <ButtonLink to={`${home}/edit`} preventScrollReset>
                Edit
              </ButtonLink>
            )}
            <ButtonLink to={`/dashboard/tournaments/new?copy=${id}`} variant="quiet">
              Copy
            </ButtonLink>
            {isInCharge && !isOver && (
              <ButtonLink to={`${home}/cancel`} variant="danger" preventScrollReset>
                Cancel Tournament
              </ButtonLink>
            )}
          </div>
        </section>
        <section aria-labelledby="organisers">
          <h2 id="organisers" className="font-display text-rail">
            Organisers
          </h2>
          <p className="mt-2 text-muted">
            They can do everything the host can, except cancel the tournament or choose organisers.{" "}
            {organisers.length === 0 ? "None yet." : `${organisers.length} of up to 10.`}
          </p>
          <ul className="mt-3 border-t border-line">
            {organisers.map((player) => (
              <li key={player.id} className="flex items-center justify-between gap-3 border-b border-line py-2">
                <span className="min-w-0 font-semibold wrap-anywhere">{player.name}</span>
                {(isInCharge || player.id === viewerId) && (
                  <Act intent="remove" player={player} variant="quiet">
                    {player.id === viewerId ? "Step Down" : "Remove"}
                  </Act>
                )}
              </li>
            ))}
          </ul>
          {isInCharge && !isOver && organisers.length === 1 && organisers[0]?.id === viewerId && (
            <p className="mt-3 text-meta text-muted">
              You're the last organiser. To step down, add another one first, or cancel the tournament.
            </p>
          )}
          {isInCharge &&
            (isHidden ? <p className="mt-3 text-meta text-muted">{ADD_LATER}</p> : <AddByRiotId reply={reply} />)}
          {offered.length > 0 && (
            <details className="group mt-3">
              <summary className="flex min-h-11 cursor-pointer items-center gap-2 font-semibold">
                <ChevronIcon className="size-4 group-open:rotate-180" />
                From your conversations
              </summary>
              <ul className="border-t border-line">
                {offered.map((player) => (
                  <li key={player.id} className="flex items-center justify-between gap-3 border-b border-line py-2">
                    <span className="min-w-0 wrap-anywhere">{player.name}</span>
                    <Act intent="add" player={player}>
                      Add
                    </Act>
                  </li>
                ))}
              </ul>
            </details>
          )}
        </section>
      </div>
      <section aria-labelledby="log" className="min-w-0">
        <h2 id="log" className="font-display text-rail">
          History
        </h2>
        <ol className="mt-4 border-t border-line">
          {log.map(({ id: event, at, who, what, showReason }) => (
            <li key={event} className="grid grid-cols-[8.5rem_minmax(0,1fr)] gap-3 border-b border-line py-2 text-meta">
              <time dateTime={at.iso} title={at.exact} className="text-muted tabular-nums">
                {at.text}
              </time>
              <span className="wrap-anywhere">
                {who && <span className="font-semibold">{who} </span>}
                {what}
                {showReason && (
                  <>
                    {" "}
                    <Link to={showReason} preventScrollReset className="link">
                      Show
                    </Link>
                  </>
                )}
              </span>
            </li>
          ))}
        </ol>
        <Pages {...pages} by="time" />
      </section>
    </div>
  );
}

function Act({
  intent,
  player,
  variant,
  children,
}: {
  intent: "add" | "remove";
  player: Player;
  variant?: "quiet";
  children: string;
}) {
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="playerId" value={player.id} />
      <Button
        name="intent"
        value={intent}
        size="row"
        {...(variant && { variant })}
        aria-label={`${children} ${player.name}`}
      >
        {children}
      </Button>
    </Form>
  );
}

function AddByRiotId({ reply }: { reply: FormReply | undefined }) {
  const { formProps, props, summary, busy } = useServerForm<{ riotId: string }>({
    id: "organiser",
    reply,
    labels: { riotId: "Riot ID" },
  });
  return (
    <Form method="post" {...formProps} preventScrollReset className="mt-4 grid gap-3">
      <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} atFields />
      <div className="flex items-start gap-2">
        <TextField
          {...props("riotId")}
          required
          autoComplete="off"
          placeholder="miravel#EUW"
          limit={MAX_RIOT_ID_LENGTH}
          className="flex-1"
        />
        <Button name="intent" value="add" busy={busy} busyLabel="Adding" className="mt-6">
          Add Organiser
        </Button>
      </div>
    </Form>
  );
}
