import type { FormReply } from "~/platform/forms/forms";
import { Link } from "../link";

/** A link to the page where the player can continue after a refused form, or that explains the refusal. */
export function NextStep({ next, onFollow }: { next: FormReply["next"]; onFollow?: () => void }) {
  if (!next) return null;
  return (
    <p>
      <Link
        to={next.to}
        target={next.inNewTab ? "_blank" : undefined}
        onClick={onFollow}
        className="link font-semibold"
      >
        {next.label}
      </Link>
    </p>
  );
}
