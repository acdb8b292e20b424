import type { Waiting } from "@landscaper/deployer";
import { combineFailures, type DeletionResult } from "@landscaper/resources";
import { listBriefly } from "./list-briefly.ts";

/** Undefined when everything is gone. Throws when something could not be deleted. */
export function settleDeletion({ remaining, waitingFor, awaited, failures }: DeletionResult): Waiting | undefined {
  if (failures.length > 0) throw combineFailures(failures, Math.max(remaining.length, failures.length));
  if (waitingFor.length === 0) return undefined;
  return { type: "waiting", for: `the deletion of ${listBriefly(waitingFor)}`, wakeOn: awaited };
}
