import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { createClient } from "@libsql/client/http";
import { ROOT } from "../../../scripts/local/build";
import { loadEsbuild } from "../../../scripts/local/bundle";

const BUNDLE = join(ROOT, "build/tests/peer.js");
const TYPES: Record<string, string> = { ".css": "text/css", ".js": "text/javascript", ".woff2": "font/woff2" };

/** A player as PostgREST would embed one. */
const PROFILE = (name: string) =>
  `json_object('user_id', ${name}.user_id, 'riot_game_name', ${name}.riot_game_name,
    'current_rank', ${name}.current_rank, 'preferred_role', ${name}.preferred_role, 'region', ${name}.region,
    'description', ${name}.description, 'main_agents', ${name}.main_agents)`;

/** The statement behind each resource. `:id` is the value of the request's filter. */
const RESOURCES: Record<string, string> = {
  own_profile: "SELECT * FROM profiles WHERE user_id = :id",
  profile: "SELECT * FROM profiles WHERE user_id = :id",
  unread: "SELECT conversation_id FROM conversation_members WHERE user_id = :id AND unread_count > 0",
  lfg_posts: `SELECT lfg_posts.*, ${PROFILE("p")} AS profile FROM lfg_posts JOIN profiles p USING (user_id)
    WHERE is_active ORDER BY lfg_posts.created_at DESC LIMIT 20`,
  profiles: "SELECT * FROM profiles WHERE riot_game_name IS NOT NULL ORDER BY updated_at DESC LIMIT 20",
  messages: `SELECT m.*, ${PROFILE("s")} AS sender, ${PROFILE("r")} AS receiver FROM messages m
    JOIN conversation_members own ON own.conversation_id = m.conversation_id AND own.user_id = :id
    LEFT JOIN profiles s ON s.user_id = m.sender_id LEFT JOIN profiles r ON r.user_id = m.receiver_id
    ORDER BY m.created_at`,
  thread: "SELECT * FROM messages WHERE conversation_id = :id ORDER BY seq LIMIT 50",
  tournaments: "SELECT * FROM tournaments WHERE is_listed ORDER BY tournament_date LIMIT 20",
  matches: `SELECT id, tournament_id, round, state, team1_id AS one, team2_id AS two, score1, score2
    FROM tournament_matches WHERE tournament_id = :id`,
};

/** Bundles the peer's script into a single file, as such applications do by default. */
export async function buildPeer(): Promise<void> {
  await loadEsbuild().build({
    absWorkingDir: ROOT,
    entryPoints: ["tests/bench/peer-spa/main.tsx"],
    outfile: BUNDLE,
    bundle: true,
    minify: true,
    jsx: "automatic",
    format: "esm",
    target: "es2022",
    define: { "process.env.NODE_ENV": '"production"' },
    legalComments: "none",
    logLevel: "silent",
  });
}

/** Starts the peer: its files, and a REST API over the database that is reached through `databaseUrl`. */
export async function startPeer(databaseUrl: string) {
  const database = createClient({ url: databaseUrl, intMode: "number" });
  const assets = join(ROOT, "public/build/_assets");
  const style = readdirSync(assets).find((name) => /^app-.*\.css$/.test(name));
  const fonts = readdirSync(assets).filter((name) => /^(onest-western|special-gothic-basic)-/.test(name));
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <link rel="stylesheet" href="/build/_assets/${style}">
    ${fonts.map((name) => `<link rel="preload" href="/build/_assets/${name}" as="font" type="font/woff2" crossorigin>`).join("")}
    <script type="module" src="/peer.js"></script></head>
    <body><div id="root"></div></body></html>`;
  const files = new Map<string, Buffer>();
  const read = (path: string) => {
    const known = files.get(path) ?? gzipSync(readFileSync(path));
    files.set(path, known);
    return known;
  };
  const page = gzipSync(html);

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://peer");
    const send = (body: Buffer, type: string) =>
      response.writeHead(200, { "Content-Type": type, "Content-Encoding": "gzip" }).end(body);
    const sql = RESOURCES[pathname.replace("/rest/v1/", "")];
    if (sql) {
      const filter = [...searchParams.values()].map((value) => /\beq\.([\w-]+)/.exec(value)?.[1]).find(Boolean) ?? null;
      const { rows } = await database.execute({ sql, args: sql.includes(":id") ? { id: filter } : {} });
      const plain = rows.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([name, value]) => [
            name,
            /^(profile|sender|receiver)$/.test(name) ? JSON.parse(String(value)) : value,
          ]),
        ),
      );
      send(gzipSync(JSON.stringify(plain)), "application/json");
    } else if (pathname === "/peer.js") send(read(BUNDLE), TYPES[".js"] as string);
    else if (pathname.startsWith("/build/_assets/")) {
      send(read(join(ROOT, "public", pathname)), TYPES[extname(pathname)] ?? "application/octet-stream");
    } else send(page, "text/html; charset=utf-8");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://localhost:${(server.address() as { port: number }).port}`,
    async stop() {
      database.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The session that a signed-in player's browser holds: the content of `localStorage` under `peer-session`. */
export function peerSession(userId: string): string {
  const expires = Math.floor(Date.now() / 1_000) + 3_600;
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return JSON.stringify({
    access_token: `${part({ alg: "HS256", typ: "JWT" })}.${part({ sub: userId, exp: expires })}.bench`,
    refresh_token: "bench",
    token_type: "bearer",
    expires_in: 3_600,
    expires_at: expires,
    user: {
      id: userId,
      aud: "authenticated",
      app_metadata: {},
      user_metadata: {},
      created_at: new Date().toISOString(),
    },
  });
}
