import { HiddenNotice } from "~/features/moderation/shared/hidden-notice";

/** Tells the organisers of a hidden tournament why its pages offer so little. */
export const HiddenTournament = ({ className }: { className: string }) => (
  <HiddenNotice title="Moderators have hidden this tournament." className={className}>
    Only its organisers can still see it. Nobody can register or play until it is shown again.
  </HiddenNotice>
);
