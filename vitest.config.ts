import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  // As in tsconfig.json.
  resolve: {
    alias: [
      { find: /^~\//, replacement: here("./app/") },
      { find: /^#db\//, replacement: here("./db/") },
      { find: /^#party\//, replacement: here("./party/") },
    ],
  },
  test: {
    pool: "forks",
    maxWorkers: 2,
    projects: [
      // Properties run hundreds of cases, and CI machines are slow.
      { extends: true, test: { name: "unit", include: ["tests/unit/**/*.test.{ts,tsx}"], testTimeout: 60_000 } },
      // Rules as those of unit tests, in so many cases that they take a minute: run by `npm test`, not by `npm run check`.
      { extends: true, test: { name: "properties", include: ["tests/properties/**/*.test.ts"], testTimeout: 240_000 } },
      {
        extends: true,
        test: {
          name: "integration",
          include: ["tests/integration/**/*.test.ts"],
          globalSetup: "./tests/support/build.ts",
          // Everything is real here (workerd, libSQL, sockets, password hashing), and CI machines are slow.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // As browser tests: `npm test` names each that needed it.
          retry: 1,
        },
      },
      {
        extends: true,
        test: {
          name: "bench",
          include: ["tests/bench/**/*.test.ts"],
          globalSetup: "./tests/support/build.ts",
          // One at a time: they measure.
          fileParallelism: false,
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
});
