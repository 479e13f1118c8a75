import type { SQL } from "drizzle-orm";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { RequestContext } from "../../app/platform/context";
import {
  type Answer,
  answerButton,
  answerForm,
  answerGuestButton,
  answerGuestForm,
} from "../../app/platform/forms/answer-form.server";
import type { FormReply } from "../../app/platform/forms/forms";
import type { RateLimitRule } from "../../app/platform/limits/limits.server";
import { Cookies } from "../../app/platform/request/cookies.server";
import type { Viewer } from "../../app/platform/session/viewer";
import { DatabaseUnavailableError } from "../../db/client";

const viewer = { id: "ada", authenticatedAt: new Date(0) } as Viewer;
const schema = z.object({ title: z.string("Say a title."), password: z.string().optional() });
const GOOD = { title: "Duo for tonight", password: "four smokes and a wall" };
const DATABASE_AWAY = new DatabaseUnavailableError("The database did not answer");

interface Setup {
  fields?: Record<string, string>;
  /** Whether the cookie claims a session; `isOpen` says whether the database knows it. */
  claims?: boolean;
  isOpen?: boolean;
  isSuspended?: boolean;
  /** The number of times that each limit allows. */
  times?: number;
}

/** Builds a request with a form, and the context for answering the request. */
function posted({ fields = GOOD, claims = true, isOpen = true, isSuspended = false, times = 10 }: Setup = {}) {
  const request = new Request("https://lineup.example/here", {
    method: "POST",
    body: new URLSearchParams(fields),
  });
  const counted: Record<string, number> = {};
  const asked: string[] = [];
  const db = {
    all: (statement: SQL) => ({ _prepare: true, statement }),
    batch: async (steps: { statement: SQL }[]) =>
      steps.map(({ statement }) => {
        asked.push("limit");
        const { params } = new SQLiteSyncDialect().sqlToQuery(statement);
        // The statement counts only if the player's session is open.
        if (!isOpen && params.includes("session")) return [];
        const [key] = params as [string];
        counted[key] = (counted[key] ?? 0) + 1;
        return [{ count: counted[key], windowEndsAt: 90_000 }];
      }),
  };
  const rules: RateLimitRule[] = ["post", "postChange", "passwordChange", "riotLookup", "riotLookupPerAccount"];
  const context = {
    env: { RATE_LIMITS: rules.map((rule) => `${rule}=${times}/60`).join(","), RATE_LIMIT_FACTOR: 1 },
    db,
    now: new Date(60_000),
    ip: "192.0.2.7",
    requestId: "request",
    claim: claims ? { userId: "ada", sessionId: "session", cookie: "cookie" } : null,
    viewer: async () => {
      asked.push("session");
      return claims && isOpen && !isSuspended ? viewer : null;
    },
    restrictedViewer: async () => (claims && isOpen ? { ...viewer, isSuspended } : null),
    log: { warn() {}, error() {}, info() {} },
    cookies: new Cookies(request, { isSecure: true }),
    toast: null,
    retryAfter: null,
    submitted: null,
  } as unknown as RequestContext;
  return { args: { request, context }, context, counted, asked };
}

/** Reduces a response to its redirect and toast, or to its status and reply. */
async function read(answer: Promise<unknown>, { cookies }: RequestContext) {
  const response = await answer.catch((thrown: unknown) => thrown);
  if (response instanceof Response) {
    const toast = cookies.upcoming("lineup_toast");
    return {
      status: response.status,
      to: response.headers.get("Location"),
      ...(toast && { toast: JSON.parse(toast) as object }),
    };
  }
  const { data, init } = response as { data: FormReply; init: ResponseInit };
  return { status: init.status, reply: data };
}

const DONE: Answer = { to: "/there", title: "Post saved" };

