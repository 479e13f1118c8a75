import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { uuidv7 } from "#db/ids";
import type { Snapshot } from "#db/schema";
import { HIDDEN_MESSAGE } from "~/features/blocks/rules";
import { previewOf } from "~/features/messages/rules";
import type { ConversationRef } from "~/features/messages/shared/membership.server";
import { UNKNOWN_PLAYER } from "~/features/players/rules";
import { listEvidence } from "~/features/tournaments/shared/evidence.server";
import type { RequestContext } from "~/platform/context";
import { showMoment } from "~/platform/dates/time";
import { type Answer, answerForm, answerGuestForm } from "~/platform/forms/answer-form.server";
import { checkHuman, offerHumanCheck } from "~/platform/forms/human-check.server";
import { tooManyTries } from "~/platform/limits/refusal";
import { countUse } from "~/platform/limits/uses.server";
import { notFound } from "~/platform/request/not-found.server";
import { requireViewer } from "~/platform/session/guards.server";
import type { Viewer } from "~/platform/session/viewer";
import { type Reporter, sendReport } from "./commands.server";
import { findReportableChat, findSubject } from "./queries.server";
import { type ReportPageData, SEND_FAILED } from "./report-page-data";
import { REPORT_FORMS, reasonChoices, whoIsTold } from "./rules";
import { chatReportSchema, guestReportSchema, reportSchema } from "./schema";
import type { Subject } from "./shared/subjects.server";

/** A conversation, and the address of the page that shows it. */
interface Chat {
  conversation: ConversationRef;
  /** The message that the address names; null if it names none. */
  messageId: string | null;
  /** The page of the conversation. */
  here: string;
  /** The page for players who are no longer in the conversation. */
  elsewhere: string;
}

/**
 * The refusal of a report whose subject was hidden or deleted while it was being written. With JavaScript, the open
 * page keeps the typed text. Without JavaScript, the text is kept where the page below the dialog still exists.
 */
const GONE = {
  status: 404,
  error: "This has since been removed, so there's nothing left to report here.",
};
const MESSAGE_GONE = {
  status: 404,
  field: "message",
  error: "This message has since been removed. Choose another one.",
};
/** The browser restored the form after going back, and a different report was already sent from it. */
const USED = { status: 409, error: "This form has already sent a report. Send again to send this one, too." };

/**
 * Loads the dialog for a public subject, in one round trip, or two if the visitor's session has ended.
 * @param closeTo the page below the dialog
 * @throws a 404 response if the visitor can't see the subject, or is its author
 */
export async function loadReport(
  { request, context }: LoaderFunctionArgs,
  subject: Subject,
  closeTo: string,
): Promise<ReportPageData> {
  const { db, claim, now } = context;
  const match = subject.kind === "player" ? subject.match : undefined;
  const [viewer, asClaimed, evidence] = await Promise.all([
    context.viewer(),
    findSubject(db, subject, claim?.userId ?? null),
    claim && match ? listEvidence(db, subject.id, claim.userId, match) : [],
  ]);
  // An ended session sees no more than a visitor does.
  const found = claim && !viewer ? await findSubject(db, subject, null) : asClaimed;
  // Without JavaScript, this page is the response to the form, and keeps the text about a thing that is gone by now.
  if (!found && !context.submitted) notFound(context, request);
  return {
    ...formOf(subject, found ?? {}, viewer && found ? evidence : []),
    id: uuidv7(now.getTime()),
    closeTo,
    guest: viewer ? null : { humanCheck: offerHumanCheck(context) },
    choice: null,
  };
}

