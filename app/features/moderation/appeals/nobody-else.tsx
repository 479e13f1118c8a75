import { Notice } from "~/ui/notice";

/** Explains who answers appeals against a moderator's decisions while there is no other moderator. */
export function NobodyElse() {
  return (
    <Notice title="You're the only moderator" className="mb-6">
      Nobody answers appeals against their own decisions. Yours wait for an admin at the command line:{" "}
      <code>npm run admin -- appeals</code>
    </Notice>
  );
}
