import { type ComponentProps, useState } from "react";
import { TextField } from "~/ui/field";
import { PLAYSTYLES } from "./playstyles";
import { MAX_TAG_LENGTH, MAX_TAGS, MAX_TAGS_TEXT } from "./profile-rules";

/** `Personality Tags`: words with commas between them. Script goes on offering tags after the first comma. */
export function TagsField(field: Omit<ComponentProps<typeof TextField>, "list">) {
  const [typed, setTyped] = useState(String(field.defaultValue ?? ""));
  const before = typed.slice(0, typed.lastIndexOf(",") + 1);
  const list = `${field.id}-offers`;
  return (
    <>
      <TextField
        {...field}
        list={list}
        maxLength={MAX_TAGS_TEXT}
        autoComplete="off"
        hint={`Up to ${MAX_TAGS} of at most ${MAX_TAG_LENGTH} characters, with commas between them: calm, early caller.`}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <datalist id={list}>
        {PLAYSTYLES.filter((tag) => !before.includes(tag)).map((tag) => (
          <option key={tag} value={before ? `${before} ${tag}` : tag} />
        ))}
      </datalist>
    </>
  );
}
