import { setImmediate } from "node:timers/promises";
import { LandscaperError, type ReadinessLevel, type UnstructuredObject } from "@landscaper/api";
import { awaitObject, type AwaitedObjects } from "./awaited-objects.ts";
import { healthCheckTooExpensive, type HealthChecker, type HealthOptions } from "../health/health-checker.ts";
import { checkObject, isStatusUpToDate, toReadiness } from "./check-object.ts";
import { checkRequirements, type CheckedLabels, type CustomCheck } from "./custom-check.ts";
import { lacksStatus, type EmptyStatuses, type EmptyStatusRules } from "./empty-statuses.ts";
import { mayStillFail } from "./helm-watcher.ts";
import { checkForHelm, type HelmWait } from "./helm-wait.ts";
import { findHold } from "./held-rollout.ts";
import { diagnoseWorkload, type Diagnosis } from "./diagnose-workload.ts";
import type { KStatus } from "./kstatus-result.ts";
import type { ManagedResource } from "../manifests/manifest.ts";
import { mapBounded } from "../map-bounded.ts";
import { combineFailures, resourceFailure } from "../cluster/resource-failure.ts";
import { formatResource, referenceTo, resourceId, type ResourceReference } from "../cluster/resource-reference.ts";
import { findLive, locateType, type TargetCluster } from "../cluster/target-cluster.ts";
import { remedies } from "./remedies.ts";
import { podsOf, selectorOf } from "./workload-pods.ts";
import type { WorkloadTroubles } from "./workload-troubles.ts";

/** Field `readinessChecks` of a provider configuration (deployers.md §2). */
export interface ReadinessChecks {
  readonly disableDefault?: boolean | undefined;
  /** Rules of the default checks; "default" when absent. */
  readonly level?: ReadinessLevel | undefined;
  /** Whether to give up on what waiting cannot repair; by default with level "kstatus". */
  readonly failFast?: boolean | undefined;
  /** Rules for `wait` of a release. They replace the level, and their failures end the wait. */
  readonly helmWait?: HelmWait | undefined;
  readonly custom?: readonly CustomCheck[] | undefined;
  /** With level "kstatus". */
  readonly emptyStatus?: EmptyStatusRules | undefined;
  /** For health rules, with level "kstatus", and for checks with `cel`. */
  readonly health?: HealthChecker | undefined;
}

export interface ReadinessOptions {
  readonly cluster: TargetCluster;
  readonly entries: readonly ManagedResource[];
  readonly checks: ReadinessChecks | undefined;
  /** Objects that this pass has just received, by `resourceId`: not read again. */
  readonly fresh?: ReadonlyMap<string, UnstructuredObject | undefined> | undefined;
  /** Ids of objects and names of checks that an earlier pass found ready; this pass adds to it. */
  readonly ready?: Set<string> | undefined;
  /** This pass adds the ids of entries, and of objects that custom checks name, that do not exist. */
  readonly absent?: Set<string> | undefined;
  /** Where users find objects, by `resourceId`, such as the path of a template; errors start with it. */
  readonly places?: ReadonlyMap<string, string> | undefined;
  /** When objects were first found failed, by `resourceId`; kept over the passes of a job. Without it the first look counts. */
  readonly suspects?: Map<string, number> | undefined;
  /** What is wrong with pods; kept over the passes of a job. Without it pods are only read to fail fast. */
  readonly troubles?: WorkloadTroubles | undefined;
  /** Custom resources without a status, with level "kstatus"; kept over the passes of a job. Without it they are ready. */
  readonly emptyStatuses?: EmptyStatuses | undefined;
  /**
   * Receives workloads that users hold back (`findHold`) and that are not ready otherwise: "RESOURCE: why". With it they count as ready, as for
   * Helm; without it they are awaited.
   */
  readonly onHeld?: ((text: string) => void) | undefined;
  /** Time of `Clock.elapsed` in ms, for `suspects`, `troubles` and `emptyStatuses`. */
  readonly elapsedMs?: number | undefined;
  readonly clusterOf: (targetName: string) => Promise<TargetCluster>;
  /** Namespace of the item. */
  readonly tenant?: string | undefined;
  readonly signal: AbortSignal;
}

export interface ReadinessReport {
  /** What is not ready yet, each with its reason; empty = all ready. */
  readonly unready: readonly string[];
  /** What users can do about what is wrong with Pods. Undefined: nothing is known to be wrong. */
  readonly hint?: string | undefined;
  /** What the answer depends on: it stays the same until one of these changes. */
  readonly awaited: readonly AwaitedObjects[];
  /** Delay after which a pass can have another result without any change, in ms. */
  readonly lookAgainAfterMs?: number | undefined;
}

