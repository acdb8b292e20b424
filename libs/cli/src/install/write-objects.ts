import {
  kubeResources,
  labels,
  parentOf,
  resources,
  type Installation,
  type KubeObject,
  type ResourceType,
} from "@landscaper/api";
import { retryLostRaces, type Client } from "@landscaper/controller-runtime";
import { isDeepEqual } from "@landscaper/patch";
import { UsageError } from "../usage-error.ts";
import type { InstallPlan, PlannedObject } from "./plan-objects.ts";

export interface WriteOptions {
  readonly client: Client;
  readonly namespace: string;
  readonly signal: AbortSignal;
  /** Told of each object that was written. */
  readonly write: (text: string) => void;
}

/** Throws UsageError for the first object that somebody else has made, before anything is written. */
export async function checkObjects({ before, installation }: InstallPlan, options: WriteOptions): Promise<void> {
  const planned: readonly PlannedObject[] = [...before, { type: resources.installation, object: installation }];
  for (const { type, object } of planned) {
    const { namespace, name = "" } = object.metadata;
    const found = await options.client.find(type, { namespace, name }, { signal: options.signal });
    if (found !== undefined) checkOwn(found, installation);
  }
}

/** Writes what the Installation needs, then the Installation with the request for a job. Resolves to it as it is stored. */
export async function writeObjects(plan: InstallPlan, options: WriteOptions): Promise<Installation> {
  const merge = (existing: KubeObject, desired: KubeObject): KubeObject => overlay(existing, desired);
  for (const planned of plan.before) await writeObject(planned, { ...options, plan, merge });
  const { installation: object } = plan;
  return await writeObject({ type: resources.installation, object }, { ...options, plan, merge: mergeInstallation });
}

/** Deletes what earlier calls have written for the Installation and this one has not: to be called when nothing uses it any more. */
export async function pruneObjects({ before, installation }: InstallPlan, options: WriteOptions): Promise<void> {
  const labelSelector = `${labels.installOf}=${installation.metadata.name ?? ""}`;
  const wanted = new Set(before.map(({ object }) => keyText(object)));
  const { client, namespace, signal } = options;
  for (const type of [resources.dataObject, resources.target, kubeResources.secret, resources.context] as const) {
    const { items } = await client.list<KubeObject>(type, { namespace, labelSelector, signal });
    for (const { metadata } of items) {
      const { name = "", uid } = metadata;
      // The core's copies in the scopes of Installations have the labels of what they were copied from.
      const isCopy = metadata.labels?.[labels.dataContext] !== undefined;
      if (isCopy || wanted.has(keyText({ kind: type.kind, metadata }))) continue;
      await client.delete<KubeObject>(type, { namespace, name }, { uid, signal });
      options.write(`deleted: ${type.kind.toLowerCase()}/${name}\n`);
    }
  }
}

function keyText({ kind, metadata }: Pick<KubeObject, "kind" | "metadata">): string {
  return `${kind}/${metadata.name ?? ""}`;
}

interface MergeOptions<T extends KubeObject> extends WriteOptions {
  readonly plan: InstallPlan;
  readonly merge: (existing: T, desired: T) => T;
}

/** Other writers, such as the core, may be at work at the same time. */
const maxAttempts = 5;

async function writeObject<T extends KubeObject>(
  { type, object }: { readonly type: ResourceType<T>; readonly object: T },
  { client, signal, write, plan, merge }: MergeOptions<T>,
): Promise<T> {
  const { namespace, name = "" } = object.metadata;
  const text = `${object.kind.toLowerCase()}/${name}`;
  return await retryLostRaces(maxAttempts, async () => {
    const existing = await client.find(type, { namespace, name }, { signal });
    if (existing === undefined) {
      const created = await client.create(type, object, { signal });
      write(`created: ${text}\n`);
      return created;
    }
    checkOwn(existing, plan.installation);
    const merged = merge(existing, object);
    if (isDeepEqual(merged, existing)) {
      write(`unchanged: ${text}\n`);
      return existing;
    }
    const updated = await client.update(type, merged, { signal });
    write(`updated: ${text}\n`);
    return updated;
  });
}

/** Throws UsageError for what this command has not written for this Installation. */
function checkOwn(found: KubeObject, { metadata: { name: installation = "" } }: Installation): void {
  const { name = "", namespace = "", labels: marks, deletionTimestamp } = found.metadata;
  const where = `${found.kind} "${name}" in namespace "${namespace}"`;
  const owner = marks?.[labels.installOf];
  if (owner !== installation || (found.kind === "Installation" && parentOf(found) !== undefined)) {
    const maker = owner === undefined ? "was not written by landscaper install" : `belongs to Installation "${owner}"`;
    throw new UsageError(`${where} is there already and ${maker}; choose another --name`);
  }
  if (deletionTimestamp !== undefined) throw new UsageError(`${where} is being deleted; try again when it is gone`);
}

/** The fields of `desired`; everything else stays. */
function overlay<T extends KubeObject>(existing: T, desired: T): T {
  const { metadata } = existing;
  return {
    ...existing,
    ...desired,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, ...desired.metadata.labels },
      ...(desired.metadata.annotations === undefined
        ? {}
        : { annotations: { ...metadata.annotations, ...desired.metadata.annotations } }),
    },
  };
}

/** Fields of the specification that the command never writes stay, such as exports. */
export function mergeInstallation(existing: Installation, desired: Installation): Installation {
  const { context: _, componentDescriptor: __, blueprint: ___, imports: ____, ...kept } = existing.spec;
  const { status } = existing;
  return {
    ...overlay(existing, desired),
    spec: { ...kept, ...desired.spec },
    ...(status === undefined ? {} : { status }),
  };
}
