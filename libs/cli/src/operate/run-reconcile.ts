import { annotations, operations, resources } from "@landscaper/api";
import type { CommandRun } from "../command.ts";
import { checkRoot, fetchInstallation, runOperation, type OperationRun, type Requested } from "./operation-command.ts";

/** `landscaper reconcile`: starts a job. */
export const runReconcile: CommandRun = (input, context) =>
  runOperation(input, context, { kinds: ["Installation"], request });

async function request(run: OperationRun): Promise<Requested> {
  checkRoot(await fetchInstallation(run), "reconciles");
  const { client, namespace, reference, context } = run;
  const { name } = reference;
  const { metadata, status } = await client.patch(
    resources.installation,
    { namespace, name },
    {
      type: "merge",
      body: { metadata: { annotations: { [annotations.operation]: operations.reconcile } } },
      signal: context.signal,
    },
  );
  const isDeletion = metadata.deletionTimestamp !== undefined;
  return {
    message: `installation/${name} triggered`,
    job: { uid: metadata.uid ?? "", which: "new", jobID: status?.jobID },
    goal: isDeletion ? ["gone"] : ["succeeded"],
    done: `installation/${name} ${isDeletion ? "deleted" : "succeeded"}`,
  };
}
