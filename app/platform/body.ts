/** How much of a body that is too large is still read, in bytes: the connection survives a body that was read to its end. */
const PATIENCE = 4 * 1024 * 1024;

/**
 * Reads a request's body, up to a limit; no form of ours comes near it.
 * @param limit in bytes
 * @returns the bytes, or null when there are more
 */
export async function readLimitedBody(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Number(request.headers.get("Content-Length") ?? 0) > PATIENCE) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (request.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
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
