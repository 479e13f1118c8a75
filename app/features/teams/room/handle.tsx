import { useId } from "react";
import { CopyButton } from "~/ui/copy-button";

/** A player's Riot ID or Discord tag (`value`) with its label (`name`). The viewer's own has no copy button. */
export function Handle({ name, value, isOwn }: { name: string; value: string | null; isOwn: boolean }) {
  const id = useId();
  return (
    <div className="room-handle">
      <dt>{name}</dt>
      <dd>
        <span id={id} dir="auto" data-missing={value ? undefined : ""}>
          {value ?? "not added"}
        </span>
        {value && !isOwn && <CopyButton text={value} variant="quiet" size="row" aria-describedby={id} />}
      </dd>
    </div>
  );
}
