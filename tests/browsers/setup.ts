import setupBuild from "../support/build";
import { expectBrowsers } from "./browsers";

/** The global setup: says at once what is missing, before anything is built. */
export default async function setup(): Promise<void> {
  expectBrowsers();
  await setupBuild();
}
