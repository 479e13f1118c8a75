import { type DefaultValue, type FieldMetadata, useForm } from "@conform-to/react";
import { useNavigation } from "@remix-run/react";
import { type FormEvent, useState } from "react";
import { type FormReply, SECRET_FIELDS } from "~/platform/forms/forms";
import { useReplyToast } from "../toasts/use-toasts";
import type { FieldProblem } from "./error-summary";

/**
 * Sets up a form whose rules are on the server: shows the action's reply, keeps the entered values, and determines the
 * first invalid field. With JavaScript a field's error disappears once its value changes, because only the server can
 * check it again. The browser's own checks (`required`, `type=email`) serve players without JavaScript.
 * @param options.labels the fields in their order on the page, with their labels
 * @param options.onInput called when anything in the form changes. Pass it here and not to the form, which gets its
 *   `onInput` from `formProps`
 */
export function useServerForm<Fields extends Record<string, unknown>>(options: {
  id: string;
  reply: FormReply | undefined;
  defaultValue?: DefaultValue<Fields>;
  labels: Partial<Record<keyof Fields & string, string>>;
  onInput?: () => void;
}) {
  const { id, reply, defaultValue, labels } = options;
  const [form, fields] = useForm<Fields>({
    id,
    ...(reply && { lastResult: reply.result }),
    ...(defaultValue && { defaultValue }),
    defaultNoValidate: false,
  });
  const navigation = useNavigation();
  const busy = navigation.state !== "idle" && navigation.formMethod === "POST";

  useReplyToast(reply);

  const [edited, setEdited] = useState<{ reply?: FormReply | undefined; names: readonly string[] }>({ names: [] });
  const names = edited.reply === reply ? edited.names : [];
  // Taken from the reply, not from conform's state, so that a cleared reply leaves no errors behind.
  const errors = reply?.result.error ?? {};
  const entered = reply?.result.initialValue;
  const onInput = ({ target }: FormEvent<HTMLFormElement>) => {
    const { name } = target as HTMLInputElement;
    if (errors[name] && !names.includes(name)) setEdited({ reply, names: [...names, name] });
    options.onInput?.();
  };
  const problems: FieldProblem[] = Object.entries(labels).flatMap(([name, label]) => {
    const field = fields[name as keyof typeof fields] as FieldMetadata<unknown>;
    // A secret is never sent back, so an empty one doesn't mean that it was missing.
    const missing = !SECRET_FIELDS.includes(name) && !String(entered?.[name] ?? "").trim();
    const edited = names.includes(name);
    return (errors[name] ?? []).map((message) => ({
      fieldId: field.id,
      label: label as string,
      message,
      missing,
      edited,
    }));
  });
  const firstProblem = problems[0]?.fieldId;

  /**
   * Returns the props that every field of `ui/forms/field.tsx` accepts. For a hidden field, use `defaultValue` as its
   * value.
   */
  const props = (name: keyof Fields & string) => {
    const field = fields[name as keyof typeof fields] as FieldMetadata<unknown>;
    return {
      id: field.id,
      name,
      label: labels[name] ?? name,
      errors: (!names.includes(name) && errors[name]) || [],
      // conform uses a reply's values only when the form is mounted. This makes later replies update hidden fields,
      // such as an id that was used up, and fill fields that the form didn't have before.
      defaultValue: ((entered?.[name] ?? field.initialValue) as string | undefined) ?? "",
      // Sets the focus without JavaScript; with JavaScript, the error summary sets it.
      autoFocus: field.id === firstProblem,
    };
  };
  const formProps = { id: form.id, noValidate: form.noValidate, onSubmit: form.onSubmit, onInput };
  return { formProps, fields, props, busy, summary: { errors: problems, formErrors: errors[""] ?? [] } };
}