const concurrency = 10;
/** How long a failure must last (ms) that may be about a former spec, because the status does not tell which one it has seen. */
const suspicionMs = 10_000;
/** The same for `helmWait`: Helm gives up at once. */
const helmSuspicionMs = 3000;

/**
 * One pass over the default rules and then the custom checks (deployers.md §3.6). Failures to read (403, 5xx) are thrown as
 * LandscaperError: they are not "not ready". So is what waiting cannot repair (reason ResourceFailed, never retried), where the
 * checks ask to fail fast.
 */
export async function checkReadiness(options: ReadinessOptions): Promise<ReadinessReport> {
  const isDisabled = options.checks?.disableDefault === true;
  const { problems, stillAwaited } = isDisabled ? { problems: [], stillAwaited: [] } : await checkDefaults(options);
  if (problems.length > 0) {
    const { awaited, ...rest } = report(await explain(problems, options));
    return { ...rest, awaited: [...awaited, ...stillAwaited] };
  }
  const open = (options.checks?.custom ?? []).filter(
    ({ name, disabled }) => disabled !== true && options.ready?.has(checkId(name)) !== true,
  );
  for (const check of open) {
    const problem = await runCustomCheck(check, options);
    if (problem === undefined) options.ready?.add(checkId(check.name));
    else problems.push(problem);
  }
  return report(await explain(problems, options));
}

/** Compiles the expressions of checks, before a job changes anything. `where` is the field of the checks. Throws LandscaperError. */
export async function compileChecks(
  checks: ReadinessChecks | undefined,
  { where, ...options }: HealthOptions & { readonly where: string },
): Promise<void> {
  const expressions = (checks?.custom ?? []).flatMap(({ cel, disabled }, index) =>
    cel === undefined || disabled === true ? [] : [[`${where}[${index}].cel`, cel] as const],
  );
  await checks?.health?.compile(expressions, options);
}

/** Why something is not ready, and what to look at for a change. */
interface Problem {
  readonly text: string;
  readonly remedy?: string | undefined;
  readonly awaited: readonly AwaitedObjects[];
  readonly lookAgainAfterMs?: number | undefined;
  /** Whose pods may explain it. */
  readonly unexplained?: { readonly live: UnstructuredObject; readonly cluster: TargetCluster } | undefined;
}

/** The reason of a wait names no more. */
const maxExplained = 3;

/** Adds what is wrong with the pods to the problems that are going to be named. */
async function explain(
  problems: readonly Problem[],
  { troubles, elapsedMs = 0, signal }: ReadinessOptions,
): Promise<readonly Problem[]> {
  if (troubles === undefined) return problems;
  const explained = problems.slice(0, maxExplained).map(async (problem): Promise<Problem> => {
    if (problem.unexplained === undefined) return problem;
    const { live, cluster } = problem.unexplained;
    const { found, awaited, lookAgainAfterMs } = await troubles.of(live, { cluster, elapsedMs, signal });
    const isNew = found !== undefined && !problem.text.endsWith(found.text);
    return {
      text: isNew ? `${problem.text}; ${found.text}` : problem.text,
      remedy: found?.remedy,
      awaited: [...problem.awaited, ...awaited],
      lookAgainAfterMs: lookAgainAfterMs ?? problem.lookAgainAfterMs,
    };
  });
  return [...(await Promise.all(explained)), ...problems.slice(maxExplained)];
}

function report(problems: readonly Problem[]): ReadinessReport {
  const delays = problems.map(({ lookAgainAfterMs }) => lookAgainAfterMs).filter((delay) => delay !== undefined);
  const remedies = new Set(problems.map(({ remedy }) => remedy).filter((remedy) => remedy !== undefined));
  return {
    unready: problems.map(({ text }) => text),
    ...(remedies.size === 0 ? {} : { hint: [...remedies].join("; ") }),
    awaited: problems.flatMap(({ awaited }) => awaited),
    ...(delays.length === 0 ? {} : { lookAgainAfterMs: Math.min(...delays) }),
  };
}

function checkId(name: string): string {
  return `check ${name}`;
}

interface DefaultsResult {
  readonly problems: Problem[];
  readonly stillAwaited: readonly AwaitedObjects[];
}

async function checkDefaults(options: ReadinessOptions): Promise<DefaultsResult> {
  const { entries, ready, signal } = options;
  const open = entries.filter(({ resource }) => ready?.has(resourceId(resource)) !== true);
  const failures: LandscaperError[] = [];
  // An evaluation that is too expensive ends the pass: the others would only cost as much.
  const tooExpensive = new AbortController();
  const ended = AbortSignal.any([signal, tooExpensive.signal]);
  const results = await mapBounded(open, { limit: concurrency, signal: ended }, async ({ resource }) => {
    const result = await checkEntry(resource, { ...options, signal: ended }).catch((error: unknown) => {
      const isOurs = error instanceof LandscaperError && error.reason === healthCheckTooExpensive;
      if (isOurs) tooExpensive.abort(error);
      throw error;
    });
    const { problem, isFatal } = result;
    if (problem === undefined && result.stillAwaited === undefined) ready?.add(resourceId(resource));
    if (problem !== undefined && isFatal === true)
      failures.push(resourceFailed(problem, options.places?.get(resourceId(resource))));
    return result;
  });
  if (failures.length > 0) throw combineFailures(failures, entries.length);
  return {
    problems: results.flatMap(({ problem }) => problem ?? []),
    stillAwaited: results.flatMap(({ stillAwaited }) => stillAwaited ?? []),
  };
}

