import { useEffect, useState } from "react";
import "./shell";

/**
 * A moment, said relatively ("about 2 hours ago"), with the exact date as title.
 *
 * @param iso the moment, ISO 8601
 * @param ago its words, made on the server, so that both renderings agree
 * @param title the exact date as the server knows it (UTC); in the browser it becomes the player's own local date
 */
export function RelativeTime({
  iso,
  ago,
  title,
  className,
}: {
  iso: string;
  ago: string;
  title: string;
  className?: string;
}) {
  const [local, setLocal] = useState<string>();
  useEffect(() => {
    setLocal(new Date(iso).toLocaleString(undefined, { dateStyle: "full", timeStyle: "short" }));
  }, [iso]);
  return (
    <time dateTime={iso} title={local ?? title} className={className}>
      {ago}
    </time>
  );
}
