import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import * as z from "zod";
import { randomId } from "#db/ids";
import { carryOutFollowUps } from "~/features/follow-ups/shared/queue.server";
import { announceUpload, replaceAvatar } from "~/features/players/commands.server";
import { PictureForm } from "~/features/players/picture/picture-form";
import { MAX_PICTURE_BYTES, MAX_PICTURE_SIDE } from "~/features/players/picture/picture-limits";
import { storePicture } from "~/features/players/picture/pictures.server";
import { type Picture, type PictureProblem, readPicture } from "~/features/players/picture/strip-metadata";
import { SAVING_FAILED } from "~/features/players/profile/profile-rules";
import { answerForm } from "~/platform/forms/answer-form.server";
import { type FormReply, offlineAction } from "~/platform/forms/forms";
import type { FormFailure } from "~/platform/forms/forms.server";
import { privatePage } from "~/platform/pages/page-meta";
import { notFound } from "~/platform/request/not-found.server";
import { requireViewer } from "~/platform/session/guards.server";
import { OUTDATED, reloadDialogIfOutdated } from "~/ui/dialogs/dialogs";
import { RouteDialog } from "~/ui/dialogs/route-dialog";
import { useReply } from "~/ui/forms/use-reply";
import "~/shell";

const PROFILE = "/dashboard/profile";

export const meta: MetaFunction = () => privatePage("Profile Picture");

export async function loader({ request, context }: LoaderFunctionArgs) {
  if (!context.env.AVATARS) notFound(context, request);
  const { letter, avatarId } = await requireViewer(context, request);
  return { letter, picture: avatarId };
}

/** After a refused removal, the dialog loads again and shows the current picture. */
export const shouldRevalidate = reloadDialogIfOutdated;

/** Uploads a picture, replacing the previous one, or removes the one that the page has `shown` (`intent`). */
export async function action(args: ActionFunctionArgs) {
  const { context, request } = args;
  const { AVATARS: bucket } = context.env;
  if (!bucket) notFound(context, request);
  const form = await request.formData();
  const removes = form.get("intent") === "remove";
  const shown = form.get("shown");
  const picture = removes ? null : await readUpload(form.get("picture"), context.isTooLarge);
  const id = picture === null || typeof picture === "string" ? null : randomId();
  return answerForm(args, {
    // A file can't be put back into its field, so there is nothing to keep.
    schema: z.object({}),
    form: new FormData(),
    failed: SAVING_FAILED,
    limit: "picture",
    to: PROFILE,
    alongside: (claim) => (id === null ? undefined : announceUpload(context, claim, id)),
    async run({ viewer }) {
      if (typeof picture === "string") return { ...PROBLEMS[picture], field: "picture" };

      try {
        if (picture && id) await storePicture(bucket, id, picture);
      } catch (error) {
        context.log.error("A picture could not be stored", error);
        return { ...UNAVAILABLE, field: "picture" };
      }
      const { avatarId } = viewer;
      // A picture may have been uploaded elsewhere since the page with the button was loaded, so a removal removes only
      // the one that the page showed. An upload replaces any picture. A removal does so, too, if its page was opened
      // before the form named the picture.
      const from = removes && shown !== null ? String(shown) : avatarId;
      // If the response to a removal was lost, the player may press the button again.
      const isDone = removes && avatarId === null;
      const isReplaced = isDone || (await replaceAvatar(context, viewer.id, from, id));
      context.defer(() => carryOutFollowUps(context, { kind: "player", id: viewer.id }));
      if (!isReplaced) {
        return {
          status: 409,
          error: "Your picture has changed since you opened this page. Check it first.",
          more: OUTDATED,
        };
      }
      const description = removes ? "Your picture has been removed." : "Your picture has been saved.";
      return { title: "Profile updated!", description };
    },
  });
}

type UploadProblem = PictureProblem | "missing" | "too-large";

/** Reads the uploaded picture, or finds out what is wrong with it. The file's name and declared type are ignored. */
async function readUpload(file: File | string | null, isTooLarge: boolean): Promise<Picture | UploadProblem> {
  if (isTooLarge) return "too-large";
  if (!(file instanceof File) || file.size === 0) return "missing";
  if (file.size > MAX_PICTURE_BYTES) return "too-large";
  return readPicture(new Uint8Array(await file.arrayBuffer()));
}

const UNAVAILABLE: FormFailure = {
  status: 503,
  error: "Lineup can't store pictures right now. Try again in a moment.",
};

const PROBLEMS: Record<UploadProblem, FormFailure> = {
  missing: { status: 400, error: "Choose a picture first." },
  "too-large": { status: 413, error: "This file is larger than 1 MB. Choose a smaller one." },
  unknown: { status: 400, error: "Choose a PNG, JPEG or WebP picture." },
  broken: { status: 400, error: "This picture is damaged or cut off. Save it again, or choose another." },
  animated: { status: 400, error: "Choose a picture that isn't animated." },
  "side-too-long": { status: 400, error: `Choose a picture up to ${MAX_PICTURE_SIDE} pixels wide and high.` },
};

export const clientAction = offlineAction(SAVING_FAILED, "Lineup can't be reached from here. Try again in a moment.");

export default function PictureDialog() {
  const { letter, picture } = useLoaderData<typeof loader>();
  const reply = useReply<FormReply>();
  return (
    <RouteDialog title="Profile Picture" closeTo={PROFILE}>
      <PictureForm letter={letter} picture={picture} reply={reply} closeTo={PROFILE} />
    </RouteDialog>
  );
}
