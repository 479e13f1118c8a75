import { isApi } from "./origin";

/** Builds a response without a page: JSON with `error` for the API, a plain sentence elsewhere. */
export function plainAnswer(
  request: Request,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): Response {
  if (isApi(request)) return Response.json({ error: text }, { status, headers });
  return new Response(text, { status, headers: { "Content-Type": "text/plain; charset=utf-8", ...headers } });
}
