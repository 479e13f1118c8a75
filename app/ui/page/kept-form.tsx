import { SECRET_FIELDS } from "~/platform/forms/forms";
import { Button, ButtonLink } from "../button";
import type { KeptForm } from "./request-contexts";

/** Whether a field is never sent back to the browser. A party code is sent back, because players share it. */
const isSecret = (name: string): boolean => SECRET_FIELDS.includes(name) || /password/i.test(name);

/**
 * Builds a page that keeps a refused form with all its values (except passwords), to be submitted again. Server only:
 * no module that browsers load may import this.
 * @param status the response's status: 401 if the session had ended, 503 if the database was unavailable
 * @returns null for any other status
 */
export function keepForm(status: number, submitted: FormData): KeptForm | null {
  if (status === 401) {
    return (size) => ({
      title: "Sign in again",
      text: "Not authenticated: your session has ended, so nothing was saved. Your entries are still on this page. Sign in in another tab, then come back and send them again.",
      action: (
        <>
          <ButtonLink to="/auth" target="_blank" variant="primary" size={size} reloadDocument>
            Sign In
          </ButtonLink>
          <SendAgain submitted={submitted} label="Send Again" variant="secondary" size={size} />
        </>
      ),
    });
  }
  if (status === 503) {
    return (size) => ({
      title: "Back in a moment",
      text: "Lineup can't reach its database right now, so this may not have been saved. Your entries are still on this page: try again in a moment.",
      action: <SendAgain submitted={submitted} label="Try Again" variant="primary" size={size} />,
    });
  }
  return null;
}

/** A form with one button, which posts the kept values again, except passwords. */
function SendAgain({
  submitted,
  label,
  ...buttonStyle
}: {
  submitted: FormData;
  label: string;
  variant: "primary" | "secondary";
  size: "normal" | "landing";
}) {
  return (
    <form method="post">
      {[...submitted].map(
        ([name, value], index) =>
          !isSecret(name) &&
          // biome-ignore lint/suspicious/noArrayIndexKey: a name may occur twice, and the list never changes
          typeof value === "string" && <input key={index} type="hidden" name={name} value={value} />,
      )}
      <Button {...buttonStyle}>{label}</Button>
    </form>
  );
}
