/** How much of a body that is too large is still read, in bytes: the connection survives a body that was read to its end. */
const PATIENCE = 4 * 1024 * 1024;

/**
 * Reads the body of a request, or of another server's answer, up to a limit; no form of ours comes near it.
 * @param limit in bytes
 * @returns the bytes, or null when there are more
 */
export async function readLimitedBody(
  message: Pick<Request, "headers" | "body">,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Number(message.headers.get("Content-Length") ?? 0) > PATIENCE) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (message.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > PATIENCE) return null;
    if (size <= limit) chunks.push(chunk);
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
