import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { Button, ButtonLink } from "../button";
import { ErrorPage } from "./error-page";

/** Fields that are not sent to the browser again: as `SECRET_FIELDS`, of which every page would have to load the file. */
const SECRET = /password|code$/i;

/** For addresses that lead nowhere. */
export function NotFoundPage({ header }: { header?: ReactNode }) {
  return (
    <ErrorPage
      header={header}
      title="Oops! Page not found"
      text="No banner hangs from this line. The post may have closed, or the address has a typo."
      action={
        <ButtonLink to="/" variant="primary" size="landing">
          Return to Home
        </ButtonLink>
      }
    />
  );
}

/** For requests that no page of ours makes. */
export function BadRequestPage() {
  return (
    <ErrorPage
      title="That can't be done here"
      text="This address does not take what was sent to it, and nothing was changed."
      action={
        <ButtonLink to="/" variant="primary" size="landing" reloadDocument>
          Return to Home
        </ButtonLink>
      }
    />
  );
}

/** For mistakes of ours. */
export function UnexpectedErrorPage() {
  return (
    <ErrorPage
      title="Something went wrong"
      text="That was our mistake, not yours. It is in our log; please try again in a moment."
      action={
        <ButtonLink to="/" variant="primary" size="landing" reloadDocument>
          Return to Home
        </ButtonLink>
      }
    />
  );
}

/** For a form that was sent after the session had ended: it waits here with all it held. */
export function SessionEndedPage({ submitted }: { submitted: FormData | null }) {
  return (
    <ErrorPage
      title="Sign in again"
      text="Not authenticated: your session has ended, so nothing was saved. What you entered is kept in this page: sign in in another tab, come back here and send it again."
      action={
        <>
          <ButtonLink to="/auth" target="_blank" variant="primary" size="landing" reloadDocument>
            Sign In
          </ButtonLink>
          <SendAgain submitted={submitted} label="Send Again" variant="secondary" />
        </>
      }
    />
  );
}

/**
 * For when the database does not answer. A page that was only being read is asked for again; a form that was sent waits
 * here with all it held (but for passwords) and can be sent again.
 */
export function DatabaseAwayPage({ submitted }: { submitted: FormData | null }) {
  const { pathname, search } = useLocation();
  return (
    <ErrorPage
      title="Back in a moment"
      text={
        submitted
          ? "Lineup can't reach its database right now, so nothing was saved. What you entered is kept in this page: try again in a moment."
          : "Lineup can't reach its database right now. Nothing is lost; try again in a moment."
      }
      action={
        submitted ? (
          <SendAgain submitted={submitted} label="Try Again" variant="primary" />
        ) : (
          <ButtonLink to={pathname + search} variant="primary" size="landing" reloadDocument>
            Try Again
          </ButtonLink>
        )
      }
    />
  );
}

/** The form that was posted, as it was but for passwords, behind one button. */
function SendAgain({
  submitted,
  label,
  variant,
}: {
  submitted: FormData | null;
  label: string;
  variant: "primary" | "secondary";
}) {
  return (
    <form method="post">
      {[...(submitted ?? [])].map(
        ([name, value], index) =>
          !SECRET.test(name) &&
          // biome-ignore lint/suspicious/noArrayIndexKey: a name may come twice, and the list never changes
          typeof value === "string" && <input key={index} type="hidden" name={name} value={value} />,
      )}
      <Button variant={variant} size="landing">
        {label}
      </Button>
    </form>
  );
}
