import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { servePicture } from "~/features/players/picture/pictures.server";

/** Serves a player's picture. Anyone who has its key may see it: pages show it to everyone. */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const { AVATARS: bucket } = context.env;
  const picture = bucket && (await servePicture(bucket, params.avatarId ?? "", request.headers.get("If-None-Match")));
  return picture ?? new Response("There's no such picture.", { status: 404 });
}