interface EntryResult {
  /** Undefined: ready. */
  readonly problem?: Problem | undefined;
  readonly isFatal?: boolean;
  /** Ready, but a failure would end the wait for others: looked at again, and watched. */
  readonly stillAwaited?: readonly AwaitedObjects[];
}

async function checkEntry(resource: ResourceReference, options: ReadinessOptions): Promise<EntryResult> {
  const { checks, cluster, signal } = options;
  const awaited = [awaitObject(cluster, resource)];
  const live = options.fresh?.get(resourceId(resource)) ?? (await findLive(cluster, resource, signal));
  if (live === undefined) {
    options.absent?.add(resourceId(resource));
    return { problem: { text: `${formatResource(resource)}: does not exist`, awaited } };
  }
  const level = checks?.level ?? "default";
  const wait = checks?.helmWait;
  const status = wait === undefined ? await checkHealth(live, { ...options, level }) : checkForHelm(live, wait);
  const readiness = status === undefined ? checkObject(live, level) : toReadiness(status);
  // A rule has judged the status.
  if (readiness.ready && status !== undefined) {
    return wait?.strategy === "watcher" && mayStillFail(live) ? { stillAwaited: awaited } : {};
  }
  if (readiness.ready) return await checkEmptyStatus(live, { ...options, level, awaited });
  const hold = options.onHeld === undefined ? undefined : findHold(live);
  if (hold !== undefined) {
    options.onHeld?.(`${formatResource(resource)}: ${hold}`);
    return {};
  }
  const failsFast = wait !== undefined || (checks?.failFast ?? level === "kstatus");
  const diagnosis = failsFast ? await diagnose(live, { ...options, status }) : undefined;
  const text = `${formatResource(resource)}: ${diagnosis?.message ?? readiness.message}`;
  // The pods of other waits may end them; those of Helm only explain the wait.
  if (failsFast && wait === undefined) awaited.push(...awaitPods(cluster, live));
  if (diagnosis === undefined) {
    options.suspects?.delete(resourceId(resource));
    return { problem: { text, awaited, unexplained: { live, cluster } } };
  }
  const lookAgainAfterMs = remainingSuspicionMs(live, options);
  return { problem: { text, remedy: diagnosis.remedy, awaited, lookAgainAfterMs }, isFatal: lookAgainAfterMs <= 0 };
}

/** Returns the health by the rules; undefined if no rule applies to the object. */
async function checkHealth(
  live: UnstructuredObject,
  { checks, level, tenant = "", signal }: ReadinessOptions & { readonly level: ReadinessLevel },
): Promise<KStatus | undefined> {
  const { health } = checks ?? {};
  if (health === undefined || level !== "kstatus" || live.metadata.deletionTimestamp !== undefined) return undefined;
  return await health.check(live, { tenant, signal });
}

async function diagnose(
  live: UnstructuredObject,
  { cluster, checks, status, signal }: ReadinessOptions & { readonly status: KStatus | undefined },
): Promise<Diagnosis | undefined> {
  if (status === undefined) return await diagnoseWorkload(cluster, live, signal);
  if (status.status !== "failed") return undefined;
  if (checks?.helmWait === undefined) return { message: status.message };
  const { message = status.message, remedy = remedies.terminal } =
    (await diagnoseWorkload(cluster, live, signal)) ?? {};
  return { message, remedy };
}

/** A custom resource without a status: its operator may not have seen it yet. */
async function checkEmptyStatus(
  live: UnstructuredObject,
  { cluster, checks, emptyStatuses, elapsedMs = 0, level, awaited, signal }: EmptyStatusCheck,
): Promise<EntryResult> {
  if (level !== "kstatus" || emptyStatuses === undefined || checks?.emptyStatus === undefined) return {};
  if (!lacksStatus(live, await locateType(cluster, referenceTo(live), signal))) return {};
  const lookAgainAfterMs = emptyStatuses.remainingMs(live, checks.emptyStatus, elapsedMs);
  if (lookAgainAfterMs === 0) return {};
  const text = `${formatResource(referenceTo(live))}: has no status yet`;
  return { problem: { text, awaited, lookAgainAfterMs } };
}

