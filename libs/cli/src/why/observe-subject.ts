import { resources } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import type { ObjectReference } from "../object-reference.ts";
import { loadTree } from "../tree/load-tree.ts";
import type { TreeObjects } from "../tree/object-index.ts";
import { UsageError } from "../usage-error.ts";
import type { Subject } from "./explain-context.ts";
import type { ObservedSubject } from "./explain.ts";

export interface ObserveOptions {
  readonly client: Client;
  readonly namespace: string;
  readonly signal: AbortSignal;
}

/** Reads what an explanation is made from. Of Targets only the names: what they hold is nobody's business. */
export async function observeSubject(reference: ObjectReference, options: ObserveOptions): Promise<ObservedSubject> {
  const [objects, targets] = await Promise.all([loadTree(options.client, options), listTargetNames(options)]);
  const subject = findSubject(reference, objects);
  if (subject === undefined) {
    throw new UsageError(`there is no ${reference.kind} "${reference.name}" in namespace "${options.namespace}"`);
  }
  return { subject, objects, targets };
}

export async function listTargetNames({
  client,
  namespace,
  signal,
}: Pick<ObserveOptions, "client" | "namespace"> & Partial<Pick<ObserveOptions, "signal">>): Promise<
  ReadonlySet<string>
> {
  const { items } = await client.list(resources.target, { namespace, signal, metadataOnly: true });
  return new Set(items.map(({ metadata }) => metadata.name ?? ""));
}

/** The object that the reference names. */
export function findSubject({ kind, name }: ObjectReference, objects: TreeObjects): Subject | undefined {
  const lists: Record<ObjectReference["kind"], readonly Subject[]> = {
    Installation: objects.installations,
    Execution: objects.executions,
    DeployItem: objects.deployItems,
  };
  return lists[kind].find(({ metadata }) => metadata.name === name);
}
