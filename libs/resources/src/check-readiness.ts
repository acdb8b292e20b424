import type { UnstructuredObject } from "@landscaper/api";
import { checkRequirements, type CustomCheck } from "./custom-check.ts";
import type { ManagedResource } from "./manifest.ts";
import { mapBounded } from "./map-bounded.ts";
import { resourceFailure } from "./resource-failure.ts";
import { formatResource, resourceId, type ResourceReference } from "./resource-reference.ts";
import { findLive, findType, type TargetCluster } from "./target-cluster.ts";
import { checkWorkload } from "./workload-readiness.ts";

/** Field `readinessChecks` of a provider configuration (deployers.md §2). */
export interface ReadinessChecks {
  readonly disableDefault?: boolean | undefined;
  readonly custom?: readonly CustomCheck[] | undefined;
}

export interface ReadinessOptions {
  readonly cluster: TargetCluster;
  readonly entries: readonly ManagedResource[];
  readonly checks: ReadinessChecks | undefined;
  /** Objects that this pass has just received, by `resourceId`: not read again. */
  readonly fresh?: ReadonlyMap<string, UnstructuredObject | undefined> | undefined;
  /** Ids of objects and names of checks that an earlier pass found ready; this pass adds to it. */
  readonly ready?: Set<string> | undefined;
  /** This pass adds the ids of entries that do not exist. */
  readonly absent?: Set<string> | undefined;
  readonly clusterOf: (targetName: string) => Promise<TargetCluster>;
  readonly signal: AbortSignal;
}

const concurrency = 10;

/**
 * One pass over the default rules and then the custom checks (deployers.md §3.6). Returns what is not ready yet, each with its
 * reason; empty = all ready. Failures to read (403, 5xx) are thrown as LandscaperError: they are not "not ready".
 */
export async function checkReadiness(options: ReadinessOptions): Promise<string[]> {
  const unready = options.checks?.disableDefault === true ? [] : await checkDefaults(options);
  if (unready.length > 0) return unready;
  const open = (options.checks?.custom ?? []).filter(
    ({ name, disabled }) => disabled !== true && options.ready?.has(checkId(name)) !== true,
  );
  for (const check of open) {
    const problem = await runCustomCheck(check, options);
    if (problem === undefined) options.ready?.add(checkId(check.name));
    else unready.push(problem);
  }
  return unready;
}

function checkId(name: string): string {
  return `check ${name}`;
}

async function checkDefaults(options: ReadinessOptions): Promise<string[]> {
  const { entries, ready, signal } = options;
  const open = entries.filter(({ resource }) => ready?.has(resourceId(resource)) !== true);
  const results = await mapBounded(open, { limit: concurrency, signal }, async ({ resource }) => {
    const problem = await checkEntry(resource, options);
    if (problem === undefined) ready?.add(resourceId(resource));
    return problem;
  });
  return results.filter((problem) => problem !== undefined);
}

async function checkEntry(resource: ResourceReference, options: ReadinessOptions): Promise<string | undefined> {
  const live = options.fresh?.get(resourceId(resource)) ?? (await findLive(options.cluster, resource, options.signal));
  if (live === undefined) {
    options.absent?.add(resourceId(resource));
    return `${formatResource(resource)}: does not exist`;
  }
  const readiness = checkWorkload(live);
  return readiness.ready ? undefined : `${formatResource(resource)}: ${readiness.message}`;
}

async function runCustomCheck(check: CustomCheck, options: ReadinessOptions): Promise<string | undefined> {
  const cluster = check.targetName === undefined ? options.cluster : await options.clusterOf(check.targetName);
  for (const reference of check.resourceSelector ?? []) {
    const live = await findLive(cluster, reference, options.signal);
    if (live === undefined) return describe(check, `${formatResource(reference)} does not exist`);
    const problem = checkObject(check, live);
    if (problem !== undefined) return problem;
  }
  if (check.labelSelector === undefined) return undefined;
  const objects = await listLabelled(cluster, check.labelSelector, options.signal);
  if (objects.length === 0) return describe(check, `no ${check.labelSelector.kind} has its labels`);
  return objects.map((object) => checkObject(check, object)).find((problem) => problem !== undefined);
}

function checkObject(check: CustomCheck, object: UnstructuredObject): string | undefined {
  const readiness = checkRequirements(object, check.requirements);
  if (readiness.ready) return undefined;
  const { name, namespace } = object.metadata;
  const reference = { apiVersion: object.apiVersion, kind: object.kind, name: name ?? "", namespace };
  return describe(check, `${formatResource(reference)}: ${readiness.message}`);
}

function describe(check: CustomCheck, problem: string): string {
  return `check ${check.name}: ${problem}`;
}

async function listLabelled(
  cluster: TargetCluster,
  selector: NonNullable<CustomCheck["labelSelector"]>,
  signal: AbortSignal,
): Promise<UnstructuredObject[]> {
  const { apiVersion, kind } = selector;
  const reference = { apiVersion, kind, name: "*" };
  const type = await findType(cluster, reference, signal);
  const labelSelector = Object.entries(selector.matchLabels)
    .map(([key, value]) => `${key}=${value}`)
    .join(",");
  try {
    const { items } = await cluster.client.list(type, { labelSelector, signal });
    return items.map((item) => ({ ...item, apiVersion, kind }));
  } catch (error) {
    throw resourceFailure(error, { verb: "list", reference });
  }
}
