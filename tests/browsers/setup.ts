import setupBuild from "../support/build";
import { expectBrowsers } from "./browsers";

/** The global setup: reports missing browsers first, before it builds anything. */
export default async function setup(): Promise<void> {
  expectBrowsers();
  await setupBuild();
}
