/** Waits until all of this work is done, even if some of it fails. @throws the first error, in the order of the list */
export async function settleAll(work: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((outcome) => outcome.status === "rejected");
  if (failed) throw failed.reason;
}
