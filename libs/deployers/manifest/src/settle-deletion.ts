import type { DeployContext, Waiting } from "@landscaper/deployer";
import { combineFailures, type DeletionResult } from "@landscaper/resources";
import { listBriefly } from "./list-briefly.ts";

/**
 * Undefined when everything is gone. Throws when something could not be deleted. What was left is said in the log, what could not be done in the log and as
 * a warning.
 */
export function settleDeletion(
  { remaining, waitingFor, awaited, failures, left, problems }: DeletionResult,
  { log, warn }: Pick<DeployContext<unknown>, "log" | "warn">,
): Waiting | undefined {
  if (left.length > 0) log.warn({ objects: left }, "not deleted: the objects do not bear the mark of the deploy item");
  for (const problem of problems) {
    log.warn({}, problem.message);
    warn(problem);
  }
  if (failures.length > 0) throw combineFailures(failures, Math.max(remaining.length, failures.length));
  if (waitingFor.length === 0) return undefined;
  return { type: "waiting", for: `the deletion of ${listBriefly(waitingFor)}`, wakeOn: awaited };
}
