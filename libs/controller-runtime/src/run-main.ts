import { LandscaperError } from "@landscaper/api";
import { ApiError, ConnectionError } from "./client/api-error.ts";
import { demandNode } from "./demand-node.ts";
import { errorMessage, textMember } from "./error-members.ts";
import { LeadershipLostError } from "./leadership/lease-renewal.ts";

/** The process as runMain sees it; tests bring their own. */
export interface MainProcess {
  on(signal: "SIGTERM" | "SIGINT", listener: () => void): unknown;
  off(signal: "SIGTERM" | "SIGINT", listener: () => void): unknown;
  exit(code: number): void;
  readonly stderr: { write(text: string): unknown };
  /** `node`: such as "24.21.0". */
  readonly versions: { readonly node: string };
}

/**
 * Runs the main function of a service and ends the process. SIGTERM and SIGINT abort the signal; a second one ends the process at
 * once (code 130). Exit code 0 when `main` resolves, 1 when it rejects, and on a Node that is too old, without calling it; then stderr says
 * why, without a stack if it is the user's mistake (LandscaperError).
 */
export async function runMain(
  main: (signal: AbortSignal) => Promise<void>,
  mainProcess: MainProcess = process,
): Promise<void> {
  const abort = new AbortController();
  const onSignal = (): void => {
    if (abort.signal.aborted) mainProcess.exit(130);
    abort.abort(new Error("the process was told to stop"));
  };
  mainProcess.on("SIGTERM", onSignal);
  mainProcess.on("SIGINT", onSignal);
  const code = await run(main, abort.signal, mainProcess);
  mainProcess.off("SIGTERM", onSignal);
  mainProcess.off("SIGINT", onSignal);
  mainProcess.exit(code);
}

async function run(
  main: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
  { stderr, versions }: MainProcess,
): Promise<number> {
  try {
    demandNode(versions.node);
    await main(signal);
    return 0;
  } catch (error) {
    if (signal.aborted && error === signal.reason) return 0;
    stderr.write(`${explain(error)}\n`);
    return 1;
  }
}

/** A stack only for what can be our own mistake. */
function explain(error: unknown): string {
  if (error instanceof LandscaperError && error.hint !== undefined) {
    return `error: ${error.message}\nhint: ${error.hint}`;
  }
  const explained = [LandscaperError, ApiError, ConnectionError, LeadershipLostError];
  const isExplained = explained.some((kind) => error instanceof kind);
  return `error: ${(isExplained ? undefined : textMember(error, "stack")) ?? errorMessage(error)}`;
}
