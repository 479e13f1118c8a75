import { Button, ButtonLink } from "~/ui/button";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import { TextField } from "~/ui/forms/field";
import "~/shell";

/** The dialog specimen. */
export default function ComponentsDialog() {
  return (
    <RouteDialog title="Contact" player="Sørina" closeTo="/dev/components">
      <TextField
        id="dev-dialog-message"
        name="dialogMessage"
        label="Message"
        defaultValue="Hi! I saw your LFG post and would like to play."
      />
      <div className="mt-6 flex justify-end gap-2">
        <ButtonLink to="/dev/components" variant="quiet" preventScrollReset>
          Cancel
        </ButtonLink>
        <Button type="button" variant="primary">
          Send Message
        </Button>
      </div>
    </RouteDialog>
  );
}
