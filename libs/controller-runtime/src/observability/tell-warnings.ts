import type { Warning } from "@landscaper/api";
import type { Logger } from "../controller-interface.ts";

/** One line for each. */
export function tellWarnings(log: Pick<Logger, "warn">, warnings: readonly Warning[]): void {
  for (const { reason, message } of warnings) log.warn({ reason }, message);
}
