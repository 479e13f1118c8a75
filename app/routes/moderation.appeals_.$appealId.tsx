import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { PageHead } from "~/features/dashboard/dashboard-page";
import { AnswerForm } from "~/features/moderation/appeals/answer-form";
import { answerAppeal, findRefusal } from "~/features/moderation/appeals/answering.server";
import { NobodyElse } from "~/features/moderation/appeals/nobody-else";
import { presentAppeal } from "~/features/moderation/appeals/present.server";
import { findAppeal, hasOtherModerator } from "~/features/moderation/appeals/queries.server";
import { ANSWER_REFUSALS } from "~/features/moderation/appeals/rules";
import { appealAnswerSchema } from "~/features/moderation/appeals/schema";
import { followDecision } from "~/features/moderation/decisions/actions.server";
import {
  findModerator,
  requireClaimedModeratorId,
  requireModerator,
} from "~/features/moderation/shared/require-moderator.server";
import { tellUnread } from "~/features/notifications/shared/unread.server";
import { deliverDueEmails } from "~/platform/email/outbox.server";
import { answerForm } from "~/platform/forms/answer-form.server";
import { type FormReply, offlineAction } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { notFound } from "~/platform/request/not-found.server";
import { idParam } from "~/platform/request/params.server";
import { ButtonLink } from "~/ui/button";
import { reloadIfOutdated } from "~/ui/dialogs/dialogs";
import { useReply } from "~/ui/forms/use-reply";
import { Link } from "~/ui/link";
import { RelativeTime } from "~/ui/relative-time";
import "~/shell";

const LIST = "/moderation/appeals";
const FAILED = "Error answering appeal";

export const meta: MetaFunction = () => privatePage("Appeal");

/** If an answer is refused, the appeal or its decision has changed, so the page shows what is still possible. */
export const shouldRevalidate = reloadIfOutdated;

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = idParam(params, "appealId", context, request);
  const userId = requireClaimedModeratorId(context, request);
  const [, appeal, refusal, hasOther, clock] = await Promise.all([
    requireModerator(context, request),
    findAppeal(context.db, id),
    findRefusal(context, { userId }, id),
    hasOtherModerator(context.db, context.now, userId),
    context.clock(),
  ]);
  if (!appeal) return notFound(context, request);
  return { appeal: presentAppeal(appeal, refusal, userId, clock), hasOther };
}

export function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const id = idParam(params, "appealId", context, request);
  return answerForm(args, {
    schema: appealAnswerSchema,
    failed: FAILED,
    limit: "moderation",
    viewer: findModerator,
    to: LIST,
    alongside: async () => (await findAppeal(context.db, id)) ?? null,
    async run({ value, viewer, found }) {
      const { outcome, undone } = await answerAppeal(context, { userId: viewer.id }, found, value);
      if (outcome === "missing") return outcome;
      if (outcome !== "answered") return { status: 409, error: ANSWER_REFUSALS[outcome] };
      if (found.playerId) tellUnread(context, found.playerId);
      if (value.outcome === "granted") followDecision(context, { ...found, id: found.caseId }, undone);
      else context.defer(() => deliverDueEmails(context));
      const [title, effect] =
        value.outcome === "granted"
          ? ["Appeal granted", "The decision is undone"]
          : ["Appeal rejected", "The decision stands"];
      return { title, description: found.player === null ? `${effect}.` : `${effect}, and we've told the player.` };
    },
  });
}

export const clientAction = offlineAction(FAILED);

export default function AnswerAppeal() {
  const { appeal, hasOther } = useLoaderData<typeof loader>();
  const reply = useReply<FormReply>();
  const { title, words, sent, quote, terms, rule, reason, decider, decided, answer, caseId } = appeal;
  return (
    <>
      <PageHead title="Appeal" action={<ButtonLink to={LIST}>Appeals</ButtonLink>} />
      <div className="max-w-[760px]">
        <h2 className="text-section font-semibold wrap-anywhere">{title}</h2>
        <dl className="mt-4 grid gap-4">
          <Fact name="The player says">
            <Words>{words}</Words>
            <RelativeTime moment={sent} className="text-meta text-muted" />
          </Fact>
          <Fact name={`Decided by ${decider}`}>
            <Words>{reason}</Words>
            {terms.map((term) => (
              <p key={term}>{term}</p>
            ))}
            {rule && (
              <p>
                Rule:{" "}
                <Link to={rule.anchor} className="link">
                  {rule.title}
                </Link>
              </p>
            )}
            <RelativeTime moment={decided} className="text-meta text-muted" />
          </Fact>
          {quote.length > 0 && (
            <Fact name="As reported">
              <blockquote className="border-l-2 border-edge pl-4">
                {quote.map((line) => (
                  <Words key={line}>{line}</Words>
                ))}
              </blockquote>
            </Fact>
          )}
        </dl>
        {caseId && (
          <p className="mt-4">
            <Link to={`/moderation/cases/${caseId}`} className="link">
              The whole case
            </Link>
          </p>
        )}
        {answer ? (
          <section aria-labelledby="answer" className="mt-8 border-t-2 border-text pt-4">
            <h2 id="answer" className="font-display text-section">
              {answer.title}
            </h2>
            <p className="text-meta text-muted">
              By {answer.by}, <RelativeTime moment={answer.given} />
            </p>
            <Words>{answer.words}</Words>
          </section>
        ) : appeal.whyNot === null || reply ? (
          <AnswerForm reply={reply} closeTo={LIST} isUndone={appeal.isUndone} hasAccount={appeal.hasAccount} />
        ) : (
          <div className="mt-8">
            <p className="mb-4">{appeal.whyNot}</p>
            {!hasOther && <NobodyElse />}
          </div>
        )}
      </div>
    </>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt className="text-meta font-semibold">{name}</dt>
    <dd>{children}</dd>
  </div>
);

const Words = ({ children }: { children: string }) => (
  <p dir="auto" className="wrap-anywhere whitespace-pre-line">
    {children}
  </p>
);
