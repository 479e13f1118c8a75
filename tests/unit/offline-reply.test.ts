import type { ClientActionFunctionArgs } from "@remix-run/react";
import { describe, expect, it } from "vitest";
import { clientAction, type FormReply } from "../../app/platform/forms/forms";

/** Sends a form whose request fails like `fetch` without a network. @returns the entered values in the reply */
async function sendOffline(entries: readonly (readonly [name: string, value: string])[]) {
  const body = new FormData();
  for (const [name, value] of entries) body.append(name, value);
  const args: Pick<ClientActionFunctionArgs, "request" | "serverAction"> = {
    request: new Request("https://lineup.test/dashboard/profile", { method: "POST", body }),
    serverAction: () => Promise.reject(new TypeError("Failed to fetch")),
  };
  const reply = await clientAction(args as ClientActionFunctionArgs);
  return ((await (reply as Response).json()) as FormReply).result.initialValue;
}

describe("A form that can't reach the server", () => {
  it("keeps all choices of a group", async () => {
    expect(
      await sendOffline([
        ["languages", "de"],
        ["description", "IGL"],
        ["languages", "en"],
        ["languages", "fr"],
      ]),
    ).toEqual({ languages: ["de", "en", "fr"], description: "IGL" });
  });

  it("keeps no password and no code", async () => {
    expect(
      await sendOffline([
        ["email", "nova@example.com"],
        ["password", "four smokes and a wall"],
        ["code", "123456"],
      ]),
    ).toEqual({ email: "nova@example.com" });
  });
});
