import { Button, ButtonLink } from "./button";
import { ErrorPage } from "./error-page";

/** Fields that are not sent to the browser again. */
const SECRET = /password/i;

/** For addresses that lead nowhere. */
export function NotFoundPage() {
  return (
    <ErrorPage
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

/**
 * For when the database does not answer. A page that was only being read loads itself again; a form that was sent
 * waits here with all it held (but for passwords) and can be sent again.
 */
export function DatabaseAwayPage({ submitted }: { submitted: FormData | null }) {
  return (
    <ErrorPage
      title="Back in a moment"
      text={
        submitted
          ? "Lineup can't reach its database right now, so nothing was saved. What you entered is kept in this page: try again in a moment."
          : "Lineup can't reach its database right now. This page tries again by itself every ten seconds."
      }
      action={
        submitted ? (
          <form method="post">
            {[...submitted].map(
              ([name, value], index) =>
                // biome-ignore lint/suspicious/noArrayIndexKey: a name may come twice, and the list never changes
                !SECRET.test(name) &&
                typeof value === "string" && <input key={index} type="hidden" name={name} value={value} />,
            )}
            <Button variant="primary" size="landing">
              Try Again
            </Button>
          </form>
        ) : (
          <ButtonLink to="" variant="primary" size="landing" reloadDocument>
            Try Again
          </ButtonLink>
        )
      }
    />
  );
}
