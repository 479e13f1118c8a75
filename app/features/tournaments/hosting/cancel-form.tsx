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
      “{title}” will not take place, and that can't be undone. Its page stays, and says why.{" "}
      {teams > 0 && "Everyone who has registered is told."}
    </ReasonForm>
  );
}
