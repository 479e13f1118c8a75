import type { FormReply } from "~/platform/forms/forms";
import { ReasonForm } from "../reason-form";

/** The confirmation step for cancelling a tournament, with a reason that everyone will read. */
export function CancelForm({
  reply,
  title,
  teams,
  closeTo,
}: {
  reply: FormReply | undefined;
  title: string;
  /** The number of registered teams. */
  teams: number;
  closeTo: string;
}) {
  return (
    <ReasonForm
      id="cancel-tournament"
      reply={reply}
      closeTo={closeTo}
      cancelLabel="Keep Tournament"
      button="Cancel Tournament"
      busyLabel="Cancelling"
    >
      This can't be undone. The page of “{title}” stays up and says why.{" "}
      {teams > 0 && "We'll tell everyone who registered."}
    </ReasonForm>
  );
}
