import { useState } from "react";
import { Button } from "./button";
import { useScripted } from "./hooks/use-scripted";

/** Copies a text that stands beside it, where it can be selected as well. Needs script, and is there with script. */
export function CopyButton({ text, className = "" }: { text: string; className?: string }) {
  const scripted = useScripted();
  const [copied, setCopied] = useState<string | null>(null);
  if (!scripted) return null;
  // Where the browser doesn't allow it, nothing is said to be copied.
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
