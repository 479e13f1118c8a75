import { Form, useActionData, useNavigation } from "@remix-run/react";
import type { ToastReply } from "~/platform/forms/forms";
import { Button } from "~/ui/button";
import { DialogFooter } from "~/ui/dialogs/dialog-footer";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import { useReplyToast } from "~/ui/toasts/use-toasts";

/** The dialog that blocks a player, or unblocks one whom the viewer has blocked. */
export function BlockDialog({ name, hasBlocked, closeTo }: { name: string; hasBlocked: boolean; closeTo: string }) {
  useReplyToast(useActionData<ToastReply>());
  const busy = useNavigation().formMethod === "POST";
  return (
    <RouteDialog title={hasBlocked ? "Unblock" : "Block"} player={name} closeTo={closeTo}>
      <p className="wrap-anywhere">
        {hasBlocked
          ? `${name} can write to you again, and you to them. They get no notice of it.`
          : `You and ${name} won't be able to write to each other, ask each other for a spot or invite each other, and neither of you sees the other's posts. In chats with others, their messages are hidden from you. They get no notice, but they'll see that they can't write to you. You can unblock them here, or in the settings.`}
      </p>
      <Form method="post" className="mt-5">
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
      </Form>
    </RouteDialog>
  );
}