describe("a player's form", () => {
  test("is carried out with its values, for the session's player, if it is valid", async () => {
    const { args, context } = posted();
    const seen: unknown[] = [];
    const answer = answerForm(args, {
      schema,
      failed: "Error saving",
      run: async ({ value, viewer }) => {
        seen.push(value.title, viewer.id);
        return { to: "/there", title: "Post saved", description: "It is in the list." };
      },
    });
    expect(await read(answer, context)).toEqual({
      status: 303,
      to: "/there",
      toast: { kind: "success", title: "Post saved", description: "It is in the list." },
    });
    expect(seen).toEqual(["Duo for tonight", "ada"]);
  });

  test("redirects to its own page if the outcome has no address, and without a toast if it has no title", async () => {
    const silent = posted();
    const quietly = answerForm(silent.args, { schema, failed: "", to: "/thread", run: async () => ({}) });
    expect(await read(quietly, silent.context)).toEqual({ status: 303, to: "/thread" });
    const plain = posted();
    const back = answerForm(plain.args, { schema, failed: "", run: async () => ({}) });
    expect(await read(back, plain.context)).toEqual({ status: 303, to: "/here" });
  });

  test("that is refused keeps its values but no secrets, and says why at the field and in a toast", async () => {
    const { args, context } = posted();
    const answer = answerForm(args, {
      schema,
      failed: "Error saving",
      run: async () => ({
        status: 409,
        field: "title",
        error: "Taken.",
        next: { to: "/x", label: "X" },
        retryAfter: 7,
      }),
    });
    const refused = await read(answer, context);
    expect(refused.reply?.result.initialValue).toEqual({ title: "Duo for tonight" });
    expect(refused).toMatchObject({
      status: 409,
      reply: {
        result: { status: "error", error: { title: ["Taken."] } },
        toast: { id: "request", kind: "error", title: "Error saving", description: "Taken." },
        next: { to: "/x", label: "X" },
      },
    });
    expect(context.retryAfter).toBe(7);
  });

  test("may be refused with a custom toast, and with more data for its page", async () => {
    const { args, context } = posted();
    const failure = { status: 409, error: "Full.", toastTitle: "Not yet", toastText: "No room", more: { open: [1] } };
    const { reply } = await read(answerForm(args, { schema, failed: "Error", run: async () => failure }), context);
    expect(reply).toMatchObject({ toast: { title: "Not yet", description: "No room" }, open: [1] });
  });

  test("is checked in a fixed order: signed out, missing, invalid, limited, and only then by its command", async () => {
    const bad = { title: "" };
    const statusOf = async (setup: Setup, found: object | null) => {
      const { args, context } = posted(setup);
      const options = {
        limit: "post",
        alongside: async () => found,
        run: async () => ({ status: 410, error: "Gone" }),
      };
      const answer = answerForm(args, { schema, failed: "Error", ...options, limit: "post" });
      const { status, reply } = await read(answer, context);
      // Every refusal keeps the form's values, except for a page that doesn't exist.
      expect(reply === undefined).toBe(status === 404);
      return status;
    };
    expect(await statusOf({ claims: false, fields: bad, times: 0 }, null)).toBe(401);
    expect(await statusOf({ isOpen: false, fields: bad, times: 0 }, null)).toBe(401);
    expect(await statusOf({ fields: bad, times: 0 }, null)).toBe(404);
    expect(await statusOf({ fields: bad, times: 0 }, {})).toBe(400);
    expect(await statusOf({ times: 0 }, {})).toBe(429);
    expect(await statusOf({}, {})).toBe(410);
  });

  test("asks for the session, the limits and its own data in one tick, in this order", async () => {
    const { args, context, asked } = posted();
    const answer = answerForm(args, {
      schema,
      failed: "Error",
      limit: ["post", "postChange"],
      alongside: async ({ userId }, value) => {
        asked.push(`${userId} ${value?.title}`);
        expect(asked).toEqual(["session", "limit", "limit", "ada Duo for tonight"]);
        return "found" as const;
      },
      run: async ({ found }) => ({ to: `/${found}` }),
    });
    expect(await read(answer, context)).toMatchObject({ to: "/found" });
  });

  test("reads no data of its own when no session is claimed, and passes on no value of an invalid form", async () => {
    const values: unknown[] = [];
    for (const setup of [{ claims: false }, { fields: { title: "" } }]) {
      const { args } = posted(setup);
      await answerForm(args, {
        schema,
        failed: "Error",
        alongside: async (_, value) => values.push(value),
        run: async () => DONE,
      });
    }
    expect(values).toEqual([null]);
  });

  test("says so in its own words when its subject no longer exists", async () => {
    const { args, context } = posted();
    const missing = { status: 409, error: "This post has closed." };
    const answer = answerForm(args, {
      schema,
      failed: "Error",
      missing,
      alongside: async () => null,
      run: async () => DONE,
    });
    expect(await read(answer, context)).toMatchObject({
      status: 409,
      reply: { result: { initialValue: { title: GOOD.title }, error: { "": [missing.error] } } },
    });
  });

  test("keeps its values and answers 503 without a database, and has a text for unexpected failures", async () => {
    for (const failing of ["viewer", "run"] as const) {
      const { args, context } = posted();
      const rejectWithOutage = () => Promise.reject(DATABASE_AWAY);
      const answer = answerForm(args, {
        schema,
        failed: "Error saving",
        ...(failing === "viewer" && { viewer: rejectWithOutage }),
        run: failing === "run" ? rejectWithOutage : async () => DONE,
      });
      expect(await read(answer, context)).toMatchObject({
        status: 503,
        reply: { result: { initialValue: { title: GOOD.title } }, toast: { title: "Error saving" } },
      });
    }
    const { args, context } = posted();
    const run = () => Promise.reject(new Error("A bug"));
    const answer = answerForm(args, { schema, failed: "Error saving", unexplained: "Please try again.", run });
    expect(await read(answer, context)).toMatchObject({
      status: 500,
      reply: { toast: { title: "Error", description: "Please try again." } },
    });
  });
});

