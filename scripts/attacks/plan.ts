import fc from "fast-check";

/*
 * The plan of an attack: its requests, described independently of any database. Numbers are indexes into the lists of
 * `Target`, so a seed gives the same plan every time.
 */

/** A value to put into a field, a parameter or a header. */
export type Value =
  | { text: string }
  /** Text that repeats one character. */
  | { repeat: string; times: number }
  /** An id that exists: `of` picks its kind (-1: the kind that the parameter takes), `place` one of that kind. */
  | { of: number; place: number };

/** A change to a form before it is sent. */
interface Mutation {
  field: number;
  how: "set" | "drop" | "repeat" | "rename" | "file";
  value: Value;
}

const ENCODINGS = [
  "urlencoded",
  "multipart",
  "multipart without its end",
  "another boundary",
  "cut",
  "compressed in name only",
  "json",
  "text",
  "bytes",
  "none",
] as const;

export type Header = [name: string, value: string];

interface Sent {
  actor: number;
  headers: Header[];
}

export type Step =
  | (Sent & {
      kind: "form";
      form: number;
      mutations: Mutation[];
      encoding: (typeof ENCODINGS)[number];
      /** Whether it is sent as a page with JavaScript sends it. */
      isData: boolean;
      /** Whether the sender wasn't offered the form. */
      isForeign: boolean;
    })
  | (Sent & {
      kind: "address";
      method: string;
      route: number;
      params: Value[];
      search: { name: number; value: Value }[];
      suffix: string;
    })
  | (Sent & { kind: "json"; route: number; body: string })
  | (Sent & { kind: "socket"; room: number; id: Value; frames: (Value | { bytes: number })[] })
  | { kind: "raw"; bytes: string };

const TEXTS: readonly string[] = [
  "",
  " ",
  "\0",
  "a\0b",
  "null",
  "undefined",
  "NaN",
  "-0",
  "-1",
  "0",
  "1e309",
  "0x10",
  "99999999999999999999999",
  "1.5",
  "true",
  "on",
  "[]",
  "{}",
  '{"__proto__":{"admin":true}}',
  "__proto__",
  "constructor",
  "' OR '1'='1' --",
  "%' ESCAPE '%",
  '"; DROP TABLE users; --',
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "{{7*7}}",
  "../../../etc/passwd",
  "..%2f..%2f",
  "%00",
  "%",
  "%E0%A4%A",
  "\ud800",
  "\udc00\ud800",
  "\ufeff",
  "\u202eabc\u2066",
  `e${"\u0301".repeat(500)}`,
  "👨‍👩‍👧‍👦".repeat(60),
  "﷽".repeat(300),
  "İıſẞ",
  "\u2028\u2029",
  "a\r\nSet-Cookie: a=b",
  "javascript:alert(1)",
  "//evil.example",
  "/\\evil.example",
  "https://evil.example/?a=1",
  "\\\\evil.example\\share",
  "2026-02-30",
  "2026-11-23T25:61",
  "9999-12-31T23:59",
  "-271821-04-20T00:00:00.000Z",
  "+275760-09-13T00:00:00.001Z",
  "24:00",
  "Europe/Berlin",
  "Mars/Phobos",
  "a@b",
  "player1@example.com",
  `${"a".repeat(250)}@example.com`,
  "00000000-0000-0000-0000-000000000000",
  "FFFFFFFF-FFFF-7FFF-BFFF-FFFFFFFFFFFF",
  "discord",
  "riot",
  "save",
  "delete",
  "remove",
  "accept",
  "send",
  "begin",
  "confirm",
  "decide",
  "13-7",
  "1,2,3",
];

const value: fc.Arbitrary<Value> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ text: fc.constantFrom(...TEXTS) }) },
  { weight: 3, arbitrary: fc.record({ text: fc.string({ unit: "binary", maxLength: 30 }) }) },
  { weight: 2, arbitrary: fc.record({ text: fc.string({ unit: "grapheme", maxLength: 300 }) }) },
  { weight: 2, arbitrary: fc.record({ text: fc.oneof(fc.integer(), fc.double(), fc.maxSafeInteger()).map(String) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      repeat: fc.constantFrom("a", "9", "<", "(", " ", "\n", "é", "🙂", "[", "%", "'", "\u0301"),
      times: fc.constantFrom(100, 1_000, 5_000, 30_000, 120_000),
    }),
  },
  { weight: 5, arbitrary: fc.record({ of: fc.nat(30), place: fc.nat(5) }) },
);

