// Ends workers of jest.

/** Of jest-worker's protocol between processes: nothing follows. */
const endMessage = 2;

/**
 * Ends this worker when jest has no more work: calls `stop`, and after `graceMs` prints the open resources and exits. If jest
 * itself exits, the worker calls `stop` and exits with 1.
 */
export function endWithTests({ stop, graceMs }) {
  const end = async (message) => {
    if (!Array.isArray(message) || message[0] !== endMessage) return;
    // Without a listener, the channel keeps no process alive.
    process.off("message", end);
    process.off("disconnect", endAtOnce);
    await stop();
    setTimeout(() => {
      const left = process.getActiveResourcesInfo().filter((name) => name !== "PipeWrap");
      console.error(`tests have left open what keeps their worker alive: ${left.join(", ") || "pipes"}`);
      process.exit(0);
    }, graceMs).unref();
  };
  const endAtOnce = async () => {
    try {
      await stop();
    } finally {
      process.exit(1);
    }
  };
  process.on("message", end);
  process.on("disconnect", endAtOnce);
}
