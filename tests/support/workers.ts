import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** The number of clock ticks per second. Linux counts CPU time in ticks. */
const TICKS_PER_SECOND = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** Finds the processes of a program that this process has started (on Linux). */
export function findChildren(program: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const [, name, rest = ""] = /\((.*)\) (.*)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
        return name === program && Number(rest.split(" ")[1]) === process.pid;
      } catch {
        // The process has ended in the meantime.
        return false;
      }
    });
}

/** Returns the CPU time that a process has used so far, in milliseconds. */
export function cpuTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1_000;
}

/** Returns the resident memory of a process, in bytes. */
export function residentMemory(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1_024;
}
