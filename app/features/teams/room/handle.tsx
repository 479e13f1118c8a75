import { useId } from "react";
import { CopyButton } from "~/ui/copy-button";

/** A player's name in the game or on Discord. It can be selected and, unless it is the viewer's own, copied. */
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
