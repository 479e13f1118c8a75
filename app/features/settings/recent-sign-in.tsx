import { ButtonLink } from "~/ui/button";

/** Stands where a button would be that only works shortly after signing in: leads to the page that asks, and back. */
export function RecentSignIn({ returnTo }: { returnTo: string }) {
  return (
    <>
      <p className="mt-5 text-muted">First show that it is you: it has been a while since you signed in here.</p>
      <ButtonLink
        to={`/auth/reauthenticate?${new URLSearchParams({ redirectTo: returnTo })}`}
        variant="primary"
        className="mt-4"
      >
        Continue
      </ButtonLink>
    </>
  );
}
