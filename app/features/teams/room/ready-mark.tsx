import { CheckIcon } from "~/ui/icons";

/** Marks a member who has pressed `Ready`. */
export function ReadyMark() {
  return (
    <span className="room-ready">
      <CheckIcon className="size-4" />
      Ready
    </span>
  );
}
