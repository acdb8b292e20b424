import { annotations, isJobOpen, operations, resources, type Installation, type ResourceType } from "@landscaper/api";
import type { CommandRun } from "../command.ts";
import { runOperation, type OperationRun, type Requested } from "./operation-command.ts";
import { UsageError } from "../usage-error.ts";

/** `landscaper interrupt`: ends a job that hangs. */
export const runInterrupt: CommandRun = (input, context) =>
  runOperation(input, context, { kinds: ["Installation", "Execution", "DeployItem"], request });

const types = {
  Installation: resources.installation,
  Execution: resources.execution,
  DeployItem: resources.deployItem,
} as const;

async function request({ client, namespace, reference, context }: OperationRun): Promise<Requested> {
  const { kind, name } = reference;
  const { signal } = context;
  // What is read here, all have.
  const type = types[kind] as ResourceType<Installation>;
  const object = await client.find(type, { namespace, name }, { signal });
  if (object === undefined) throw new UsageError(`there is no ${kind} "${name}" in namespace "${namespace}"`);
  const { status, metadata } = object;
  const label = `${kind.toLowerCase()}/${name}`;
  const done = `${label} has no open job`;
  if (!isJobOpen(status) && metadata.annotations?.[annotations.operation] === undefined) {
    return { message: done, job: undefined, goal: [], done };
  }
  const body = { metadata: { annotations: { [annotations.operation]: operations.interrupt } } };
  await client.patch(type, { namespace, name }, { type: "merge", body, signal });
  return {
    message: `${label} is being interrupted`,
    job: { uid: metadata.uid ?? "", which: "running", jobID: status?.jobID },
    // However the job ends: it has ended.
    goal: ["succeeded", "failed", "gone"],
    done,
  };
}