/** @param evidence the evidence that the report is about */
function formOf({ kind }: Subject, { author, title, message, name, rating, comment }: Snapshot, evidence: string[]) {
  const player = typeof author === "string" ? author : null;
  const texts = {
    post: [title, message],
    player: evidence,
    message: [],
    review: [comment],
    team: [name],
    tournament: [title],
  };
  // A review that is gone has neither an author nor a rating.
  const isReview = kind === "review" && rating !== undefined;
  return {
    ...(isReview
      ? { title: "Report a review by", player: player ?? UNKNOWN_PLAYER }
      : { title: kind === "review" ? "Report a review" : "Report", player: kind === "player" ? player : null }),
    reported: player,
    quote: {
      stars: isReview ? Number(rating) : null,
      lines: [...new Set(texts[kind].filter(Boolean).map(String))],
    },
    reasons: reasonChoices(kind),
    maxDetails: REPORT_FORMS[kind].maxDetails,
  };
}

/**
 * Handles a report of a public subject, from a player or a visitor. Two round trips.
 * @param closeTo the page to return to
 */
export async function handleReport(args: ActionFunctionArgs, subject: Subject, closeTo: string) {
  const { context, request } = args;
  const form = await request.formData();
  // Only the form for visitors has this field. Players whose session has ended get that form, too.
  const isGuest = !context.claim || form.has("email");
  return (isGuest ? handleGuestReport : handlePlayerReport)(args, subject, closeTo, form);
}

/**
 * Handles a player's report, which may be about a subject that visitors can't see. Two round trips.
 * @param form the form, if it has been read already
 */
export const handlePlayerReport = (args: ActionFunctionArgs, subject: Subject, closeTo: string, form?: FormData) =>
  answerForm(args, {
    schema: reportSchema(subject.kind),
    form,
    failed: SEND_FAILED,
    limit: "report",
    to: closeTo,
    missing: GONE,
    async alongside({ userId }, value) {
      const shown = await findSubject(args.context.db, subject, userId);
      // The form may have been sent before, while the subject was still there.
      return shown || value ? { shown } : null;
    },
    run: ({ value, viewer, found: { shown } }) => send(args.context, subject, value, reporterOf(viewer), shown),
  });

const handleGuestReport = (args: ActionFunctionArgs, subject: Subject, closeTo: string, form: FormData) =>
  answerGuestForm(args, {
    schema: guestReportSchema(subject.kind),
    form,
    failed: SEND_FAILED,
    to: closeTo,
    refuseInvalid: async () => ((await findSubject(args.context.db, subject, null)) ? undefined : GONE),
    async run({ name, email, ...report }) {
      const { context } = args;
      const { db, ip } = context;
      const [refusal, byAddress, found] = await Promise.all([
        checkHuman(context, form, "report"),
        countUse(context, "guestReport", ip),
        findSubject(db, subject, null),
      ]);
      const refused = refusal ?? (byAddress.allowed ? null : tooManyTries(byAddress.retryAfter));
      if (refused) return found ? refused : GONE;
      return send(context, subject, report, { userId: null, name, email }, found);
    },
  });

const reporterOf = ({ id, email, role }: Viewer): Reporter => ({ userId: id, email, isStaff: role !== null });

/**
 * Sends a report, and puts the outcome into words.
 * @param shown the subject as the reporter sees it; undefined if it is gone by now
 * @param gone the page to return to if the subject is gone; undefined for the page below the dialog
 */
async function send(
  context: RequestContext,
  subject: Subject,
  report: Parameters<typeof sendReport>[2],
  reporter: Reporter,
  shown: Snapshot | undefined,
  gone = pageWithout(context, subject),
): Promise<Answer> {
  const outcome = await sendReport(context, subject, report, reporter, shown !== undefined);
  if (outcome === "missing") return subject.kind === "message" && !shown ? MESSAGE_GONE : GONE;
  if (outcome === "used") return { ...USED, renewed: { id: uuidv7(context.now.getTime()) } };
  return {
    ...(!shown && gone !== undefined && { to: gone }),
    title: "Report sent",
    description: whoIsTold(typeof shown?.author === "string" ? shown.author : null),
  };
}

/**
 * Returns a page that can show that the report was sent even if its subject is gone; undefined if the page below the
 * dialog can, because it isn't about the subject alone: a conversation, a reviewed player's page, or a match.
 */
