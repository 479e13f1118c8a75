/**
 * Builds the headers of every response of the Worker. Static files get theirs from `public/_headers`.
 * @param options.nonce allows this response's own inline scripts, and no others
 * @param options.local whether this is a developer's machine: there, pages come over http, and Remix's live reload uses
 *   another port
 * @param options.formTargets other origins to which our forms may redirect: Chromium applies `form-action` to
 *   redirects, too
 * @param options.checkedBy the origin of the human check, if configured: its script and its frame
 */
export function securityHeaders({
  nonce,
  local,
  formTargets,
  checkedBy,
}: {
  nonce: string;
  local: boolean;
  formTargets: readonly string[];
  checkedBy?: string;
}) {
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'${checkedBy ? ` ${checkedBy}` : ""}`,
    ...(checkedBy ? [`frame-src ${checkedBy}`] : []),
    // sonner and server-rendered style attributes need inline styles; they can't run code.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${local ? " ws://localhost:*" : ""}`,
    "manifest-src 'self'",
    ["form-action 'self'", ...formTargets].join(" "),
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(local ? [] : ["upgrade-insecure-requests"]),
  ];
  return {
    "Content-Security-Policy": policy.join("; "),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    // Not `no-referrer`: with it, native form posts carry `Origin: null` and fail the origin check.
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    ...(!local && { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" }),
  } satisfies Record<string, string>;
}
