import { annotations, keyOf, resources } from "@landscaper/api";
import { nowOf, type Core } from "../../core.ts";
import { startJob } from "../../job-status.ts";
import { annotationOf } from "../../object-reading.ts";
import { storeExecutionStatus, withExecutionStatus, type ExecutionPass } from "../execution-pass.ts";

/**
 * Opens a job for the deletion of an Execution without Installation. Then the annotation `operation` goes, which starts another one after a failed job: the core
 * itself has set it when it created the Execution. A crash between costs one job more.
 */
export async function startDeletion(core: Core, pass: ExecutionPass, signal: AbortSignal): Promise<ExecutionPass> {
  const started = withExecutionStatus(pass, startJob(pass.status, core.newJobId(), nowOf(core)));
  const stored = await storeExecutionStatus(core, started, { signal });
  if (annotationOf(stored.execution, annotations.operation) === undefined) return stored;
  const body = { metadata: { annotations: { [annotations.operation]: null } } };
  const key = keyOf(stored.execution);
  return { ...stored, execution: await core.client.patch(resources.execution, key, { type: "merge", body, signal }) };
}
