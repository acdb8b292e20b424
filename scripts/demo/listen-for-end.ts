/** The process as listenForEnd sees it; tests bring their own. */
export interface DemoProcess {
  on(signal: "SIGHUP" | "SIGTERM", listener: () => void): unknown;
  once(signal: "SIGINT", listener: () => void): unknown;
  readonly stdout: DemoOutput;
  readonly stderr: DemoOutput;
}

interface DemoOutput {
  on(event: "error", listener: () => void): unknown;
}

/**
 * Returns a signal that is aborted when the demo must end: by Ctrl-C, when its terminal is closed, or when its output has no reader, as in
 * `npm run demo | head`. A second Ctrl-C ends the process at once.
 */
export function listenForEnd(demo: DemoProcess = process): AbortSignal {
  const controller = new AbortController();
  const end = (): void => controller.abort();
  demo.once("SIGINT", end);
  // Both may arrive twice: a closed terminal signals by kernel and shell, and a signal to the process group comes from the parent as well.
  demo.on("SIGTERM", end);
  demo.on("SIGHUP", end);
  demo.stdout.on("error", end);
  demo.stderr.on("error", end);
  return controller.signal;
}
