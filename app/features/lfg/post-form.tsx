import { RANKS } from "~/game/ranks";
import { REGIONS } from "~/game/regions";
import { ROLES } from "~/game/roles";
import type { FormReply } from "~/platform/forms/forms";
import { Button } from "~/ui/button";
import { DialogFooter } from "~/ui/dialogs/dialog-footer";
import { DialogForm } from "~/ui/dialogs/dialog-form";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { SelectField, TextAreaField, TextField } from "~/ui/forms/field";
import { GlyphSelect } from "~/ui/forms/glyph-select";
import { NextStep } from "~/ui/forms/next-step";
import { useServerForm } from "~/ui/forms/use-server-form";
import { RankGlyph, RoleGlyph } from "~/ui/icons";
import { PlayersNeededField } from "./players-needed-field";
import { MAX_MESSAGE_LENGTH, MAX_TITLE_LENGTH } from "./rules";

/** The form's field values, as text. */
interface PostFormValues {
  /** The id of the future post; absent when editing one. */
  id?: string;
  /** The version of the edited post (`postVersion`). */
  version?: string;
  title?: string;
  message?: string;
  neededPlayers?: string;
  requiredRank?: string;
  requiredRole?: string;
  region?: string;
}

/**
 * The form for a new or edited post. `letter` is the first letter of the author's name, for the banner beside the open
 * spots.
 */
export function PostForm({
  reply,
  values,
  letter,
  submit,
  closeTo,
}: {
  reply: FormReply | undefined;
  values: PostFormValues;
  letter: string;
  submit: string;
  closeTo: string;
}) {
  const { formProps, props, summary, busy } = useServerForm<Required<PostFormValues>>({
    id: "post",
    reply,
    defaultValue: values,
    labels: {
      title: "Title",
      message: "Message",
      neededPlayers: "Players Needed",
      requiredRank: "Required Rank",
      requiredRole: "Required Role",
      region: "Region",
    },
  });
  const formErrors = [...summary.formErrors, ...(reply?.result.error?.id ?? [])];
  const { label: _, ...players } = props("neededPlayers");
  return (
    <DialogForm {...formProps} className="grid gap-[18px]">
      <ErrorSummary errors={summary.errors} formErrors={formErrors} className="mb-0.5" />
      <NextStep next={reply?.next} />
      {values.id && <input type="hidden" name="id" value={props("id").defaultValue} />}
      {values.version && <input type="hidden" name="version" value={props("version").defaultValue} />}
      <TextField {...props("title")} limit={MAX_TITLE_LENGTH} required autoComplete="off" />
      <TextAreaField {...props("message")} limit={MAX_MESSAGE_LENGTH} optional />
      <PlayersNeededField {...players} letter={letter} />
      <div className="grid gap-[18px] md:grid-cols-2 md:gap-x-4">
        <GlyphSelect
          {...props("requiredRank")}
          options={RANKS}
          glyph={(rank) => <RankGlyph rank={rank} className="size-5 noscript:hidden" />}
        />
        <GlyphSelect
          {...props("requiredRole")}
          options={ROLES}
          glyph={(role) => <RoleGlyph role={role} className="size-[18px] noscript:hidden" />}
        />
        <SelectField {...props("region")} optional>
          <option value="" />
          {REGIONS.map((region) => (
            <option key={region}>{region}</option>
          ))}
        </SelectField>
      </div>
      <DialogFooter closeTo={closeTo} note="Closes by itself after 24 hours.">
        <Button variant="primary" busy={busy} busyLabel="Saving" className="max-md:flex-1">
          {submit}
        </Button>
      </DialogFooter>
    </DialogForm>
  );
}
