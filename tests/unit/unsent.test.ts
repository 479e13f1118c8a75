import { afterEach, expect, it, vi } from "vitest";
import { conversationsWithUnsent, unsentMessages } from "../../app/features/messages/thread/unsent";

/** A stand-in for `localStorage`. */
class Items {
  [key: string]: unknown;
}
Object.defineProperties(
  Items.prototype,
  Object.getOwnPropertyDescriptors({
    getItem(this: Items, key: string) {
      return this[key] ?? null;
    },
    setItem(this: Items, key: string, value: string) {
      this[key] = value;
    },
    removeItem(this: Items, key: string) {
      delete this[key];
    },
  }),
);

/** The storage as a tab of another process sees it: what it reads may be outdated, and what it writes reaches all. */
function outdatedView(storage: Items): Items {
  const view = Object.assign(new Items(), storage);
  return Object.defineProperties(view, {
    setItem: { value: (key: string, value: string) => (storage[key] = value) },
    removeItem: { value: (key: string) => delete storage[key] },
  });
}

const written = (id: string, createdAt: number) => ({ id, content: `Words of ${id}`, createdAt });

afterEach(() => vi.unstubAllGlobals());

it("A message that is written while another tab removes an earlier one stays in this browser", () => {
  const storage = new Items();
  vi.stubGlobal("localStorage", storage);
  const unsent = unsentMessages("me", "chat");
  unsent.keep(written("a", 1));
  const view = outdatedView(storage);
  unsent.keep(written("b", 2));
  vi.stubGlobal("localStorage", view);
  unsentMessages("me", "chat").drop(["a"]);
  vi.stubGlobal("localStorage", storage);
  expect(unsent.list()).toEqual([written("b", 2)]);
});

it("Unsent messages are listed by player and conversation, oldest first, and keep whether they have failed", () => {
  vi.stubGlobal("localStorage", new Items());
  const unsent = unsentMessages("me", "chat");
  for (const message of [written("b", 2), written("c", 3), written("a", 1)]) unsent.keep(message);
  unsentMessages("me", "another").keep(written("d", 4));
  unsentMessages("you", "chat").keep(written("e", 5));
  unsent.mark(["b"], true);
  expect(unsent.list()).toEqual([written("a", 1), { ...written("b", 2), isFailed: true }, written("c", 3)]);
  expect(conversationsWithUnsent("me").sort()).toEqual(["another", "chat"]);
  unsent.drop(["a", "b", "c"]);
  expect(conversationsWithUnsent("me")).toEqual(["another"]);
});
