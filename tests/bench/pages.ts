import { gzipSync } from "node:zlib";
import { type Browser, chromium } from "@playwright/test";
import { eq } from "drizzle-orm";
import { conversations, users } from "../../db/schema";
import { CHROMIUM_ARGS, findTestChromium } from "../../scripts/local/browser";
import { addConversation, newVisitor } from "../integration/players";
import type { TestApp } from "../support/app";
import { signIn } from "../support/client";
import {
  findMeasuredPages,
  HINTED_PAGES,
  MEASURED_PAGES,
  MEASURED_VISITOR,
  type MeasuredPage,
  WITH_HINTS,
} from "../support/measured-pages";
import { startDelayProxy } from "./delay-proxy";
import { startFrozenSite } from "./frozen-site";
import { createCertificate, startHttp2Front } from "./http2-front";
import { measureClick, measureVisit, type Visitor } from "./page-visits";
import { buildPeer, peerSession, startPeer } from "./peer-spa";
import type { Recorder } from "./results";
import { addMessages } from "./scale-worlds";
import { SLOW_4G, startShapingProxy } from "./shaping-proxy";
import { startBenchSite } from "./site";

/** The distance of the database from the Worker, and from the peer's API, in milliseconds. */
const DATABASE_DELAY = 50;
/** No further round begins after this many minutes. */
const LAST_ROUND = 16;
/** The pages whose tabs are clicked, from LFG and back. */
const CLICKED: readonly MeasuredPage[] = ["Messages", "LFG", "Players", "LFG"];

/** The ways to get a page: ours, ours without JavaScript, the same bytes from static files, and the peer. */
const VARIANTS = ["ours", "ours without JavaScript", "static", "peer"] as const;

/**
 * Measures first visits and clicks in Chromium, on slow 4G with a slow processor and on this machine as it is. The
 * variants take turns.
 */
export async function measurePages(recorder: Recorder): Promise<void> {
  const rounds = recorder.isQuick ? 1 : 7;
  const cleanUp: (() => Promise<unknown>)[] = [];
  const started = Date.now();
  try {
    await buildPeer();
    const direct = await startBenchSite({ world: "busy" });
    cleanUp.push(direct.stop);
    const proxy = await startDelayProxy(direct.libsqlUrl);
    const site = await startBenchSite({ libsqlUrl: direct.libsqlUrl, bindings: { LIBSQL_URL: proxy.url } });
    const frozen = await startFrozenSite(site.url);
    const peer = await startPeer(proxy.url);
    cleanUp.push(proxy.stop, site.stop, frozen.stop, peer.stop);
    proxy.delay = DATABASE_DELAY;

    const client = await signIn(site.client(), MEASURED_VISITOR);
    // This page uses up the sign-in's toast. Otherwise each measured page would show it, and load the script for
    // toasts.
    await client.get("/dashboard");
    const player = await site.db.select().from(users).where(eq(users.email, MEASURED_VISITOR)).get();
    const measured = await findMeasuredPages(site);
    const certificate = await createCertificate();
    const browser = await chromium.launch({
      executablePath: findTestChromium(),
      args: [...CHROMIUM_ARGS, certificate.chromiumArg],
    });
    cleanUp.push(() => browser.close());

    const fronts = await Promise.all([
      ...[site, frozen, peer].map(({ url }) => startHttp2Front(url, certificate)),
      startHttp2Front(site.url, certificate, { hasEarlyHints: true }),
    ]);
    cleanUp.push(...fronts.map(({ stop }) => stop));
    const [ours, still, theirs, hinting] = fronts.map(({ url }) => url) as [string, string, string, string];
    const servers = {
      ours,
      "ours without JavaScript": ours,
      static: still,
      peer: theirs,
      [WITH_HINTS]: hinting,
    };
    const slow: Record<string, string> = {};
    for (const url of fronts.map((front) => front.url)) {
      const shaped = await startShapingProxy(url, SLOW_4G);
      cleanUp.push(shaped.stop);
      slow[url] = shaped.url;
    }
    const conditions = {
      "slow 4G": { slowdown: 4, urlOf: (url: string) => slow[url] as string },
      unthrottled: { slowdown: 1, urlOf: (url: string) => url },
    };
    const cookies = [...client.cookies].map(([name, value]) => ({ name, value }));
    const visitorOf = (
      variant: keyof typeof servers,
      { slowdown, urlOf }: (typeof conditions)["slow 4G"],
    ): Visitor => ({
      browser: browser as Browser,
      url: urlOf(servers[variant]),
      slowdown,
      hasJavaScript: variant !== "ours without JavaScript" && variant !== "static",
      cookies,
      storage: variant === "peer" ? { "peer-session": peerSession(player?.id as string) } : {},
    });

    // Early Hints come from earlier visits.
    for (const name of HINTED_PAGES) await measureVisit(visitorOf(WITH_HINTS, conditions.unthrottled), measured[name]);
    await recorder.step("10 000 messages", () => compareBytes(recorder, site, peer.url));
    for (let round = 1; round <= rounds; round += 1) {
      if (round > 1 && Date.now() - started > LAST_ROUND * 60_000) break;
      await recorder.step(`Pages, round ${round} of ${rounds}`, async () => {
        for (const [condition, settings] of Object.entries(conditions)) {
          for (const name of MEASURED_PAGES) {
            for (const variant of HINTED_PAGES.includes(name) ? ([...VARIANTS, WITH_HINTS] as const) : VARIANTS) {
              const visit = await measureVisit(visitorOf(variant, settings), measured[name]);
              for (const [figure, { value, unit }] of Object.entries(visit)) {
                recorder.add(`${name}, ${variant}`, `${figure}, ${condition}`, unit, value);
              }
            }
          }
          for (const variant of ["ours", "peer"] as const) {
            const clicks = CLICKED.map((page) => ({ page, ...measured[page] }));
            const times = await measureClick(visitorOf(variant, settings), measured.LFG, clicks);
            times.forEach((time, at) => {
              recorder.add(`${CLICKED[at]}, ${variant}`, `click ${at < 2 ? 1 : 2}, ${condition}`, "ms", time);
            });
          }
        }
      });
    }
  } finally {
    for (const step of cleanUp.reverse()) await step();
  }
}

/** Compares the bytes of the list of conversations for a player with 10 000 messages in twenty conversations. */
async function compareBytes(recorder: Recorder, site: TestApp, peer: string): Promise<void> {
  const { client, player } = await newVisitor(site, { riotGameName: "Talkative" });
  for (let index = 0; index < 20; index += 1) {
    const other = await newVisitor(site, { riotGameName: `Writer ${index + 10}` });
    const id = await addConversation(site, player, other.player);
    await addMessages(site.libsqlUrl, `id = '${id}'`, 500, Date.now());
    await site.db
      .update(conversations)
      .set({ lastSeq: 500, lastPreview: "See you tonight", lastSenderId: other.player.id })
      .where(eq(conversations.id, id));
  }
  const { text } = await client.get("/dashboard/messages");
  const response = await fetch(`${peer}/rest/v1/messages?select=*&or=(sender_id.eq.${player.id})`);
  recorder.add("10 000 messages", "ours", "kB", gzipSync(text).byteLength / 1_000);
  recorder.add("10 000 messages", "peer", "kB", gzipSync(await response.text()).byteLength / 1_000);
}