interface EmptyStatusCheck extends ReadinessOptions {
  readonly level: ReadinessLevel;
  readonly awaited: readonly AwaitedObjects[];
}

/** A stuck pod changes nothing in the status of its workload, or much later. */
function awaitPods(cluster: TargetCluster, workload: UnstructuredObject): AwaitedObjects[] {
  const labelSelector = selectorOf(workload);
  if (labelSelector === undefined || podsOf(workload, []) === undefined) return [];
  return [{ cluster, apiVersion: "v1", kind: "Pod", namespace: workload.metadata.namespace, labelSelector }];
}

/** A status that may be about a former spec counts only when it stays. 0: it counts. */
function remainingSuspicionMs(live: UnstructuredObject, { suspects, checks, elapsedMs = 0 }: ReadinessOptions): number {
  if (suspects === undefined || isStatusUpToDate(live)) return 0;
  const id = resourceId(referenceTo(live));
  const since = suspects.get(id) ?? elapsedMs;
  suspects.set(id, since);
  const lastsMs = checks?.helmWait === undefined ? suspicionMs : helmSuspicionMs;
  return Math.max(0, since + lastsMs - elapsedMs);
}

function resourceFailed({ text, remedy }: Problem, place: string | undefined): LandscaperError {
  const message = place === undefined ? text : `${place}: ${text}`;
  return new LandscaperError({ message, reason: "ResourceFailed", hint: remedy, retry: "never" });
}

async function runCustomCheck(check: CustomCheck, options: ReadinessOptions): Promise<Problem | undefined> {
  const cluster = check.targetName === undefined ? options.cluster : await options.clusterOf(check.targetName);
  for (const reference of check.resourceSelector ?? []) {
    const live = await findLive(cluster, reference, options.signal);
    const text =
      live === undefined ? `${formatResource(reference)} does not exist` : await checkRules(check, live, options);
    if (text === undefined) continue;
    if (live === undefined && cluster === options.cluster) options.absent?.add(resourceId(reference));
    const unexplained = live === undefined ? undefined : { live, cluster };
    return { text: describe(check, text), awaited: [awaitObject(cluster, reference)], unexplained };
  }
  return check.labelSelector === undefined
    ? undefined
    : await checkLabelled(check, check.labelSelector, { ...options, cluster });
}

async function checkLabelled(
  check: CustomCheck,
  { apiVersion, kind, matchLabels }: CheckedLabels,
  options: ReadinessOptions,
): Promise<Problem | undefined> {
  const { cluster, signal } = options;
  const labelSelector = Object.entries(matchLabels)
    .map(([key, value]) => `${key}=${value}`)
    .join(",");
  const selected: AwaitedObjects = { cluster, apiVersion, kind, labelSelector };
  const objects = await listLabelled(selected, signal);
  if (objects.length === 0) return { text: describe(check, `no ${kind} has its labels`), awaited: [selected] };
  for (const object of objects) {
    // Checks of many objects leave turns to others: each may take some milliseconds.
    await setImmediate();
    const text = await checkRules(check, object, options);
    // Also by its name: it may lose the labels.
    if (text !== undefined) {
      const awaited = [selected, awaitObject(cluster, referenceTo(object))];
      return { text: describe(check, text), awaited, unexplained: { live: object, cluster } };
    }
  }
  return undefined;
}

/** Returns the first requirement that the object does not fulfil, then the problem of the expression. */
async function checkRules(
  { requirements = [], cel }: CustomCheck,
  object: UnstructuredObject,
  options: ReadinessOptions,
): Promise<string | undefined> {
  const readiness = checkRequirements(object, requirements);
  const problem = readiness.ready ? await checkExpression(cel, object, options) : readiness.message;
  return problem === undefined ? undefined : `${formatResource(referenceTo(object))}: ${problem}`;
}

async function checkExpression(
  cel: string | undefined,
  object: UnstructuredObject,
  { checks, tenant = "", signal }: ReadinessOptions,
): Promise<string | undefined> {
  if (cel === undefined) return undefined;
  if (checks?.health === undefined) throw new TypeError("checks with cel need a HealthChecker");
  return await checks.health.explain(object, cel, { tenant, signal });
}

function describe(check: CustomCheck, problem: string): string {
  return `check ${check.name}: ${problem}`;
}

async function listLabelled(
  { cluster, apiVersion, kind, labelSelector }: AwaitedObjects,
  signal: AbortSignal,
): Promise<UnstructuredObject[]> {
  const reference = { apiVersion, kind, name: "*" };
  const type = await locateType(cluster, reference, signal);
  try {
    const { items } = await cluster.client.list(type, { labelSelector, signal });
    return items.map((item) => ({ ...item, apiVersion, kind }));
  } catch (error) {
    throw await resourceFailure(error, { verb: "list", reference });
  }
}
