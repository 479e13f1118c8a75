import type { SubmissionResult } from "@conform-to/react";
import type { Toast } from "./toast";

/** What an action answers when a form could not be taken: conform's account of it, and the toast that says so. */
export interface FormReply {
  result: SubmissionResult;
  toast: Toast;
}

/** What an action answers that has no fields to speak of. */
export type ToastReply = Pick<FormReply, "toast">;
