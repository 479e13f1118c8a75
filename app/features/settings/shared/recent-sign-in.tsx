import { ButtonLink } from "~/ui/button";

/** Replaces a button that requires a recent sign-in: links to the page that asks for one, which returns here. */
export function RecentSignIn({ returnTo }: { returnTo: string }) {
  return (
    <>
      <p className="mt-5 text-muted">Confirm it's you first. It's been a while since you signed in here.</p>
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
