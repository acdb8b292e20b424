import { annotations, keyOf, resources } from "@landscaper/api";
import { nowOf, type Core } from "../../core.ts";
import { startJob } from "../../job-status.ts";
import { annotationOf } from "../../object-reading.ts";
import { storeExecutionStatus, withExecutionStatus, type ExecutionPass } from "../execution-pass.ts";

/**
 * Starts the deletion job of an Execution without Installation. Then removes the annotation `operation`: the core sets it on creation, and after a failed job it would
 * start the next one. After a crash between the two writes, one job too many runs.
 */
export async function startDeletion(core: Core, pass: ExecutionPass, signal: AbortSignal): Promise<ExecutionPass> {
  core.lostAccess.noteStart({ kind: "Execution", object: pass.execution });
  const started = withExecutionStatus(pass, startJob(pass.status, core.newJobId(), nowOf(core)));
  const stored = await storeExecutionStatus(core, started, { signal });
  if (annotationOf(stored.execution, annotations.operation) === undefined) return stored;
  const body = { metadata: { annotations: { [annotations.operation]: null } } };
  const key = keyOf(stored.execution);
  return { ...stored, execution: await core.client.patch(resources.execution, key, { type: "merge", body, signal }) };
}