/** The headers of an attack, with odd or forged values. */
const HEADERS: Record<string, readonly string[]> = {
  Origin: ["null", "https://evil.example", "", "http://localhost", "about:blank", "x".repeat(5_000)],
  Referer: ["https://evil.example/", "not a url", "\xff\xfe"],
  // Leaves out hosts that make an invalid URL: Miniflare itself fails on them, and Cloudflare's network refuses them.
  Host: ["evil.example", "LOCALHOST", "localhost:1", "a.".repeat(120)],
  Cookie: [
    "a",
    "=",
    ";;;=;",
    `lineup_session=${"a".repeat(6_000)}`,
    "lineup_session=a.b.c; lineup_session=d.e.f",
    "lineup_session=%E0%A4%A; lineup_theme=%; lineup_toast=%7B",
    "lineup_toast=eyJ0aXRsZSI6MX0; lineup_zone=Mars/Phobos; lineup_bracket=__proto__",
    "__proto__=1; constructor=2; __Host-lineup_session=x",
    "lineup_known=..........; lineup_sign_in=x; lineup_signup=y; lineup_oauth=z.z.z; lineup_device=\xff",
  ],
  "Content-Type": [
    "",
    "text/plain",
    "multipart/form-data",
    "application/x-www-form-urlencoded; charset=utf-16",
    "a/b;c=d;e",
  ],
  "Content-Encoding": ["gzip", "br", "nonsense"],
  "Accept-Language": ["*", "xx-YY;q=9", "de;q=0.5,,,;", "\xe4\xf6\xfc", `${"en,".repeat(2_000)}en`],
  Accept: ["", "application/json", "text/x-script", "*/*;q=-1"],
  "If-None-Match": ["*", '"x"', "W/"],
  "If-Modified-Since": ["yesterday", "Thu, 99 Foo 9999 99:99:99 GMT"],
  Range: ["bytes=0-", "bytes=5-1", "bytes=99999999999999-", "lines=1"],
  "CF-Connecting-IP": [
    "",
    "::",
    "::ffff:1.2.3.4",
    "999.999.999.999",
    ":::::::::::",
    "a".repeat(2_000),
    "1.2.3.4, 5.6.7.8",
  ],
  "CF-Ray": ["", "x".repeat(3_000), "\xff"],
  "CF-IPCountry": ["XX", "\xff", ""],
  "X-Forwarded-Host": ["evil.example"],
  "X-Forwarded-Proto": ["https"],
  "X-Lineup-Visitor": ['{"userId":"x","sessionId":"y","expiresAt":9e15}', "x"],
  "X-HTTP-Method-Override": ["DELETE"],
  "Sec-Purpose": ["prefetch", "prefetch;prerender", "x"],
  "Sec-Fetch-Site": ["same-origin", "cross-site", ""],
  "User-Agent": ["", "Googlebot/2.1", "\xff".repeat(300), "(".repeat(3_000)],
  Authorization: ["Bearer a.b.c", "Bearer ", "Basic \xff", `Bearer ${"a.".repeat(2_000)}`],
  Upgrade: ["websocket", "h2c"],
  "Transfer-Encoding": ["chunked"],
  Expect: ["100-continue"],
};

const headers = fc.oneof<fc.MaybeWeightedArbitrary<Header[]>[]>(
  { weight: 3, arbitrary: fc.constant<Header[]>([]) },
  {
    weight: 1,
    arbitrary: fc.array(
      fc
        .constantFrom(...Object.keys(HEADERS))
        .chain((name) => fc.tuple(fc.constant(name), fc.constantFrom(...(HEADERS[name] as string[])))),
      { minLength: 1, maxLength: 3 },
    ),
  },
);

const sent = { actor: fc.nat(), headers };

const form = fc.record({
  kind: fc.constant("form" as const),
  ...sent,
  form: fc.nat(),
  mutations: fc.array(
    fc.record({
      field: fc.nat(),
      how: fc.constantFrom("set", "set", "set", "set", "drop", "repeat", "rename", "file"),
      value,
    }),
    { maxLength: 4 },
  ),
  encoding: fc.oneof(
    { weight: 9, arbitrary: fc.constant("urlencoded" as const) },
    { weight: 4, arbitrary: fc.constantFrom(...ENCODINGS) },
  ),
  isData: fc.nat(3).map((number) => number === 0),
  isForeign: fc.nat(3).map((number) => number === 0),
});

