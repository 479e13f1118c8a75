import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import type { FormReply } from "~/platform/forms/forms";
import { Badge } from "~/ui/badge";
import { Button, ButtonLink } from "~/ui/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextAreaField } from "~/ui/forms/field";
import { useServerForm } from "~/ui/forms/use-server-form";
import { Link } from "~/ui/link";
import { Notice } from "~/ui/notice";
import { RelativeTime } from "~/ui/relative-time";
import { isHard, MAX_REASON } from "../rules";
import type { ShownCase, ShownDecision, ShownThing } from "./present.server";

type Case = SerializeFrom<ShownCase>;

/** An entry of a list of reports, decisions or notes. */
const ENTRY = "border-b border-line pb-3 last:border-0 last:pb-0";

const caseAddress = (id: string) => `/moderation/cases/${id}`;

/** Links to the forms of the decisions that the moderator can make, and the buttons that assign the case. */
export function CaseActions({ id, actions, refusal, state, assignedTo, assignee, isMine, mayRelease }: Case) {
  return (
    <div className="grid gap-4">
      {refusal && <Notice title="Not yours to decide">{refusal}</Notice>}
      <div className="flex flex-wrap items-center gap-2">
        {actions.map(({ action, name }) => (
          <ButtonLink
            key={action}
            to={`${caseAddress(id)}/${action}`}
            variant={isHard(action) ? "danger" : "secondary"}
          >
            {name}
          </ButtonLink>
        ))}
        {state === "open" && (
          <Form method="post" preventScrollReset className="contents">
            <input type="hidden" name="from" value={assignedTo ?? ""} />
            {(isMine || !refusal) && (
              <Button name="intent" value={isMine ? "release" : "take"} variant="quiet">
                {isMine ? "Give it back" : assignee ? "Take over" : "Assign to me"}
              </Button>
            )}
            {assignee && !isMine && mayRelease && (
              <Button name="intent" value="release" variant="quiet">
                Release
              </Button>
            )}
          </Form>
        )}
        {assignee && !isMine && <span className="text-meta text-muted">{assignee} is on it.</span>}
      </div>
    </div>
  );
}

/** The state of a case, below its heading. */
export function CaseFacts({
  state,
  reportCount,
  isUrgent,
  isFlagged,
  isForAdmin,
  opened,
  subjectPage,
  findings,
}: Case) {
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-2 text-meta text-muted">
      <Badge variant={state === "open" ? "warn" : "outline"}>{state === "open" ? "Open" : "Closed"}</Badge>
      {isUrgent && <Badge variant="warn">Urgent</Badge>}
      {isFlagged && <Badge>Flagged by machine</Badge>}
      {isForAdmin && <Badge>For admins</Badge>}
      <span>
        {reportCount} {reportCount === 1 ? "report" : "reports"}, opened <RelativeTime moment={opened} />
      </span>
      {subjectPage && (
        <Link to={subjectPage} className="link">
          Open its page
        </Link>
      )}
      {findings.map((finding) => (
        <span key={finding} className="basis-full wrap-anywhere">
          {finding}
        </span>
      ))}
    </div>
  );
}

