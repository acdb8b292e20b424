import { formatKey, keyOf, type Execution, type Installation } from "@landscaper/api";
import type { CoreInformers } from "../core.ts";
import { controllerOf, uidOf } from "../object-reading.ts";

/** Whether the Execution belongs to the Installation: by name and by owner. */
export function isExecutionOf(execution: Execution, installation: Installation): boolean {
  const isNamed = formatKey(keyOf(execution)) === formatKey(keyOf(installation));
  return isNamed && controllerOf(execution, "Installation")?.uid === uidOf(installation);
}

/** The Execution of an Installation: it bears its name. One of an earlier Installation of that name is none. */
export function findExecution(
  { executions }: Pick<CoreInformers, "executions">,
  installation: Installation,
): Execution | undefined {
  const execution = executions.lister.get(keyOf(installation));
  return execution !== undefined && isExecutionOf(execution, installation) ? execution : undefined;
}

/** The existing Installation that owns the Execution and starts its jobs. */
export function findInstallation(
  { installations }: Pick<CoreInformers, "installations">,
  execution: Execution,
): Installation | undefined {
  const installation = installations.lister.get(keyOf(execution));
  return installation !== undefined && isExecutionOf(execution, installation) ? installation : undefined;
}
