import { useNavigation } from "@remix-run/react";
import type { ToastReply } from "~/platform/forms/forms";
import { Button } from "~/ui/button";
import { DialogFooter } from "~/ui/dialogs/dialog-footer";
import { DialogForm } from "~/ui/dialogs/dialog-form";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import { useReply } from "~/ui/forms/use-reply";
import { useReplyToast } from "~/ui/toasts/use-toasts";

/** The dialog for blocking a player, or unblocking one. */
export function BlockDialog({ name, hasBlocked, closeTo }: { name: string; hasBlocked: boolean; closeTo: string }) {
  useReplyToast(useReply<ToastReply>());
  const busy = useNavigation().formMethod === "POST";
  return (
    <RouteDialog title={hasBlocked ? "Unblock" : "Block"} player={name} closeTo={closeTo} isQuestion>
      <p className="wrap-anywhere">
        {hasBlocked
          ? `You and ${name} can message each other again. They aren't notified.`
          : `You and ${name} won't be able to message or invite each other, or see or ask to join each other's posts. In group chats, their messages are hidden from you. They aren't notified, but they'll see that they can't message you. You can unblock them here or in your settings.`}
      </p>
      <DialogForm className="mt-5">
        <DialogFooter closeTo={closeTo}>
          {hasBlocked ? (
            <Button name="intent" value="unblock" variant="primary" busy={busy} busyLabel="Unblocking">
              Unblock
            </Button>
          ) : (
            <Button name="intent" value="block" variant="danger-filled" busy={busy} busyLabel="Blocking">
              Block
            </Button>
          )}
        </DialogFooter>
      </DialogForm>
    </RouteDialog>
  );
}
