/**
 * Measures the CPU time that this process spends on some work, in milliseconds. Unlike elapsed time, it hardly depends
 * on what else runs on the machine.
 */
export function measureCpuTime(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
