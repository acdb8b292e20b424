/** Runs `work` for 0..count-1, at most `inFlight` at a time. */
export async function runInParallel(
  count: number,
  inFlight: number,
  work: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  async function worker(): Promise<void> {
    while (next < count) {
      next += 1;
      await work(next - 1);
    }
  }
  await Promise.all(Array.from({ length: Math.min(inFlight, count) }, worker));
}
