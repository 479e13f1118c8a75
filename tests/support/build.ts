import { build } from "../../scripts/local/build";

/** The global setup of Vitest and Playwright: the tests run the production build. */
export default async function setup(): Promise<void> {
  await build();
}
