import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { findReportedPicture } from "~/features/moderation/case/queries.server";
import { requireClaimedModeratorId, requireModerator } from "~/features/moderation/shared/require-moderator.server";
import { serveEvidence } from "~/features/players/picture/pictures.server";
import { notFound } from "~/platform/request/not-found.server";
import { idParam } from "~/platform/request/params.server";

/**
 * Serves the picture of a case as it was reported, even after its player has replaced or removed it; with `?report=ID`,
 * the one that the author of that report saw.
 */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const id = idParam(params, "caseId", context, request);
  const userId = requireClaimedModeratorId(context, request);
  const [, picture] = await Promise.all([
    requireModerator(context, request),
    findReportedPicture(context.db, id, new URL(request.url).searchParams.get("report"), userId),
  ]);
  const { AVATARS: bucket } = context.env;
  const answer = picture && bucket ? await serveEvidence(bucket, picture) : null;
  return answer ?? notFound(context, request);
}
