import type { Connection } from "../client/connection/connection.ts";
import type { Clock, Logger } from "../controller-interface.ts";
import { startHttpServer, type HttpServer } from "../observability/http-server.ts";
import { createProblemBoard } from "./problem-board.ts";
import { explainProblem } from "./run-preparations.ts";

export interface WaitForConnectionOptions<T> {
  /** Reads the kubeconfigs; throws a LandscaperError for one that cannot be used. */
  readonly load: () => Promise<T>;
  /** Of the health server; 0 for none. */
  readonly port: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Pause (ms) before the kubeconfigs are read again. */
const retryMs = 2_000;

/**
 * The connections as `load` reads them. A process with a health server stays when a kubeconfig cannot be used: it says so there and in the log,
 * and goes on when the file is corrected, as a Secret that is mounted can be. One without ends with the error.
 */
export async function waitForConnection<T = Connection>(
  { load, port, clock, log }: WaitForConnectionOptions<T>,
  signal: AbortSignal,
): Promise<T> {
  if (port === 0) return await load();
  const problems = createProblemBoard(log);
  let server: HttpServer | undefined;
  try {
    for (;;) {
      try {
        return await load();
      } catch (error) {
        const problem = explainProblem(error);
        if (problem === undefined) throw error;
        problems.set("kubeconfig", problem);
        server ??= await startHttpServer({ port, notReady: () => problems.read() });
        await clock.sleep(retryMs, signal);
      }
    }
  } finally {
    await server?.close();
  }
}
