import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";

/** A program that we started in a process group of its own, so that it ends together with its own children. */
export interface Child {
  process: ChildProcess;
  /** Resolves with the exit code when the program has ended (128 + n after a signal). */
  exited: Promise<number>;
  /** Asks the group to end, and kills it if it is still running after `grace` milliseconds. */
  stop(grace?: number): Promise<void>;
}

/**
 * Starts a program that must not outlive this process. Ctrl-C in a terminal reaches only this process, which then stops
 * its children in order. If this process is killed, its pipe to a small shell closes, and the shell ends the program.
 */
export function startChild(command: string, args: readonly string[], options: SpawnOptions = {}): Child {
  const child = spawn(command, args, { ...options, detached: true });
  const group = child.pid === undefined ? undefined : -child.pid;
  const exited = new Promise<number>((resolve) => {
    child.once("exit", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
    child.once("error", () => resolve(127));
  });
  const signal = (name: NodeJS.Signals) => {
    try {
      if (group !== undefined) process.kill(group, name);
    } catch {
      // The whole group has ended.
    }
  };
  const killAtExit = () => signal("SIGKILL");
  process.on("exit", killAtExit);
  const watchdog =
    group === undefined
      ? undefined
      : spawn("/bin/sh", ["-c", 'cat >/dev/null; kill -s TERM -- "$1" 2>/dev/null', "watchdog", String(group)], {
          stdio: ["pipe", "ignore", "ignore"],
          detached: true,
        });
  watchdog?.on("error", () => undefined);
  watchdog?.unref();
  (watchdog?.stdin as { unref?: () => void } | null | undefined)?.unref?.();
  void exited.then(() => {
    process.off("exit", killAtExit);
    watchdog?.kill("SIGKILL");
  });

  return {
    process: child,
    exited,
    async stop(grace = 3_000) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      signal("SIGTERM");
      const timer = setTimeout(() => signal("SIGKILL"), grace);
      await exited;
      clearTimeout(timer);
      // Kills children that the program left behind.
      signal("SIGKILL");
    },
  };
}

/**
 * Runs a program to its end.
 * @returns its exit code and, if `capture` is set, its output (which otherwise goes to our own)
 */
export async function run(
  command: string,
  args: readonly string[],
  { capture = false, ...options }: SpawnOptions & { capture?: boolean } = {},
): Promise<{ code: number; output: string }> {
  const child = startChild(command, args, {
    stdio: capture ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
    ...options,
  });
  let output = "";
  const ends: Promise<unknown>[] = [];
  for (const stream of [child.process.stdout, child.process.stderr]) {
    if (!stream) continue;
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    ends.push(once(stream, "end"));
  }
  const code = await child.exited;
  if (code !== 127) await Promise.all(ends);
  return { code, output };
}

/**
 * Shuts the process down in an orderly way on the first SIGINT, SIGTERM or SIGHUP. Ignores later signals, because the
 * terminal sends Ctrl-C to the process and npm forwards it again. The process exits anyway if `stop` takes longer than
 * `deadline` milliseconds.
 */
export function stopOnSignal(stop: () => Promise<void>, deadline = 5_000): void {
  let stopping = false;
  const onSignal = () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), deadline).unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, onSignal);
}
