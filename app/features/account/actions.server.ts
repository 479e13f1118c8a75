import type { ActionFunctionArgs } from "@remix-run/cloudflare";
import type { RequestContext } from "~/platform/context";
import { longDate } from "~/platform/dates/dates";
import { answerButton, answerForm } from "~/platform/forms/answer-form.server";
import { isRecent } from "~/platform/session/guards.server";
import type { RestrictedViewer, Viewer } from "~/platform/session/viewer";
import { keepAccount, scheduleDeletion } from "./deletion.server";
import { DELETION_FAILED } from "./deletion-failed";
import type { DeletionPageData } from "./rules";
import { deletionSchema } from "./schema";

/** Finds the player who sent a request. */
type Find = (context: RequestContext, request: Request) => Promise<Viewer>;

/** One of the two `Delete Account` pages: the usual one, or the one for suspended players. */
interface DeletionPage {
  /** The page's address. */
  page: string;
  /** The page to which a cancelled deletion leads. */
  home: string;
  /** Finds the player who keeps the account. */
  find: Find;
  /** Finds the player who deletes the account, whose sign-in must be recent. */
  findRecent: Find;
}

/** Loads the page `Delete Account`. */
export async function loadDeletion(
  context: RequestContext,
  viewer: RestrictedViewer,
  addresses: Pick<DeletionPageData, "page" | "exportPage">,
): Promise<DeletionPageData> {
  const { deletionDueAt, isSuspended } = viewer;
  return {
    dueOn: deletionDueAt && longDate(deletionDueAt, await context.clock()),
    isRecent: isRecent(viewer, context.now),
    isSuspended,
    ...addresses,
  };
}

/** Handles the form that deletes the account, and the button that keeps it. */
export async function changeDeletion(args: ActionFunctionArgs, page: DeletionPage) {
  const form = await args.request.formData();
  return form.get("intent") === "keep" ? keep(args, page) : remove(args, form, page);
}

const remove = (args: ActionFunctionArgs, form: FormData, { page, findRecent }: DeletionPage) =>
  answerForm(args, {
    schema: deletionSchema,
    form,
    failed: DELETION_FAILED,
    limit: "deletion",
    viewer: findRecent,
    async run({ value, viewer }) {
      const { context } = args;
      if (value.email !== viewer.email) {
        return { status: 400, field: "email", error: "That's not your account's email address." };
      }
      const date = await scheduleDeletion(context, viewer, page);
      return {
        to: "/auth",
        title: `Your account will be deleted on ${date}`,
        description: "Sign in before then to keep it.",
      };
    },
  });

const keep = (args: ActionFunctionArgs, { page, home, find }: DeletionPage) =>
  answerButton(args, {
    failed: "Error keeping account",
    refusedTo: page,
    limit: "deletion",
    viewer: find,
    async run({ viewer }) {
      if (!(await keepAccount(args.context, viewer.id))) {
        return { status: 409, error: "It's too late to keep this account." };
      }
      const description = "Closed posts and cancelled tournaments stay that way.";
      return { to: home, title: "Your account stays", description };
    },
  });
