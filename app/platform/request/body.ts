/** What a request's body may be. Bytes. */
export interface BodyLimit {
  /** So much is kept; no form of ours comes near it. */
  limit: number;
  /** So much of one that is too large is still read, and dropped: the connection survives a body that was read to its end. */
  patience: number;
}

/**
 * Reads the body of a request, or of another server's answer, up to a limit. Never more than the limit is held in memory.
 * @returns the bytes, or null when there are more
 */
export async function readLimitedBody(
  message: Pick<Request, "headers" | "body">,
  { limit, patience }: BodyLimit,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Number(message.headers.get("Content-Length") ?? 0) > patience) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (message.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > patience) return null;
    if (size <= limit) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (size > limit) return null;
  const body = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return body;
}
