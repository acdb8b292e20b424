// How a worker of jest ends: by itself, once its tests have closed what they have opened.

/** Of jest-worker's protocol between processes: nothing follows. */
const endMessage = 2;

/**
 * Lets this worker end when jest has no more work for it. `stop` ends what the worker has kept from one test file to the next. What tests have left open is
 * named on stderr after `graceMs`, and ends with the worker: jest would kill it later without a name.
 */
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
