import { type SQL, sql } from "drizzle-orm";
import { MAX_OPEN_POSTS } from "../rules";

/**
 * Whether a player may have one more post open. Asked inside the statement that opens one, it holds however many are
 * sent at once.
 * @param userId an SQL expression
 * @param postId the post that is about to open, which doesn't count
 * @param now milliseconds since 1970
 */
export const hasRoomForPost = (userId: SQL, postId: SQL, now: number) => sql`(
  SELECT count(*) FROM lfg_posts AS other
  WHERE other.user_id = ${userId} AND other.is_active = 1 AND other.expires_at > ${now} AND other.id <> ${postId}
) < ${MAX_OPEN_POSTS}`;
