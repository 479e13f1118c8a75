import { bin, ROOT } from "./build";
import { run } from "./children";

/** A tool that reads the sources and reports problems. */
export interface Check {
  name: string;
  /** The npm package that contains the command. */
  packageName: string;
  command: string;
  args?: readonly string[];
}

/** The checks that need no build, the slowest first. `npm run check` and `npm test` both run them. */
export const CHECKS: readonly Check[] = [
  { name: "Types", packageName: "typescript", command: "tsc" },
  { name: "Dead code", packageName: "knip", command: "knip", args: ["--cache"] },
  {
    name: "The ladder",
    packageName: "dependency-cruiser",
    command: "depcruise",
    args: [
      "--cache=.cache/dependency-cruiser",
      "--cache-strategy=content",
      ...["app", "db", "party", "scripts", "server.ts"],
    ],
  },
  { name: "Lint and format", packageName: "@biomejs/biome", command: "biome", args: ["check"] },
];

/**
 * Runs a check to its end.
 * @returns its exit code and, if `capture` is set, its output, which is otherwise printed
 */
export function runCheck(
  { packageName, command, args = [] }: Check,
  { capture = false } = {},
): Promise<{ code: number; output: string }> {
  return run(process.execPath, [bin(packageName, command), ...args], { capture, cwd: ROOT });
}
