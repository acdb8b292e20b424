import type { UnstructuredObject } from "@landscaper/api";
import {
  awaitObject,
  createDryRunCluster,
  findLive,
  formatResource,
  isEstablished,
  referenceTo,
  settleObject,
  type ObjectWrite,
} from "@landscaper/resources";
import { helmFieldManager } from "./apply-objects.ts";
import type { ReleaseContext, ReleaseWait } from "../release-context.ts";

/** What is done with the manifests of crds/: nothing, made when they are not there (as Helm), or brought up to date as well. */
export type CrdPolicy = "Skip" | "Create" | "CreateReplace";

export interface InstallCrdsOptions extends Pick<ReleaseContext, "cluster"> {
  readonly crds: readonly UnstructuredObject[];
  /** Default "Create". */
  readonly policy: CrdPolicy | undefined;
  readonly signal: AbortSignal;
}

const crdType = {
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  namespaced: false,
} as const;

/** What an installation or upgrade would make of the definitions, by dry runs: those that it makes or changes, before and after. */
export async function planCrds(
  options: InstallCrdsOptions,
): Promise<{ readonly live: readonly UnstructuredObject[]; readonly wanted: readonly UnstructuredObject[] }> {
  const { crds, policy = "Create", signal } = options;
  const cluster = createDryRunCluster(options.cluster);
  const live: UnstructuredObject[] = [];
  const wanted: UnstructuredObject[] = [];
  for (const object of policy === "Skip" ? [] : crds) {
    const found = await findLive(cluster, referenceTo(object), signal);
    if (found !== undefined && policy === "Create") continue;
    if (found !== undefined) live.push(found);
    wanted.push((await settleCrd(object, { ...options, cluster, policy })) ?? object);
  }
  return { live, wanted };
}

/** They are no part of the release: an uninstall leaves them. Waits until they are established. */
export async function installCrds(options: InstallCrdsOptions): Promise<ReleaseWait | undefined> {
  const { cluster, crds, policy = "Create", signal } = options;
  if (policy === "Skip") return undefined;
  for (const object of crds) {
    await settleCrd(object, { cluster, policy, signal });
  }
  const open = [];
  for (const object of crds) {
    const reference = referenceTo(object);
    if (!isEstablished(await findLive(cluster, reference, signal))) open.push(reference);
  }
  if (open.length === 0) return undefined;
  return {
    waitingFor: open.map((reference) => `${formatResource(reference)} to be established`),
    awaited: open.map((reference) => awaitObject(cluster, reference)),
  };
}

async function settleCrd(
  object: UnstructuredObject,
  { cluster, policy, signal }: Pick<InstallCrdsOptions, "cluster" | "policy" | "signal">,
): Promise<UnstructuredObject | undefined> {
  const decide = (live: UnstructuredObject | undefined): ObjectWrite => {
    if (live === undefined) return { type: "create", object };
    return policy === "Create" ? { type: "none" } : replaceSpec(live, object);
  };
  return await settleObject({ cluster, type: crdType, object, decide, fieldManager: helmFieldManager, signal });
}

function replaceSpec(live: UnstructuredObject, object: UnstructuredObject): ObjectWrite {
  const { labels, annotations } = object.metadata;
  const metadata = {
    ...live.metadata,
    labels: { ...live.metadata.labels, ...labels },
    annotations: { ...live.metadata.annotations, ...annotations },
  };
  return { type: "replace", object: { ...live, metadata, spec: object["spec"] } };
}
