const normaliseText = (text: string) => text.replace(/\r\n?/g, "\n").trim();

/** Prepares a field's values for comparison: normalises and sorts them, and drops empty ones. */
const normalise = (values: readonly unknown[]) =>
  values
    .map((value) => normaliseText(String(value)))
    .filter(Boolean)
    .sort();

/**
 * Whether a form differs from the saved values. Spaces around a text and the order of several choices don't count.
 * @param saved the fields to compare, by name
 */
export function differsFromSaved(
  saved: Readonly<Record<string, string | readonly string[]>>,
  entries: FormData,
): boolean {
  return Object.entries(saved).some(
    ([name, value]) => normalise(entries.getAll(name)).join("\0") !== normalise([value].flat()).join("\0"),
  );
}
