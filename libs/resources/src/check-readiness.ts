import { LandscaperError, type ReadinessLevel, type UnstructuredObject } from "@landscaper/api";
import { checkObject, isStatusUpToDate } from "./check-object.ts";
import { checkRequirements, type CustomCheck } from "./custom-check.ts";
import { diagnoseWorkload } from "./diagnose-workload.ts";
import type { ManagedResource } from "./manifest.ts";
import { mapBounded } from "./map-bounded.ts";
import { combineFailures, resourceFailure } from "./resource-failure.ts";
import { formatResource, referenceTo, resourceId, type ResourceReference } from "./resource-reference.ts";
import { findLive, findType, type TargetCluster } from "./target-cluster.ts";

/** Field `readinessChecks` of a provider configuration (deployers.md §2). */
export interface ReadinessChecks {
  readonly disableDefault?: boolean | undefined;
  /** Rules of the default checks; "default" when absent. */
  readonly level?: ReadinessLevel | undefined;
  /** Whether to give up on what waiting cannot repair; by default with level "kstatus". */
  readonly failFast?: boolean | undefined;
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
  /** When objects were first found failed, by `resourceId`; kept over the passes of a job. Without it the first look counts. */
  readonly suspects?: Map<string, number> | undefined;
  /** Time in ms, for `suspects`. */
  readonly now?: number | undefined;
  readonly clusterOf: (targetName: string) => Promise<TargetCluster>;
  readonly signal: AbortSignal;
}

const concurrency = 10;
/** How long a failure must last (ms) that may be about a former spec, because the status does not tell which one it has seen. */
const suspicionMs = 10_000;

/**
 * One pass over the default rules and then the custom checks (deployers.md §3.6). Returns what is not ready yet, each with its
 * reason; empty = all ready. Failures to read (403, 5xx) are thrown as LandscaperError: they are not "not ready". So is what
 * waiting cannot repair (reason ResourceFailed, never retried), where the checks ask to fail fast.
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
  const failures: LandscaperError[] = [];
  const results = await mapBounded(open, { limit: concurrency, signal }, async ({ resource }) => {
    const { problem, isFatal } = await checkEntry(resource, options);
    if (problem === undefined) ready?.add(resourceId(resource));
    else if (isFatal === true) failures.push(resourceFailed(problem));
    return problem;
  });
  if (failures.length > 0) throw combineFailures(failures, entries.length);
  return results.filter((problem) => problem !== undefined);
}

interface EntryResult {
  /** Undefined: ready. */
  readonly problem?: string | undefined;
  readonly isFatal?: boolean;
}

async function checkEntry(resource: ResourceReference, options: ReadinessOptions): Promise<EntryResult> {
  const { checks, cluster, signal } = options;
  const live = options.fresh?.get(resourceId(resource)) ?? (await findLive(cluster, resource, signal));
  if (live === undefined) {
    options.absent?.add(resourceId(resource));
    return { problem: `${formatResource(resource)}: does not exist` };
  }
  const level = checks?.level ?? "default";
  const readiness = checkObject(live, level);
  if (readiness.ready) return {};
  const failsFast = checks?.failFast ?? level === "kstatus";
  const diagnosis = failsFast ? await diagnoseWorkload(cluster, live, signal) : undefined;
  const problem = `${formatResource(resource)}: ${diagnosis?.message ?? readiness.message}`;
  return { problem, isFatal: diagnosis !== undefined && isConfirmed(live, options) };
}

/** A status that may be about a former spec counts only when it stays. */
function isConfirmed(live: UnstructuredObject, { suspects, now = 0 }: ReadinessOptions): boolean {
  if (suspects === undefined || isStatusUpToDate(live)) return true;
  const id = resourceId(referenceTo(live));
  const since = suspects.get(id) ?? now;
  suspects.set(id, since);
  return now - since >= suspicionMs;
}

function resourceFailed(message: string): LandscaperError {
  return new LandscaperError({ message, reason: "ResourceFailed", retry: "never" });
}

async function runCustomCheck(check: CustomCheck, options: ReadinessOptions): Promise<string | undefined> {
  const cluster = check.targetName === undefined ? options.cluster : await options.clusterOf(check.targetName);
  for (const reference of check.resourceSelector ?? []) {
    const live = await findLive(cluster, reference, options.signal);
    if (live === undefined) return describe(check, `${formatResource(reference)} does not exist`);
    const problem = checkRules(check, live);
    if (problem !== undefined) return problem;
  }
  if (check.labelSelector === undefined) return undefined;
  const objects = await listLabelled(cluster, check.labelSelector, options.signal);
  if (objects.length === 0) return describe(check, `no ${check.labelSelector.kind} has its labels`);
  return objects.map((object) => checkRules(check, object)).find((problem) => problem !== undefined);
}

function checkRules(check: CustomCheck, object: UnstructuredObject): string | undefined {
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
