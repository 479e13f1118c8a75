import { randomUUID } from "node:crypto";
import { type LocalServer, serveFetch } from "./http";

export interface TurnstileStandIn extends LocalServer {
  siteKey: string;
  secretKey: string;
  /** Issues a token like the widget's, valid once for a form of this purpose. */
  issue(action: string): string;
  /** Whether siteverify judges tokens, fails with 503, or rejects our secret. */
  mode: "through" | "away" | "wrong-secret";
  /** The judged tokens, in order. */
  judged: string[];
}

/** The script: renders a frame that fetches a token, and puts it into a hidden field like Turnstile. */
const script = (base: string) => `window.turnstile = {
  render(box, options) {
    const frame = document.createElement("iframe");
    frame.src = ${JSON.stringify(base)} + "/turnstile/v0/widget?" + new URLSearchParams({ sitekey: options.sitekey, action: options.action });
    frame.title = "Check that you are a person";
    frame.style.cssText = "position: absolute; width: 1px; height: 1px; border: 0; opacity: 0";
    const field = document.createElement("input");
    field.type = "hidden";
    field.name = options["response-field-name"];
    box.append(frame, field);
    addEventListener("message", ({ source, data }) => { if (source === frame.contentWindow) field.value = data; });
    return box.id = "widget-" + Math.random().toString(36).slice(2);
  },
  remove(widget) { document.getElementById(widget)?.replaceChildren(); },
};`;

/**
 * A local stand-in for Cloudflare Turnstile over real HTTP: `api.js`, the widget's frame, and `siteverify`, whose
 * tokens work once and are bound to their action.
 */
export async function startTurnstileStandIn(): Promise<TurnstileStandIn> {
  const siteKey = "local-site-key";
  const secretKey = "local-turnstile-secret";
  const open = new Map<string, string>();
  const used = new Set<string>();

  const server = await serveFetch(async (request) => {
    const { origin, pathname, searchParams } = new URL(request.url);
    if (pathname === "/turnstile/v0/api.js") {
      return new Response(script(origin), {
        headers: { "Content-Type": "text/javascript", "Cross-Origin-Resource-Policy": "cross-origin" },
      });
    }
    if (pathname === "/turnstile/v0/widget") {
      const token = searchParams.get("sitekey") === siteKey ? standIn.issue(searchParams.get("action") ?? "") : "";
      return new Response(`<script>parent.postMessage(${JSON.stringify(token)}, "*")</script>`, {
        headers: { "Content-Type": "text/html" },
      });
    }
    if (pathname === "/turnstile/v0/siteverify" && request.method === "POST") return siteverify(request);
    return new Response("Not found", { status: 404 });
  });

  async function siteverify(request: Request): Promise<Response> {
    const refuse = (code: string) => Response.json({ success: false, "error-codes": [code] });
    if (standIn.mode === "away") return new Response("away", { status: 503 });
    const { secret, response: token } = (await request.json()) as { secret?: string; response?: string };
    if (secret !== secretKey || standIn.mode === "wrong-secret") return refuse("invalid-input-secret");
    if (!token) return refuse("missing-input-response");
    standIn.judged.push(token);
    const action = open.get(token);
    if (action === undefined) return refuse(used.has(token) ? "timeout-or-duplicate" : "invalid-input-response");
    open.delete(token);
    used.add(token);
    return Response.json({ success: true, action, hostname: "localhost", "error-codes": [] });
  }

  const standIn: TurnstileStandIn = {
    ...server,
    siteKey,
    secretKey,
    mode: "through",
    judged: [],
    issue(action) {
      const token = randomUUID();
      open.set(token, action);
      return token;
    },
  };
  return standIn;
}