const address = fc.record({
  kind: fc.constant("address" as const),
  ...sent,
  method: fc.oneof(
    { weight: 8, arbitrary: fc.constant("GET") },
    { weight: 1, arbitrary: fc.constantFrom("HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "POST", "PROPFIND") },
  ),
  route: fc.nat(),
  params: fc.array(fc.oneof(value, fc.record({ of: fc.constant(-1), place: fc.nat(5) })), {
    minLength: 3,
    maxLength: 3,
  }),
  search: fc.array(fc.record({ name: fc.nat(), value }), { maxLength: 4 }),
  suffix: fc.oneof(
    { weight: 5, arbitrary: fc.constant("") },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        ".data",
        "/",
        "//",
        "/.",
        "/..;/",
        "?",
        "?_data=root",
        ".data?_routes=root",
        "%00",
        "%2f",
        "%ff",
        ";a=b",
        "/_root.data",
      ),
    },
  ),
});

const json = fc.record({
  kind: fc.constant("json" as const),
  ...sent,
  route: fc.nat(),
  body: fc.oneof(
    fc.json({ maxDepth: 3 }),
    fc.record({ gameName: fc.anything(), tagLine: fc.anything(), region: fc.anything() }).map((body) => {
      try {
        return JSON.stringify(body);
      } catch {
        return "{";
      }
    }),
    fc
      .record({ gameName: value, tagLine: value, region: fc.constantFrom("europe", "americas", "x") })
      .map((body) =>
        JSON.stringify(body, (_, part) => (part && typeof part === "object" && "text" in part ? part.text : part)),
      ),
    fc.constantFrom("", "{", "[".repeat(20_000), `"${"a".repeat(150_000)}"`, "\0", "null", "1e999"),
  ),
});

/** Frames of every kind that our rooms accept, and frames of no known kind. */
const FRAMES: readonly string[] = [
  "ping",
  "",
  "{}",
  "[]",
  "null",
  '{"type":"typing"}',
  '{"type":"typing","userId":"x"}',
  '{"type":"read","seq":1}',
  '{"type":"read","seq":-1}',
  '{"type":"read","seq":1e300}',
  '{"type":"read","seq":"1"}',
  '{"type":"state","state":"away"}',
  '{"type":"presence","state":"online"}',
  '{"type":"message","message":{"content":"x"}}',
  '{"type":"__proto__"}',
  '{"type":{}}',
  "{".repeat(5_000),
  "\ud800",
];

const socket = fc.record({
  kind: fc.constant("socket" as const),
  ...sent,
  room: fc.nat(),
  id: value,
  frames: fc.array(
    fc.oneof(
      fc.record({ text: fc.constantFrom(...FRAMES) }),
      fc.record({ text: fc.json({ maxDepth: 2 }) }),
      value,
      fc.record({ bytes: fc.constantFrom(0, 1, 1_000, 100_000) }),
    ),
    { maxLength: 12 },
  ),
});

const raw = fc.record({
  kind: fc.constant("raw" as const),
  bytes: fc.constantFrom(
    "GET / HTTP/9.9\r\n\r\n",
    "GET /\r\n\r\n",
    "\r\n\r\n\r\n",
    "\0\0\0\0",
    "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    "GET / HTTP/1.1\r\n\r\n",
    `GET /${"a".repeat(70_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: localhost\r\nCookie: ${"a=b; ".repeat(20_000)}\r\n\r\n`,
    "POST /auth HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
    "POST /auth HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "POST /auth HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    "GET /%zz/\xff\xfe HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\r\n\r\n",
  ),
});

/**
 * Makes the plan of an attack.
 * @param seed any integer; the same one gives the same plan
 */
export function makePlan(seed: number, requests: number): Step[] {
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 58, arbitrary: form },
    { weight: 28, arbitrary: address },
    { weight: 4, arbitrary: json },
    { weight: 8, arbitrary: socket },
    { weight: 2, arbitrary: raw },
  );
  return fc.sample(step, { seed, numRuns: requests });
}
