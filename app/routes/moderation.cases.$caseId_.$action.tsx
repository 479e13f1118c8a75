import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { nameCase } from "~/features/moderation/case/name";
import { presentDecision } from "~/features/moderation/case/present.server";
import { findDecidedCase, findOverview, findStandingDecision } from "~/features/moderation/case/queries.server";
import { answerDecision } from "~/features/moderation/decisions/actions.server";
import { DecisionForm } from "~/features/moderation/decisions/decision-form";
import { daysFrom, LENGTHS, sayLength } from "~/features/moderation/decisions/durations";
import { TEMPLATES } from "~/features/moderation/decisions/templates";
import { ModerationHead } from "~/features/moderation/page-head";
import { ACTION_WORDS, CASE_ACTIONS } from "~/features/moderation/rules";
import { decisionSchema } from "~/features/moderation/schema";
import {
  findModerator,
  requireClaimedModeratorId,
  requireModerator,
} from "~/features/moderation/shared/require-moderator.server";
import { isTold, quoteOf } from "~/features/moderation/shared/statement";
import { exactMoment } from "~/platform/dates/dates";
import { answerForm } from "~/platform/forms/answer-form.server";
import type { FormReply } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { notFound } from "~/platform/request/not-found.server";
import { idParam } from "~/platform/request/params.server";
import { reloadIfOutdated } from "~/ui/dialogs/dialogs";
import { useReply } from "~/ui/forms/use-reply";
import { RelativeTime } from "~/ui/relative-time";
import "~/shell";

export const meta: MetaFunction<typeof loader> = ({ data }) => privatePage(data?.name ?? "Decide");

/** Reads the address: the case, and the decision about it. */
function readAddress({ params, request, context }: LoaderFunctionArgs) {
  const id = idParam(params, "caseId", context, request);
  const action = CASE_ACTIONS.find((one) => one === params.action) ?? notFound(context, request);
  return { id, action, closeTo: `/moderation/cases/${id}` };
}

/** The effect of undoing a decision of which the player wasn't told. */
const NOT_TOLD = "Undoes the latest decision. The player wasn't told of it.";

/** After a refusal because the case has changed, the page shows what is new. */
export const shouldRevalidate = reloadIfOutdated;

export async function loader(args: LoaderFunctionArgs) {
  const { request, context } = args;
  const { id, action, closeTo } = readAddress(args);
  const userId = requireClaimedModeratorId(context, request);
  const [, found, standing, clock] = await Promise.all([
    requireModerator(context, request),
    findOverview(context.db, id, userId),
    action === "undo" ? findStandingDecision(context.db, id) : undefined,
    context.clock(),
  ]);
  if (!found) notFound(context, request);
  const template = TEMPLATES.find(({ key }) => key === new URL(request.url).searchParams.get("template"));
  const { name, effect, effectIfGone = effect } = ACTION_WORDS[action];
  const wouldBeTold = isTold(standing?.action ?? action);
  const isGone = found.player === null;
  return {
    ...{ action, closeTo, name, title: nameCase(found), seen: found.latest ?? "", evidence: found.evidence },
    effect: standing && !wouldBeTold ? NOT_TOLD : isGone ? effectIfGone : effect,
    isPlayerTold: wouldBeTold && !isGone,
    undoes: standing ? presentDecision(standing, clock) : null,
    quote: quoteOf(found.kind, found.snapshot, found),
    here: `${closeTo}/${action}`,
    filled: { rule: template?.rule ?? "", reason: template?.reason ?? "" },
    ends: LENGTHS.map((days) => ({
      days,
      words: `${sayLength(days)}: ${exactMoment(daysFrom(context.now, days), clock)}`,
    })),
  };
}

export function action(args: ActionFunctionArgs) {
  const { context } = args;
  const { id, action: decision, closeTo } = readAddress(args);
  return answerForm(args, {
    schema: decisionSchema(decision),
    failed: "Error deciding",
    viewer: findModerator,
    limit: "moderation",
    to: closeTo,
    alongside: async ({ userId }) => (await findDecidedCase(context.db, id, userId)) ?? null,
    run: ({ value, viewer, found }) => answerDecision(context, viewer.id, found, { action: decision, ...value }),
  });
}

export default function DecisionPage() {
  const { title, name, effect, undoes, quote, ...form } = useLoaderData<typeof loader>();
  const reply = useReply<FormReply>();
  return (
    <div className="max-w-[640px]">
      <ModerationHead back={{ to: form.closeTo, name: "The whole case" }} title={`${name}: ${title}`}>
        <p className="mt-1 text-muted">{effect}</p>
        {undoes && (
          <p className="mt-1">
            The latest: <b className="wrap-anywhere">{undoes.decider}</b> {undoes.words},{" "}
            <RelativeTime moment={undoes.made} />.
          </p>
        )}
        {quote.length > 0 && (
          <blockquote className="mt-4 max-h-40 overflow-y-auto border-l-2 border-edge pl-4" aria-label="As reported">
            {quote.map((line) => (
              <p key={line} dir="auto" className="wrap-anywhere whitespace-pre-line">
                {line}
              </p>
            ))}
          </blockquote>
        )}
      </ModerationHead>
      <DecisionForm key={form.filled.reason} reply={reply} undoes={undoes?.id} {...form} />
    </div>
  );
}