describe("a form and a button that need a recent sign-in", () => {
  type Args = ReturnType<typeof posted>["args"];
  const options = { failed: "Error", recentFor: "/settings/email", run: async () => DONE };
  const answers = [
    (args: Args, more: { limit?: "post"; alongside?: () => Promise<null> }) =>
      answerForm(args, { ...options, schema, ...more }),
    (args: Args, more: { limit?: "post"; alongside?: () => Promise<null> }) =>
      answerButton(args, { ...options, ...more }),
  ];

  test("lead to the identity check before they report any other problem", async () => {
    for (const answer of answers) {
      const { args, context } = posted({ fields: { title: "" }, times: 0 });
      context.now = new Date(60 * 60_000);
      const answered = answer(args, { limit: "post", alongside: async () => null });
      expect(await read(answered, context)).toMatchObject({
        status: 401,
        reply: { next: { to: "/auth/reauthenticate?redirectTo=%2Fsettings%2Femail", label: "Confirm it's you" } },
      });
    }
  });

  test("are carried out within ten minutes of the sign-in", async () => {
    for (const answer of answers) {
      const { args, context } = posted();
      expect(await read(answer(args, {}), context)).toMatchObject({ status: 303, to: "/there" });
    }
  });
});

describe("a limit counts", () => {
  const count = async (limit: RateLimitRule | readonly RateLimitRule[], setup: Setup) => {
    const { args, counted } = posted(setup);
    await answerForm(args, { schema, failed: "Error", limit, run: async () => DONE });
    return counted;
  };

  test("every valid form, against the account of an open session", async () => {
    expect(await count("post", {})).toEqual({ "post:ada": 1 });
    expect(await count("post", { isOpen: false })).toEqual({});
    expect(await count("post", { claims: false })).toEqual({});
  });

  test("against the IP address where its rule says so", async () => {
    expect(await count(["riotLookup", "riotLookupPerAccount"], {})).toEqual({
      "riotLookup:192.0.2.7": 1,
      "riotLookupPerAccount:ada": 1,
    });
    expect(await count("riotLookup", { isOpen: false })).toEqual({});
  });

  test("invalid forms only where they may cost hashing or email, or test a guess", async () => {
    expect(await count("post", { fields: { title: "" } })).toEqual({});
    expect(await count("passwordChange", { fields: { title: "" } })).toEqual({ "passwordChange:ada": 1 });
  });

  test("every press of a button", async () => {
    const { args, counted } = posted({ fields: {} });
    await answerButton(args, { limit: "postChange", run: async () => "missing" }).catch(() => null);
    expect(counted).toEqual({ "postChange:ada": 1 });
  });
});

