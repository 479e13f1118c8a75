import { type ComponentProps, useState } from "react";
import { Button } from "./button";
import { useIsHydrated } from "./hooks/use-is-hydrated";

/**
 * Copies the text that is shown next to it, where it can also be selected. Rendered only after hydration. Takes the
 * attributes and the appearance of a button.
 */
export function CopyButton({ text, ...look }: { text: string } & Omit<ComponentProps<typeof Button>, "children">) {
  const isHydrated = useIsHydrated();
  const [copied, setCopied] = useState<string | null>(null);
  if (!isHydrated) return null;
  // If the browser refuses, the button doesn't claim success.
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(text),
      () => setCopied(null),
    );
  return (
    <Button {...look} type="button" onClick={copy}>
      {copied === text ? "Copied" : "Copy"}
    </Button>
  );
}
