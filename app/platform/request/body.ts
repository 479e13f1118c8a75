/** The limits on the body of a request or a response, in bytes. */
export interface BodyLimit {
  /** The most bytes that are kept. */
  limit: number;
  /**
   * The most bytes that are read and dropped if the body is too large, because the connection survives only if the body
   * is read to its end.
   */
  maxRead: number;
}

/**
 * Reads the body of a request or a response up to a limit. Never holds more than the limit in memory.
 * @returns the bytes, or null if there are more
 */
export async function readLimitedBody(
  message: Pick<Request, "headers" | "body">,
  { limit, maxRead }: BodyLimit,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Number(message.headers.get("Content-Length") ?? 0) > maxRead) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (message.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > maxRead) return null;
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
