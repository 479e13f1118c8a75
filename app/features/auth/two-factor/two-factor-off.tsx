import { Form, useNavigation } from "@remix-run/react";
import { Button } from "~/ui/button";

/** Explains two-factor while it is off, with a button to turn it on. */
export function TwoFactorOff() {
  const busy = useNavigation().formMethod === "POST";
  return (
    <>
      <p className="mt-1 text-muted">
        With two-factor, you also need a code from an authenticator app on your phone to sign in. A stolen password
        isn't enough. Any authenticator app works.
      </p>
      <Form method="post" className="mt-5">
        <Button variant="primary" name="intent" value="set-up" busy={busy} busyLabel="One moment">
          Set Up Two-Factor
        </Button>
      </Form>
    </>
  );
}
