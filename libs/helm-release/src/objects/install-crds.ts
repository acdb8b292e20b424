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
import { isDefinition } from "./crd-files.ts";
import { placeObjects } from "./place-objects.ts";
import { locateObjects } from "./release-objects.ts";
import type { ReleaseContext, ReleaseWait } from "../release-context.ts";

/**
 * What is done with the objects of crds/: nothing, created where they are missing (as Helm), or CRDs brought up to date as well. Charts may
 * have objects of other kinds there: like Helm, no policy changes one that exists.
 */
export type CrdPolicy = "Skip" | "Create" | "CreateReplace";

export interface InstallCrdsOptions extends Pick<ReleaseContext, "cluster" | "namespace"> {
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

/** What an installation or upgrade would make of crds/, by dry runs: the objects that it makes or changes, before and after. */
export async function planCrds(
  options: InstallCrdsOptions,
): Promise<{ readonly live: readonly UnstructuredObject[]; readonly wanted: readonly UnstructuredObject[] }> {
  const { namespace, policy = "Create", signal } = options;
  const cluster = createDryRunCluster(options.cluster);
  const { definitions, others } = splitCrds(policy === "Skip" ? [] : options.crds);
  const live: UnstructuredObject[] = [];
  const wanted: UnstructuredObject[] = [];
  for (const object of definitions) {
    const found = await findLive(cluster, referenceTo(object), signal);
    if (found !== undefined && policy === "Create") continue;
    if (found !== undefined) live.push(found);
    wanted.push((await settleCrd(object, { ...options, cluster, policy })) ?? object);
  }
  for (const object of await placeObjects(others, { cluster, namespace, definitions, signal })) {
    if ((await findLive(cluster, referenceTo(object), signal)) === undefined) wanted.push(object);
  }
  return { live, wanted };
}

/** Installs objects that do not belong to the release, so that an uninstall leaves them. Creates the others when the CRDs are established. */
export async function installCrds(options: InstallCrdsOptions): Promise<ReleaseWait | undefined> {
  const { cluster, namespace, policy = "Create", signal } = options;
  if (policy === "Skip") return undefined;
  const { definitions, others } = splitCrds(options.crds);
  for (const object of definitions) await settleCrd(object, { cluster, policy, signal });
  const open = [];
  for (const object of definitions) {
    const reference = referenceTo(object);
    if (!isEstablished(await findLive(cluster, reference, signal))) open.push(reference);
  }
  if (open.length === 0) return await createMissing(others, { cluster, namespace, signal });
  return {
    waitingFor: open.map((reference) => `${formatResource(reference)} to be established`),
    awaited: open.map((reference) => awaitObject(cluster, reference)),
  };
}

/** Leaves existing objects as they are. */
async function createMissing(
  objects: readonly UnstructuredObject[],
  { cluster, namespace, signal }: Pick<InstallCrdsOptions, "cluster" | "namespace" | "signal">,
): Promise<undefined> {
  for (const { object, type } of await locateObjects(cluster, objects, { namespace, signal })) {
    const decide = (live: UnstructuredObject | undefined): ObjectWrite =>
      live === undefined ? { type: "create", object } : { type: "none" };
    await settleObject({ cluster, type, object, decide, fieldManager: helmFieldManager, signal });
  }
  return undefined;
}

interface SplitCrds {
  readonly definitions: readonly UnstructuredObject[];
  readonly others: readonly UnstructuredObject[];
}

function splitCrds(crds: readonly UnstructuredObject[]): SplitCrds {
  return { definitions: crds.filter(isDefinition), others: crds.filter((object) => !isDefinition(object)) };
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
