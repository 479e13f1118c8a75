import { type ComponentProps, useState } from "react";
import { TextField } from "~/ui/forms/field";
import { foldTag } from "../directory/facets";
import { PLAYSTYLES } from "./playstyles";
import { MAX_TAG_LENGTH, MAX_TAGS, MAX_TAGS_TEXT, splitTags } from "./profile-rules";

/** `Personality Tags`: words with commas between them. Script offers some, to be put in and taken out by a press. */
export function TagsField(field: ComponentProps<typeof TextField>) {
  const [typed, setTyped] = useState(String(field.defaultValue ?? ""));
  const tags = splitTags(typed);
  const has = (tag: string) => tags.some((one) => foldTag(one) === tag);

  function toggle(tag: string) {
    const next = (has(tag) ? tags.filter((one) => foldTag(one) !== tag) : [...tags, tag]).join(", ");
    const input = document.getElementById(field.id);
    if (!(input instanceof HTMLInputElement)) return;
    input.value = next;
    // As if it had been typed: `onInput` below hears of it, and so does the form.
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }

  return (
    <>
      <TextField
        {...field}
        limit={MAX_TAGS_TEXT}
        autoComplete="off"
        hint={`Up to ${MAX_TAGS} of at most ${MAX_TAG_LENGTH} characters, with commas between them.`}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      {/* biome-ignore lint/a11y/useSemanticElements: it holds buttons, not fields */}
      <div role="group" aria-label="Often chosen tags" className="mt-2 flex flex-wrap gap-1.5 noscript:hidden">
        {PLAYSTYLES.map((tag) => (
          <button
            key={tag}
            type="button"
            aria-pressed={has(tag)}
            disabled={tags.length >= MAX_TAGS && !has(tag)}
            onClick={() => toggle(tag)}
            className="choice tag-choice"
          >
            {tag}
          </button>
        ))}
      </div>
    </>
  );
}