const pageWithout = ({ claim }: RequestContext, subject: Subject): string | undefined => {
  if (subject.kind === "message" || subject.kind === "review") return undefined;
  if (subject.kind === "player" && (subject.conversation !== undefined || subject.match)) return undefined;
  return claim ? "/dashboard" : "/";
};

/**
 * Loads the dialog in which a member of a conversation reports another member's message or, in a conversation of two,
 * the other player. One round trip.
 */
export async function loadChatReport(
  { request, context }: LoaderFunctionArgs,
  { conversation, messageId, here }: Chat,
): Promise<ReportPageData> {
  const userId = context.claim?.userId;
  const findFrom = async (from: string | null) =>
    userId ? findReportableChat(context.db, conversation, userId, from) : undefined;
  const [viewer, asked, clock] = await Promise.all([context.viewer(), findFrom(messageId), context.clock()]);
  // Without JavaScript, this page is the response to the form. It keeps the typed text until the player has signed in
  // again.
  if (!viewer && context.submitted) await requireViewer(context, request);
  // It also keeps the text about a message that is gone by now, and offers the others.
  const isGone = context.submitted && messageId !== null && asked?.messages.length === 0;
  const chat = isGone ? await findFrom(null) : asked;
  const first = chat?.messages[0];
  if (!viewer || !chat || (!first && !isGone && (messageId !== null || !chat.other))) notFound(context, request);
  const named = chat.messages.find(({ id }) => id === messageId);
  const player = chat.isPair ? chat.other?.name : named?.author;
  return {
    title: "Report",
    player: player ?? null,
    reported: player ?? null,
    quote: { stars: null, lines: [] },
    reasons: reasonChoices("message"),
    maxDetails: REPORT_FORMS.message.maxDetails,
    id: uuidv7(context.now.getTime()),
    closeTo: here,
    guest: null,
    choice: {
      asPlayer: chat.other?.name ?? null,
      messages: chat.messages.map(({ id, author, content, createdAt, isHidden }) => {
        const quoted = `${chat.isPair ? "" : `${author ?? UNKNOWN_PLAYER}: `}“${previewOf(content)}”`;
        const { ago } = showMoment(new Date(createdAt), clock);
        return { id, words: `${isHidden ? HIDDEN_MESSAGE : quoted} · ${ago}` };
      }),
      initial: messageId ?? (chat.other ? "" : (first?.id ?? "")),
    },
  };
}

/** Handles a report from a conversation. Two round trips. */
export function handleChatReport(args: ActionFunctionArgs, { conversation, here, elsewhere }: Chat) {
  const { context } = args;
  const { db } = context;
  return answerForm(args, {
    schema: chatReportSchema,
    failed: SEND_FAILED,
    limit: "report",
    to: here,
    async alongside({ userId }, value) {
      const message = value?.message ? ({ kind: "message", id: value.message, conversation } as const) : null;
      const [chat, found] = await Promise.all([
        findReportableChat(db, conversation, userId, null),
        message ? findSubject(db, message, userId) : undefined,
      ]);
      // The form may have been sent before, while the reporter was still in the conversation.
      if (message && (chat || value)) return { subject: message, shown: found, isMember: chat !== undefined };
      if (!chat) return null;
      const subject = chat.other && ({ kind: "player", id: chat.other.id, conversation } as const);
      return { subject, shown: { author: chat.other?.name }, isMember: true };
    },
    async run({ value: { message: _, ...report }, viewer, found: { subject, shown, isMember } }) {
      if (!subject) return { status: 400, field: "message", error: "Choose a message." };
      if (isMember) return send(context, subject, report, reporterOf(viewer), shown);
      const answer = await send(context, subject, report, reporterOf(viewer), undefined, elsewhere);
      return answer === MESSAGE_GONE ? "missing" : answer;
    },
  });
}