describe("a button", () => {
  test("is carried out, or refused with a toast and a status", async () => {
    const accepted = posted();
    const done = answerButton(accepted.args, { to: "/lfg/1", run: async () => ({ title: "Post bumped" }) });
    expect(await read(done, accepted.context)).toEqual({
      status: 303,
      to: "/lfg/1",
      toast: { kind: "success", title: "Post bumped" },
    });
    const refused = posted();
    const next = { to: "/dashboard/profile", label: "Set your rank" };
    const answer = answerButton(refused.args, { run: async () => ({ status: 409, error: "Say your rank.", next }) });
    expect(await read(answer, refused.context)).toEqual({
      status: 409,
      reply: { toast: { id: "request", kind: "error", title: "Error", description: "Say your rank." }, next },
    });
  });

  test("is refused to a suspended player, like a form", async () => {
    for (const answerOf of [
      (args: ReturnType<typeof posted>["args"]) =>
        answerButton(args, { viewer: ({ viewer }) => viewer(), run: async () => DONE }),
      (args: ReturnType<typeof posted>["args"]) =>
        answerForm(args, { schema, failed: "Error saving", run: async () => DONE }),
    ]) {
      const { args, context } = posted({ isSuspended: true });
      expect(await read(answerOf(args), context)).toMatchObject({
        status: 403,
        reply: { next: { to: "/account/decisions", label: "See why" } },
      });
    }
  });

  test("sends a visitor to the sign-in page, and then back", async () => {
    for (const setup of [{ claims: false }, { isOpen: false }]) {
      const { args, context } = posted(setup);
      const answer = answerButton(args, { limit: "post", run: async () => DONE });
      expect(await read(answer, context)).toEqual({ status: 302, to: "/auth?redirectTo=%2Fhere" });
    }
  });

  test("without a page of its own shows its refusal on another page", async () => {
    const { args, context } = posted({ times: 0 });
    const options = { failed: "Error keeping account", refusedTo: "/settings", limit: "post" } as const;
    expect(await read(answerButton(args, { ...options, run: async () => DONE }), context)).toMatchObject({
      status: 303,
      to: "/settings",
      toast: { kind: "error", title: "Error keeping account" },
    });
  });

  test("may return a custom response, and look up its player itself", async () => {
    const { args } = posted();
    const file = new Response("{}");
    expect(await answerButton(args, { run: async () => file })).toBe(file);
    const nobody = posted();
    const answer = answerButton(nobody.args, { viewer: async () => null, run: async () => DONE });
    expect(await read(answer, nobody.context)).toMatchObject({ status: 401, reply: { toast: { kind: "error" } } });
  });

  test("is refused in the same order as a form", async () => {
    const statusOf = async (setup: Setup, found: object | null) => {
      const { args, context } = posted(setup);
      const run = async () => ({ status: 410, error: "Gone" });
      return (await read(answerButton(args, { limit: "post", alongside: async () => found, run }), context)).status;
    };
    expect(await statusOf({ times: 0 }, null)).toBe(404);
    expect(await statusOf({ times: 0 }, {})).toBe(429);
    expect(await statusOf({}, {})).toBe(410);
  });

  test("passes a database failure on to its page", async () => {
    const { args } = posted();
    const answer = answerButton(args, { run: () => Promise.reject(DATABASE_AWAY) });
    await expect(answer).rejects.toBe(DATABASE_AWAY);
  });
});

describe("anyone's button", () => {
  test("needs no session", async () => {
    const accepted = posted({ claims: false });
    const done = answerGuestButton(accepted.args, { failed: "Error", to: "/auth", run: async () => ({}) });
    expect(await read(done, accepted.context)).toEqual({ status: 303, to: "/auth" });
    const refused = posted({ claims: false });
    const answer = answerGuestButton(refused.args, {
      failed: "Error",
      run: async () => ({ status: 400, error: "Spent." }),
    });
    expect(await read(answer, refused.context)).toMatchObject({
      status: 400,
      reply: { toast: { description: "Spent." } },
    });
  });
});

describe("anyone's form", () => {
  test("needs no session, and otherwise works like a player's form", async () => {
    const good = posted({ claims: false });
    const done = answerGuestForm(good.args, {
      schema,
      failed: "Error",
      run: async ({ title }) => ({ to: `/auth?${title.length}` }),
    });
    expect(await read(done, good.context)).toMatchObject({ status: 303, to: "/auth?15" });
    expect(good.asked).toEqual([]);
    const bad = posted({ claims: false, fields: { title: "" } });
    const answer = answerGuestForm(bad.args, { schema, failed: "Error signing in", run: async () => DONE });
    expect(await read(answer, bad.context)).toMatchObject({
      status: 400,
      reply: { toast: { title: "Error signing in", description: "Say a title." } },
    });
  });
});
