import { Button } from "~/ui/button";
import { DialogFooter } from "~/ui/dialogs/dialog-footer";

/**
 * The end of the form that reports a player, a message or a review: the button, and a note about who reads the report.
 */
export function ReportFooter({ name, busy, closeTo }: { name: string; busy: boolean; closeTo: string }) {
  return (
    <DialogFooter
      closeTo={closeTo}
      note={
        <>
          It is kept for our moderators. <bdi>{name}</bdi> isn't told.
        </>
      }
    >
      <Button variant="primary" busy={busy} busyLabel="Sending" className="max-md:flex-1">
        Send Report
      </Button>
    </DialogFooter>
  );
}
