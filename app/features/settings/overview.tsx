import type { ReactNode } from "react";
import type { ShownMoment } from "~/platform/dates/time";
import { CheckIcon, DashIcon, WarningIcon } from "~/ui/icons";
import { Link } from "~/ui/link";
import { RelativeTime } from "~/ui/relative-time";
import { SETTINGS, settingsAddress } from "./subjects";

interface OverviewProps {
  email: string;
  emailConfirmed: boolean;
  /** Whether an email provider has refused the address for good. */
  emailFailed: boolean;
  hasPassword: boolean;
  passwordChanged: ShownMoment | null;
  hasTwoFactor: boolean;
  sessions: number;
  identities: readonly { provider: string; name: string }[];
  events: readonly { id: string; words: string; byOperator: boolean; time: ShownMoment }[];
}

/** The overview of the account's security and its recent activity. */
export function Overview(props: OverviewProps) {
  const { email, emailConfirmed, emailFailed, hasPassword, passwordChanged, hasTwoFactor, sessions, identities } =
    props;
  return (
    <div className="max-lg:mt-10">
      <section aria-labelledby="security">
        <h2 id="security" className="border-t-2 border-text pt-4 font-display text-section">
          Your account's security
        </h2>
        <dl className="mt-3 border-t border-line">
          <Row slug="email" name="Email" state={emailConfirmed && !emailFailed ? "good" : "warn"}>
            <span className="wrap-anywhere">{email}</span>
            <span className="block text-muted">
              {emailFailed ? "Our emails don't arrive there" : emailConfirmed ? "Confirmed" : "Not confirmed yet"}
            </span>
          </Row>
          <Row slug="password" name="Password" state={hasPassword ? "good" : "none"}>
            {hasPassword ? "Set" : "None. You sign in without one"}
            {passwordChanged && (
              <span className="block text-muted">
                Changed <RelativeTime moment={passwordChanged} />
              </span>
            )}
          </Row>
          <Row slug="two-factor" name="Two-Factor" state={hasTwoFactor ? "good" : "none"}>
            {hasTwoFactor ? "On" : "Off"}
          </Row>
          <Row slug="sessions" name="Sessions">
            {sessions === 1 ? "Signed in on this device only" : `${sessions > 99 ? "99+" : sessions} open sessions`}
          </Row>
          <Row slug="linked-accounts" name="Linked Accounts" state={identities.length > 0 ? "good" : "none"}>
            {identities.length === 0 && "None"}
            {identities.map(({ provider, name }) => (
              <span key={provider} className="block wrap-anywhere">
                {provider}: {name}
              </span>
            ))}
          </Row>
        </dl>
      </section>
      <Events events={props.events} />
      <p className="mt-9 text-muted">
        Moderators' decisions about you, and answers to your reports:{" "}
        <Link to="/account/decisions" className="link">
          Decisions
        </Link>
      </p>
    </div>
  );
}

const STATES = {
  good: <CheckIcon className="mt-[3px] size-4 flex-none text-good" />,
  warn: <WarningIcon className="mt-[3px] size-4 flex-none text-warn" />,
  none: <DashIcon className="mt-[3px] size-4 flex-none text-muted" />,
};

/** One fact about the account; its name links to the settings it belongs to. */
function Row(props: { slug: string; name: string; state?: keyof typeof STATES; children: ReactNode }) {
  const { slug, name, state, children } = props;
  const hasPage = SETTINGS.some((subject) => subject.slug === slug);
  return (
    <div className="relative isolate flex gap-4 border-b border-line py-2.5">
      <dt className="w-[118px] flex-none text-meta leading-[22px] font-semibold md:w-[150px]">
        {hasPage ? (
          <Link
            to={settingsAddress(slug)}
            prefetch="intent"
            className="underline decoration-line underline-offset-3 after:absolute after:inset-0 after:-z-1 hover:decoration-text hover:after:bg-raised focus-visible:outline-none focus-visible:after:outline-3 focus-visible:after:-outline-offset-3 focus-visible:after:outline-spot-edge"
          >
            {name}
          </Link>
        ) : (
          name
        )}
      </dt>
      <dd className="pointer-events-none flex min-w-0 flex-1 gap-2.5">
        {state && STATES[state]}
        <span className="min-w-0">{children}</span>
      </dd>
    </div>
  );
}

function Events({ events }: Pick<OverviewProps, "events">) {
  return (
    <section aria-labelledby="events" className="mt-9">
      <h2 id="events" className="font-display text-section">
        Recent changes
      </h2>
      {events.length === 0 ? (
        <p className="mt-1 text-muted">No changes yet to how you sign in.</p>
      ) : (
        <>
          <ul className="mt-3 border-t border-line">
            {events.map(({ id, words, byOperator, time }) => (
              <li key={id} className="flex flex-wrap justify-between gap-x-4 border-b border-line py-2.5">
                <span>
                  {words}
                  {byOperator && <span className="text-muted"> by Lineup</span>}
                </span>
                <span className="text-meta leading-[22px] text-muted">
                  <RelativeTime moment={time} />
                </span>
              </li>
            ))}
          </ul>
          <p className="mt-3 text-meta text-muted">Something here wasn't you? Sign out your other devices first.</p>
        </>
      )}
    </section>
  );
}
