import { useNavigation } from "@remix-run/react";
import { useEffect, useState } from "react";
import type { FormReply } from "~/platform/forms/forms";
import { Avatar } from "~/ui/avatar";
import { Button } from "~/ui/button";
import { DialogForm } from "~/ui/dialogs/dialog-form";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { TextField } from "~/ui/forms/field";
import { useServerForm } from "~/ui/forms/use-server-form";
import { useIsHydrated } from "~/ui/hooks/use-is-hydrated";
import { Link } from "~/ui/link";
import { MAX_PICTURE_BYTES, PICTURE_TYPES } from "./picture-limits";
import { shrinkPicture } from "./shrink-picture";

const LEFT_OUT = "We remove extra data from the file, like where the picture was taken.";

/** A form to upload a picture in place of the current one, with a button to remove it. */
export function PictureForm({
  letter,
  picture,
  reply,
  closeTo,
}: {
  letter: string;
  picture: string | null;
  reply: FormReply | undefined;
  closeTo: string;
}) {
  const { formProps, props, summary } = useServerForm<{ picture: string }>({
    id: "picture",
    reply,
    labels: { picture: "Picture" },
  });
  const [isTooLarge, setIsTooLarge] = useState(false);
  const [isShrinking, setShrinking] = useState(false);
  const isHydrated = useIsHydrated();
  const { formData } = useNavigation();
  const running = formData && (formData.get("intent") === "remove" ? "remove" : "upload");
  const { defaultValue: _, ...field } = props("picture");

  async function prepareFile(input: HTMLInputElement) {
    const file = input.files?.[0];
    setIsTooLarge(false);
    setShrinking(file !== undefined);
    if (!file) return;
    const shrunk = await shrinkPicture(file);
    // Another file was chosen in the meantime, and has its own call.
    if (input.files?.[0] !== file) return;
    if (shrunk !== file) {
      const files = new DataTransfer();
      files.items.add(shrunk);
      input.files = files.files;
    }
    // Checked before sending, since a large upload would take a long time only to be refused.
    setIsTooLarge(shrunk.size > MAX_PICTURE_BYTES);
    setShrinking(false);
  }

  // The player may have chosen a file before hydration.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, after hydration
  useEffect(() => {
    const input = document.getElementById(field.id);
    if (input instanceof HTMLInputElement && input.files?.length) prepareFile(input);
  }, []);

  return (
    <DialogForm encType="multipart/form-data" {...formProps} className="grid gap-5">
      <ErrorSummary errors={summary.errors} formErrors={summary.formErrors} atFields />
      {picture && <input type="hidden" name="shown" value={picture} />}
      <div className="flex items-start gap-5">
        <Avatar letter={letter} picture={picture} size="profile" />
        <TextField
          {...field}
          type="file"
          accept={PICTURE_TYPES.join()}
          errors={isTooLarge ? ["This file is larger than 1 MB. Choose a smaller one."] : field.errors}
          hint={`PNG, JPEG or WebP${isHydrated ? "; we shrink big ones first" : ", up to 1 MB"}. ${LEFT_OUT}`}
          onChange={({ currentTarget }) => prepareFile(currentTarget)}
          className="flex-1"
        />
      </div>
      <div className="flex flex-wrap items-center justify-end gap-2">
        <Link
          to={closeTo}
          preventScrollReset
          viewTransition
          className={`btn ${picture ? "max-md:hidden" : ""}`}
          data-variant="quiet"
        >
          <span>Cancel</span>
        </Link>
        {/* Enter presses a form's first button, so Remove must come second in the document. */}
        <div className="flex flex-row-reverse flex-wrap gap-2 max-md:flex-1">
          <Button
            variant="primary"
            disabled={isTooLarge}
            busy={isShrinking || running === "upload"}
            busyLabel={isShrinking ? "Shrinking" : "Uploading"}
            className="max-md:flex-1"
          >
            Upload Picture
          </Button>
          {picture && (
            <Button name="intent" value="remove" variant="danger" formNoValidate busy={running === "remove"}>
              Remove Picture
            </Button>
          )}
        </div>
      </div>
    </DialogForm>
  );
}
