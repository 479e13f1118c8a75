import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { uuidv7 } from "#db/ids";
import {
  CaseActions,
  CaseDecisions,
  CaseFacts,
  CaseNotes,
  CasePlayer,
  CaseReports,
  CaseThing,
} from "~/features/moderation/case/case-page";
import { addNote, assignCase } from "~/features/moderation/case/commands.server";
import { presentCase } from "~/features/moderation/case/present.server";
import { findCasePage } from "~/features/moderation/case/queries.server";
import { ModerationHead } from "~/features/moderation/page-head";
import { noteSchema } from "~/features/moderation/schema";
import {
  findModerator,
  requireClaimedModeratorId,
  requireModerator,
} from "~/features/moderation/shared/require-moderator.server";
import { findUnreadNews, resolveNewsLater } from "~/features/notifications/shared/notify.server";
import { subjectOf } from "~/features/notifications/shared/subjects";
import { type Answer, answerButton, answerForm } from "~/platform/forms/answer-form.server";
import type { FormReply, ToastReply } from "~/platform/forms/forms";
import { privatePage } from "~/platform/pages/page-meta";
import { notFound } from "~/platform/request/not-found.server";
import { idParam } from "~/platform/request/params.server";
import { reloadIfOutdated } from "~/ui/dialogs/dialogs";
import { useReply } from "~/ui/forms/use-reply";
import { useReplyToast } from "~/ui/toasts/use-toasts";
import "~/shell";

/** The browser restored the form after going back, and a different note was already added from it. */
const NOTE_USED = { status: 409, error: "This form has already added a note. Send again to add this one, too." };

export const meta: MetaFunction<typeof loader> = ({ data }) => privatePage(data?.title ?? "Case");

/** If a button is refused because somebody else has changed the case, the page shows who has it now. */
export const shouldRevalidate = reloadIfOutdated;

export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = idParam(params, "caseId", context, request);
  const userId = requireClaimedModeratorId(context, request);
  const [viewer, news, found, clock] = await Promise.all([
    requireModerator(context, request),
    findUnreadNews(context.db, userId, subjectOf("case", id)),
    findCasePage(context.db, id, userId),
    context.clock(),
  ]);
  if (!found) notFound(context, request);
  resolveNewsLater(context, viewer.id, news);
  return { ...presentCase(found, viewer, clock), noteId: uuidv7(context.now.getTime()) };
}

/** Adds a note, or assigns the case. */
export async function action(args: ActionFunctionArgs) {
  const { params, request, context } = args;
  const id = idParam(params, "caseId", context, request);
  const form = await request.formData();
  const intent = form.get("intent");
  if (intent === "take" || intent === "release") {
    return answerButton(args, {
      viewer: requireModerator,
      limit: "moderation",
      async run({ viewer }): Promise<Answer> {
        const to = intent === "take" ? viewer.id : null;
        const from = String(form.get("from") ?? "") || null;
        const { isAssigned, holder } = await assignCase(context, { userId: viewer.id }, id, to, from);
        if (holder === undefined) return "missing";
        // If a browser lost the response and sent the form again, the case already has the wanted holder. If it still
        // has none, this moderator can't take it, and the page says why.
        if (isAssigned || holder === to || holder === null) return {};
        return { status: 409, error: "Another moderator is on this case. Ask them first." };
      },
    });
  }
  return answerForm(args, {
    schema: noteSchema,
    form,
    failed: "Error adding the note",
    viewer: findModerator,
    limit: "moderation",
    async run({ value, viewer }) {
      const outcome = await addNote(context, { userId: viewer.id }, { ...value, caseId: id });
      if (outcome === "used") return { ...NOTE_USED, renewed: { id: uuidv7(context.now.getTime()) } };
      return outcome === "added" ? { title: "Note added" } : outcome;
    },
  });
}

export default function CasePage() {
  const shown = useLoaderData<typeof loader>();
  const reply = useReply<ToastReply & Partial<FormReply>>();
  const noteReply = reply?.result && (reply as FormReply);
  // The form for notes shows its own toast.
  useReplyToast(noteReply ? undefined : reply);
  return (
    <>
      <ModerationHead back={{ to: "/moderation", name: "Moderation" }} title={shown.title}>
        <CaseFacts {...shown} />
      </ModerationHead>
      <div className="grid gap-8">
        <CaseActions {...shown} />
        <CaseThing {...shown} />
        <div className="grid gap-8 md:grid-cols-2">
          <div className="grid content-start gap-8">
            <CaseReports {...shown} />
            <CaseDecisions {...shown} />
          </div>
          <div className="grid content-start gap-8">
            <CasePlayer {...shown} />
            <CaseNotes key={shown.ownNotes} {...shown} reply={noteReply} />
          </div>
        </div>
      </div>
    </>
  );
}
