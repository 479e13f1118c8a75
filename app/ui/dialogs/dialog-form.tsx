import { Form, type FormProps } from "@remix-run/react";
import { forwardRef } from "react";

/**
 * The form of a dialog. The page that its response leads to takes the dialog's place in the browser's history, so Back
 * doesn't open a form that was already sent. Without JavaScript, a form can't do that.
 */
export const DialogForm = forwardRef<HTMLFormElement, Omit<FormProps, "method" | "replace">>((props, ref) => (
  <Form method="post" replace {...props} ref={ref} />
));
