import { useState } from "react";
import { Button } from "./button";
import { useIsHydrated } from "./hooks/use-is-hydrated";

/** Copies a text that is shown next to it, where it can also be selected. Rendered only after hydration. */
export function CopyButton({ text, className = "" }: { text: string; className?: string }) {
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
    <Button type="button" onClick={copy} className={className}>
      {copied === text ? "Copied" : "Copy"}
    </Button>
  );
}
