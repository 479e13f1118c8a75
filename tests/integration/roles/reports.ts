import { uuidv7 } from "../../../db/ids";
import type { Fields } from "../../support/client";
import type { Role, World } from "./world";

/** The form for a report of something public; visitors and suspended players are asked for their name and address. */
export function report(_: World, role: Role): Fields {
  const guest = role === "visitor" || role === "suspended" ? { name: "Kim", email: "kim@lineup.test" } : {};
  return { id: uuidv7(), reason: "spam", ...guest };
}
