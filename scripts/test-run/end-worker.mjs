// Ends workers of jest.

/** Of jest-worker's protocol between processes: nothing follows. */
const endMessage = 2;

/** Ends this worker when jest has no more work: calls `stop`, and after `graceMs` prints the open resources and exits. */
export function endWithTests({ stop, graceMs }) {
  const end = async (message) => {
    if (!Array.isArray(message) || message[0] !== endMessage) return;
    // Without a listener, the channel keeps no process alive.
    process.off("message", end);
    await stop();
    setTimeout(() => {
      const left = process.getActiveResourcesInfo().filter((name) => name !== "PipeWrap");
      console.error(`tests have left open what keeps their worker alive: ${left.join(", ") || "pipes"}`);
      process.exit(0);
    }, graceMs).unref();
  };
  process.on("message", end);
}
