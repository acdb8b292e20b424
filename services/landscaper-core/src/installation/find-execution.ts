import { keyOf, type Execution, type Installation } from "@landscaper/api";
import type { CoreInformers } from "../core.ts";
import { controllerOf, uidOf } from "../object-reading.ts";

/** The Execution of an Installation: it bears its name. One of an earlier Installation of that name is none. */
export function findExecution(
  { executions }: Pick<CoreInformers, "executions">,
  installation: Installation,
): Execution | undefined {
  const execution = executions.lister.get(keyOf(installation));
  if (execution === undefined) return undefined;
  return controllerOf(execution, "Installation")?.uid === uidOf(installation) ? execution : undefined;
}
