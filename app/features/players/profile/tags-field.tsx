import { type ComponentProps, useState } from "react";
import { TextField } from "~/ui/forms/field";
import { foldTag } from "../directory/facets";
import { PLAYSTYLES } from "./playstyles";
import { MAX_TAG_LENGTH, MAX_TAGS, MAX_TAGS_TEXT } from "./profile-rules";
import { splitTags } from "./tags";

/** `Personality Tags`: a comma-separated text. With JavaScript, buttons add and remove suggested tags. */
export function TagsField(field: ComponentProps<typeof TextField>) {
  const [typed, setTyped] = useState(String(field.defaultValue ?? ""));
  const tags = splitTags(typed);
  const has = (tag: string) => tags.some((one) => foldTag(one) === tag);

  function toggle(tag: string) {
    const next = (has(tag) ? tags.filter((one) => foldTag(one) !== tag) : [...tags, tag]).join(", ");
    const input = document.getElementById(field.id);
    if (!(input instanceof HTMLInputElement)) return;
    input.value = next;
    // Dispatched as if typed, so that `onInput` below and the form notice it.
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }

  return (
    <>
      <TextField
        {...field}
        limit={MAX_TAGS_TEXT}
        autoComplete="off"
        hint={`Up to ${MAX_TAGS}, separated by commas, each up to ${MAX_TAG_LENGTH} characters.`}
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
