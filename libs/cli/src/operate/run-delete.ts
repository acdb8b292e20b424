import { annotations, installationPhases, isJobOpen, operations, resources, type Installation } from "@landscaper/api";
import { flagOption, type CommandInput, type CommandRun } from "../command.ts";
import { checkRoot, fetchInstallation, runOperation, type OperationRun, type Requested } from "./operation-command.ts";

/** `landscaper delete`: uninstalls and deletes. */
export const runDelete: CommandRun = (input, context) =>
  runOperation(input, context, { kinds: ["Installation"], request });

async function request(run: OperationRun): Promise<Requested> {
  const before = await fetchInstallation(run);
  checkRoot(before, "deletes");
  const { client, namespace, reference, context, input } = run;
  const key = { namespace, name: reference.name };
  const { signal } = context;
  const isAgain = before.metadata.deletionTimestamp !== undefined;
  const retry = isAgain ? retryAnnotations(before) : {};
  const wanted = { ...requestedAnnotations(input), ...retry };
  const body = { metadata: { annotations: wanted } };
  if (Object.keys(wanted).length > 0) await client.patch(resources.installation, key, { type: "merge", body, signal });
  const uid = before.metadata.uid ?? "";
  if (!isAgain) await client.delete(resources.installation, key, { uid, signal });
  const isRetry = Object.keys(retry).length > 0;
  const what = isRetry ? "starts another deletion job" : isAgain ? "is being deleted already" : "is being deleted";
  const how = flagOption(input, "withoutUninstall") ? ": what is still installed stays on the targets" : "";
  return {
    message: `installation/${reference.name} ${what}${how}`,
    job: { uid, which: isAgain && isJobOpen(before.status) ? "running" : "new", jobID: before.status?.jobID },
    goal: ["gone"],
    done: `installation/${reference.name} deleted`,
  };
}

function requestedAnnotations(input: CommandInput): Readonly<Record<string, string>> {
  return {
    ...(flagOption(input, "withoutUninstall") ? { [annotations.deleteWithoutUninstall]: "true" } : {}),
    ...(flagOption(input, "ignoreSuccessors") ? { [annotations.deleteIgnoreSuccessors]: "true" } : {}),
  };
}

/** A deletion that has failed is tried again when it is triggered. */
function retryAnnotations({ status }: Installation): Readonly<Record<string, string>> {
  const hasFailed = status?.phase === installationPhases.deleteFailed && !isJobOpen(status);
  return hasFailed ? { [annotations.operation]: operations.reconcile } : {};
}
