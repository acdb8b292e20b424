/** Work without a pause (ms) after which timers and sockets get their turn. */
const turnMs = 15;

/**
 * Work that waits for its turn, of the whole process, as the event loop is: with a queue for each job, all jobs would work in the same turn of the
 * loop.
 */
const waiting: (() => void)[] = [];

/** To be awaited before long work on the main thread: timers, sockets, and others that wait go first. One at a time goes on. */
export async function ownTurn(): Promise<void> {
  await new Promise<void>((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(goOn);
  });
}

function goOn(): void {
  waiting.shift()?.();
  // In the next turn of the loop.
  if (waiting.length > 0) setImmediate(goOn);
}

/** To be awaited between parts of long work on the main thread: lets others have their turn when this one has worked for long. */
export function createBreather(): () => Promise<void> {
  let sinceMs = performance.now();
  return async () => {
    if (performance.now() - sinceMs < turnMs) return;
    await ownTurn();
    sinceMs = performance.now();
  };
}
