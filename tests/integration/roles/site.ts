import { unsubscribePath } from "../../../app/features/notifications/email/token.server";
import { LOCAL_SECRET } from "../../../scripts/local/app";
import type { Table } from "./table";

/** Pages for everyone, and what machines read. Those under `dev` are there only on a developer's machine. */
export const SITE: Table = {
  root: { get: "200" },
  $: { at: () => "/no/such/page", get: "404", post: { "": [{}, "404"] } },
  _index: { get: "visitor suspended 200 | others 302" },
  _about: { at: () => "/rules", get: "200" },
  "_about.contact": { get: "200" },
  "_about.imprint": { get: "200" },
  "_about.privacy": { get: "200" },
  "_about.terms": { get: "200" },
  "[.]well-known.change-password": { get: "302" },
  "[.]well-known.security[.]txt": { get: "200" },
  "avatars.$avatarId": { at: () => "/avatars/00000000-0000-4000-8000-000000000000", get: "404" },
  "calendar.$feed": { at: ({ feed }) => `/calendar/${feed}.ics`, get: "404" },
  "dev.components": { get: "200" },
  "dev.mailbox": { get: "200" },
  "dev.session": { get: "200" },
  healthz: { get: "200" },
  leaving: { get: "404" },
  readyz: { get: "200" },
  "riot-api.verify-account": {
    get: "405",
    post: { "": [{ gameName: "Somebody", tagLine: "EUW", region: "europe" }, "200="] },
  },
  "robots[.]txt": { get: "200" },
  "sitemap[.]xml": { get: "200" },
  "unsubscribe.$token": {
    at: ({ stranger }) =>
      unsubscribePath({ SESSION_SECRET: [LOCAL_SECRET] }, { userId: stranger.id, groups: ["team"] }),
    get: "200",
    post: { Unsubscribe: [{}, "303"] },
  },
  theme: { get: "302", post: { "": [{ theme: "dark", returnTo: "/rules" }, "303="] } },
};
