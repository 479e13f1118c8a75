import type { SerializeFrom } from "@remix-run/cloudflare";
import type { ReactNode } from "react";
import { ButtonLink } from "~/ui/button";
import { Link } from "~/ui/link";
import { RelativeTime } from "~/ui/relative-time";
import type { DecisionView } from "./present.server";

/** The decisions about a player, each with its reasons and the player's appeal. */
export function DecisionList({ decisions }: { decisions: readonly SerializeFrom<DecisionView>[] }) {
  return (
    <ul className="mt-8 border-t-2 border-text">
      {decisions.map((decision) => (
        <li key={decision.id} className="border-b border-line py-5">
          <article aria-labelledby={`decision-${decision.id}`}>
            <Statement {...decision} />
            {decision.appeal && <Appeal {...decision.appeal} />}
            {decision.mayAppeal && (
              <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
                <ButtonLink
                  to={`/account/decisions/${decision.id}/appeal`}
                  aria-describedby={`decision-${decision.id}`}
                >
                  Appeal
                </ButtonLink>
                <p className="text-meta text-muted">Someone other than the moderator who decided will answer.</p>
              </div>
            )}
          </article>
        </li>
      ))}
    </ul>
  );
}

/** The statement of reasons. */
export function Statement(decision: Omit<SerializeFrom<DecisionView>, "appeal" | "mayAppeal">) {
  const { id, title, duration, made, isUndone, about, quote, reason, rule, origin } = decision;
  return (
    <>
      <h2 id={`decision-${id}`} className="font-display text-section">
        {title}
      </h2>
      <p className="text-meta text-muted">
        <RelativeTime moment={made} />
        {isUndone && <strong className="font-semibold text-text"> · Undone</strong>}
      </p>
      {duration && !isUndone && <p className="mt-2 font-semibold">{duration}</p>}
      <dl className="mt-3 grid gap-3">
        {quote.length > 0 && (
          <Fact name="What it is about">
            <p className="text-meta text-muted first-letter:uppercase">{about}:</p>
            <blockquote className="max-h-48 overflow-y-auto border-l-2 border-edge pl-4">
              {quote.map((line) => (
                <p key={line} dir="auto" className="wrap-anywhere whitespace-pre-line">
                  {line}
                </p>
              ))}
            </blockquote>
          </Fact>
        )}
        <Fact name="The facts and our reasons">
          <p dir="auto" className="wrap-anywhere whitespace-pre-line">
            {reason}
          </p>
        </Fact>
        {rule && (
          <Fact name="The rule">
            <Link to={rule.anchor} className="link">
              {rule.title}
            </Link>
          </Fact>
        )}
        <Fact name="How we found out">{origin}</Fact>
      </dl>
    </>
  );
}

function Appeal({ words, sent, answer }: NonNullable<SerializeFrom<DecisionView>["appeal"]>) {
  return (
    <dl className="mt-4 grid gap-3 rounded-b-panel border-t-4 border-edge bg-raised px-4 pt-3 pb-4">
      <Fact name="Your appeal">
        <p className="text-meta text-muted">
          <RelativeTime moment={sent} />
        </p>
        <p dir="auto" className="wrap-anywhere whitespace-pre-line">
          {words}
        </p>
      </Fact>
      <Fact name="The answer">
        {answer ? (
          <>
            <p className="font-semibold">{answer.title}</p>
            <p dir="auto" className="wrap-anywhere whitespace-pre-line">
              {answer.words}
            </p>
            <p className="text-meta text-muted">
              <RelativeTime moment={answer.given} />
            </p>
          </>
        ) : (
          <p>Your appeal is waiting for an answer. We'll email you when we've answered.</p>
        )}
      </Fact>
    </dl>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt className="text-meta font-semibold">{name}</dt>
    <dd>{children}</dd>
  </div>
);
