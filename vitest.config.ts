import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  // The same as in tsconfig.json.
  resolve: {
    alias: [
      { find: /^~\//, replacement: here("./app/") },
      { find: /^#db\//, replacement: here("./db/") },
      { find: /^#party\//, replacement: here("./party/") },
    ],
  },
  test: {
    pool: "forks",
    // More workers than two cores need, because tests wait for sockets and for time to pass.
    maxWorkers: 3,
    projects: [
      // Property tests run hundreds of cases, and CI machines are slow.
      {
        extends: true,
        test: {
          name: "unit",
          include: ["tests/unit/**/*.test.{ts,tsx}"],
          testTimeout: 60_000,
          // The files share loaded modules, which takes 22 s of CPU time instead of 38.
          isolate: false,
        },
      },
      // Tests of rules with so many cases that they take a minute: part of `npm test`, not of `npm run check`.
      { extends: true, test: { name: "properties", include: ["tests/properties/**/*.test.ts"], testTimeout: 240_000 } },
      {
        extends: true,
        test: {
          name: "integration",
          include: ["tests/integration/**/*.test.ts"],
          globalSetup: "./tests/support/build.ts",
          setupFiles: "./tests/integration/setup.ts",
          // The files share loaded modules, which takes a fifth less CPU time (docs/decisions/0059-faster-tests.md).
          isolate: false,
          // Everything here is real (workerd, libSQL, sockets, password hashing), and CI machines are slow.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // As for browser tests: `npm test` names each test that needed a retry.
          retry: 1,
        },
      },
      {
        extends: true,
        test: {
          name: "bench",
          include: ["tests/bench/checks/**/*.test.ts"],
          globalSetup: "./tests/support/build.ts",
          // One file at a time, because they measure.
          fileParallelism: false,
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      // Browsers other than Chromium (`npm run test:browsers`): not part of `npm test`.
      {
        extends: true,
        test: {
          name: "browsers",
          include: ["tests/browsers/**/*.test.ts"],
          globalSetup: "./tests/browsers/setup.ts",
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