/** The reported thing as it was, and as it is now. */
export function CaseThing({ id, reported, present, isUnchanged, hasPicture, hasNewPicture, foundLater }: Case) {
  return (
    <div className="grid gap-x-8 gap-y-6 md:grid-cols-2">
      <Section title="As reported">
        {reported ? (
          <Thing {...reported} />
        ) : (
          <p className="text-muted">Deleted, because the case is old and no appeal needs it.</p>
        )}
        {hasPicture && <ReportedPicture src={`${caseAddress(id)}/picture`} />}
      </Section>
      <Section title="As it is now">
        {!present && <p className="text-muted">It's gone.</p>}
        {present && isUnchanged && !hasNewPicture && <p className="text-muted">Unchanged.</p>}
        {present && !isUnchanged && <Thing {...present} />}
        {hasNewPicture && <p className="mt-3 text-muted">The picture has changed.</p>}
      </Section>
      {foundLater.map(({ findings, thing }) => (
        <Section key={findings.join()} title="As our checks found it later">
          {findings.map((finding) => (
            <p key={finding} className="mb-3 text-meta wrap-anywhere text-muted">
              {finding}
            </p>
          ))}
          <Thing {...thing} />
        </Section>
      ))}
    </div>
  );
}

const ReportedPicture = ({ src }: { src: string }) => (
  <img src={src} alt="Reported player" width={160} height={160} className="mt-3 size-40 rounded-panel object-cover" />
);

function Thing({ parts, before }: SerializeFrom<ShownThing>) {
  return (
    <>
      {before.length > 0 && (
        <>
          <h3 className="text-meta font-semibold text-muted">Messages before it</h3>
          <ul className="mt-1.5 mb-4 grid gap-1.5 border-l-2 border-line pl-3.5 text-meta">
            {before.map(({ place, isByPlayer, text }) => (
              <li key={place}>
                <span className="text-muted">{isByPlayer ? "The reported player: " : "Someone else: "}</span>
                <span dir="auto" className="wrap-anywhere whitespace-pre-line">
                  {text}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      <dl className="grid gap-3">
        {parts.map(({ label, text }) => (
          <div key={label}>
            <dt className="text-meta text-muted">{label}</dt>
            <dd dir="auto" className="wrap-anywhere whitespace-pre-line">
              {text}
            </dd>
          </div>
        ))}
      </dl>
      {parts.length === 0 && <p className="text-muted">It's empty.</p>}
    </>
  );
}

/** The reports of a case, each with its sender's record. */
export function CaseReports({ id: caseId, reports, reportCount }: Case) {
  if (reports.length === 0) return null;
  return (
    <Section title="Reports">
      <ul className="grid gap-3">
        {reports.map(({ id, reporter, reporterId, reason, details, seen, hasPicture, sent, records }) => (
          <li key={id} className={ENTRY}>
            <p>
              <b>{reason}</b> <span className="text-muted">by</span>{" "}
              {reporterId ? (
                <Link to={`/players/${reporterId}`} className="link">
                  <bdi>{reporter}</bdi>
                </Link>
              ) : (
                <>
                  <bdi>{reporter ?? "Someone"}</bdi> without an account
                </>
              )}{" "}
              <span className="text-meta text-muted">
                <RelativeTime moment={sent} />
              </span>
            </p>
            {details && (
              <p dir="auto" className="mt-1 wrap-anywhere whitespace-pre-line">
                {details}
              </p>
            )}
            {(seen || hasPicture) && (
              <div className="mt-3 border-l-2 border-edge pl-4">
                <h3 className="mb-1.5 text-meta font-semibold">As this reporter saw it</h3>
                {seen && <Thing {...seen} />}
                {hasPicture && <ReportedPicture src={`${caseAddress(caseId)}/picture?report=${id}`} />}
              </div>
            )}
            {records && (
              <p className="mt-1 text-meta text-muted">
                Has sent {records.by}. About them: {records.about}.
              </p>
            )}
          </li>
        ))}
      </ul>
      {reports.length < reportCount && (
        <p className="mt-3 text-meta text-muted">
          {reports.length} of {reportCount} reports: first urgent ones, then those of the last day.
        </p>
      )}
    </Section>
  );
}

/** The reported player: their current suspension and limits, their record, and their other cases. */
export function CasePlayer({ player, playerId, standing, records, earlier, others }: Case) {
  return (
    <Section title="The player">
      {player && playerId ? (
        <p>
          <Link to={`/players/${playerId}`} className="link wrap-anywhere touch:inline-block touch:py-3">
            <bdi>{player}</bdi>
          </Link>
        </p>
      ) : (
        <p className="text-muted">The account is gone.</p>
      )}
      <ul className="mt-2 grid gap-1">
        {standing.map((line) => (
          <li key={line} className="font-semibold">
            {line}
          </li>
        ))}
        <li className="text-meta text-muted">About them: {records.about}.</li>
        <li className="text-meta text-muted">Has sent {records.by}.</li>
      </ul>
      {earlier.length > 0 && (
        <>
          <h3 className="mt-5 mb-2 text-meta font-semibold">Earlier decisions</h3>
          <Decisions decisions={earlier} linked />
        </>
      )}
      {others.length > 0 && (
        <>
          <h3 className="mt-5 mb-2 text-meta font-semibold">Other cases</h3>
          <ul className="grid gap-1.5">
            {others.map(({ id, words, opened }) => (
              <li key={id}>
                <Link to={caseAddress(id)} className="link touch:inline-block touch:py-3">
                  {words}
                </Link>{" "}
                <span className="text-meta text-muted">
                  <RelativeTime moment={opened} />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

/** The decisions of a case. */
export function CaseDecisions({ decisions }: Case) {
  if (decisions.length === 0) return null;
  return (
    <Section title="Decisions">
      <Decisions decisions={decisions} />
    </Section>
  );
}

function Decisions({ decisions, linked = false }: { decisions: SerializeFrom<ShownDecision>[]; linked?: boolean }) {
  return (
    <ul className="grid gap-3">
      {decisions.map(({ id, caseId, decider, words, rule, reason, made, isUndone }) => (
        <li key={id} className={ENTRY}>
          <p className={isUndone ? "text-muted line-through" : undefined}>
            <b className="wrap-anywhere">{decider}</b> {words}
          </p>
          <p className="text-meta text-muted">
            {isUndone && "Undone. "}
            {rule && `Rule ${rule.number}, ${rule.title}. `}
            <RelativeTime moment={made} />
            {linked && (
              <>
                {" "}
                <Link to={caseAddress(caseId)} className="link">
                  Its case
                </Link>
              </>
            )}
          </p>
          <p dir="auto" className="mt-1 text-meta wrap-anywhere whitespace-pre-line">
            {reason}
          </p>
        </li>
      ))}
    </ul>
  );
}

/**
 * The notes of a case, and the form for another. Adding a note empties the form; other moderators' notes leave it as it
 * is.
 */
export function CaseNotes({ notes, ownNotes, noteId, reply }: Case & { noteId: string; reply: FormReply | undefined }) {
  const { formProps, props, summary, busy } = useServerForm<{ id: string; words: string }>({
    id: `note-${ownNotes}`,
    reply,
    defaultValue: { id: noteId },
    labels: { words: "Note" },
  });
  return (
    <Section title="Notes">
      <ul className="mb-4 grid gap-3 empty:hidden">
        {notes.map(({ id, author, words, written }) => (
          <li key={id} className={ENTRY}>
            <p className="text-meta text-muted">
              {author}, <RelativeTime moment={written} />
            </p>
            <p dir="auto" className="wrap-anywhere whitespace-pre-line">
              {words}
            </p>
          </li>
        ))}
      </ul>
      <Form method="post" {...formProps} preventScrollReset className="grid gap-3">
        <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} atFields />
        <input type="hidden" name="id" value={props("id").defaultValue} />
        <TextAreaField {...props("words")} rows={2} limit={MAX_REASON} hint="Only moderators see it." />
        <Button name="intent" value="note" busy={busy} busyLabel="Adding" className="md:justify-self-start">
          Add Note
        </Button>
      </Form>
    </Section>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="min-w-0 border-t-2 border-text pt-3.5">
      <h2 className="mb-3 text-post font-semibold">{title}</h2>
      {children}
    </section>
  );
}
