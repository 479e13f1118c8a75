import { Link } from "~/ui/link";

/** The search parameter that shows the reason given by an organiser whom the viewer has blocked. */
export const SHOW_REASON = "reason";

/** Replaces the reason for a disqualification by an organiser whom the viewer has blocked. */
export const HiddenReason = () => (
  <p>
    An organiser you blocked gave the reason.{" "}
    <Link to={`?${SHOW_REASON}`} preventScrollReset className="link">
      Show
    </Link>
  </p>
);
