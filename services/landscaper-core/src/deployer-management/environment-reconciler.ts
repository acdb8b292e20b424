import { keyOf, resources, type Environment, type EnvironmentStatus } from "@landscaper/api";
import { isNotFound, type Reconcile, type Result } from "@landscaper/controller-runtime";
import { toSafeError } from "../api-failure.ts";
import { nowOf } from "../core.ts";
import { isSameJson } from "../is-same-json.ts";
import { keepSecretsRole } from "./agent-secrets/keep-secrets-role.ts";
import { decideEnvironment, type EnvironmentDecision } from "./decide-environment.ts";
import type { DeployerManagementContext } from "./deployer-management-context.ts";
import { buildHostTarget } from "./deployer-target.ts";
import { patienceLeftMs } from "./status/describe-deployer.ts";
import { deleteBinding, ensureRoles } from "./rights/granted-rights.ts";
import { addManagementFinalizer, removeManagementFinalizer, ensureHostTarget } from "./made-objects.ts";
import type { ManagementRun } from "./made-objects.ts";
import { keepAccess, managePair, type PairOutcome } from "./manage-pair.ts";
import { observeEnvironment } from "./observe-environment.ts";
import { namesOf, type Pair, type PairNames } from "./pair.ts";
import { failRemainingItem } from "./remaining-items.ts";
import { removePair } from "./remove-pair.ts";
import { isTold, reportEnvironment, type PassFailure } from "./status/report-environment.ts";
import { reportHeartbeat } from "./status/report-heartbeat.ts";

/** Keeps the deployers of an Environment as the registrations say (docs/reference/deployer-management.md). Keys are Environments. */
export function createEnvironmentReconciler(context: DeployerManagementContext): Reconcile {
  return async ({ name }, signal) => {
    const run = { context, signal };
    const type = resources.environment;
    const decision = decideEnvironment(observeEnvironment(context, name), context.settings);
    switch (decision.kind) {
      case "add-finalizer":
        await addManagementFinalizer(run, { type, object: decision.environment });
        return undefined;
      case "release":
        await removeManagementFinalizer(run, { type, object: decision.environment });
        return undefined;
      case "manage":
        return await manage(run, name, decision);
    }
  };
}

type ManageDecision = Extract<EnvironmentDecision, { kind: "manage" }>;

interface Outcome {
  readonly failures: readonly PassFailure[];
  readonly requeues: readonly number[];
}

async function manage(run: ManagementRun, name: string, decision: ManageDecision): Promise<Result | undefined> {
  const { failures, requeues } = await perform(run, name, decision);
  const patience = await storeStatus(run, name, { decision, failures });
  const [failure] = failures;
  // What cannot be helped by another try waits for a change; the manager drops it.
  if (failure !== undefined) throw failure.error;
  const all = [...requeues, ...patience];
  return all.length === 0 ? undefined : { requeueAfterMs: Math.min(...all) };
}

interface PairStep {
  readonly pair: Pair;
  readonly perform: () => Promise<PairOutcome>;
}

/** Every deployer by itself: one that fails keeps no other from being installed or removed. */
async function perform(run: ManagementRun, environment: string, decision: ManageDecision): Promise<Outcome> {
  const failures: PassFailure[] = [];
  const attempt = async <T>(names: PairNames | undefined, step: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await step();
    } catch (error) {
      run.signal.throwIfAborted();
      failures.push({ names, error: toSafeError(error) });
      return undefined;
    }
  };
  const { host, wanted, held, removals, strayBindings, abandonedItems, releasedHost, agentSecrets } = decision;
  const requeues: number[] = [];
  const steps = [
    ...wanted.map((pair): PairStep => ({ pair, perform: () => managePair(run, pair) })),
    ...held.flatMap(({ pair, installation }): PairStep | [] =>
      installation === undefined ? [] : { pair, perform: () => keepAccess(run, pair, installation) },
    ),
  ];
  if (host !== undefined) await attempt(undefined, () => prepare(run, host));
  // Without its host and roles no deployer could work.
  const canInstall = failures.length === 0;
  // The agent shall have its rights when the job of a deployer starts.
  await attempt(undefined, () => keepSecretsRole(run, agentSecrets));
  if (canInstall) {
    const outcomes = await Promise.all(steps.map(({ pair, perform: step }) => attempt(namesOf(pair), step)));
    requeues.push(...outcomes.flatMap((outcome) => outcome?.requeueAfterMs ?? []));
    const problems = outcomes.map((outcome) => outcome?.problem);
    failures.push(
      ...steps.flatMap(({ pair }, index): PassFailure | [] => {
        const error = problems[index];
        return error === undefined ? [] : { names: namesOf(pair), error };
      }),
    );
  }
  await Promise.all(removals.map((removal) => attempt(removal.deployer.names, () => removePair(run, removal))));
  await Promise.all(strayBindings.map((binding) => attempt(undefined, () => deleteBinding(run, binding))));
  await Promise.all(
    abandonedItems.map((item) => attempt(undefined, () => failRemainingItem(run, { item, environment }))),
  );
  if (releasedHost !== undefined) {
    await attempt(undefined, () => removeManagementFinalizer(run, { type: resources.target, object: releasedHost }));
  }
  return { failures, requeues };
}

async function prepare(run: ManagementRun, environment: Environment): Promise<void> {
  await ensureHostTarget(run, buildHostTarget(environment, run.context.settings));
  await ensureRoles(run);
}

interface Told {
  readonly decision: ManageDecision;
  readonly failures: readonly PassFailure[];
}

/** Writes the status when it has changed. In how many ms items have waited too long, and the agent's Lease expires, which the next pass tells. */
async function storeStatus(run: ManagementRun, name: string, { decision, failures }: Told): Promise<readonly number[]> {
  const { context } = run;
  const { environment, deployers, remainingItems, agentSecrets } = observeEnvironment(context, name);
  if (environment === undefined) return [];
  const wanted = decision.wanted.map(namesOf);
  const { held, refused, problem } = decision;
  const own = problem === undefined ? [] : [{ names: undefined, error: problem }];
  const told = [...failures.filter(({ error }) => isTold(error)), ...own];
  const elapsedMs = context.clock.elapsed();
  const heartbeat = reportHeartbeat(environment.status, context.heartbeats.of(name), elapsedMs);
  const { bootstrapRole } = agentSecrets;
  const report = {
    environment,
    deployers,
    wanted,
    held,
    refused,
    failures: told,
    heartbeat,
    remainingItems,
    bootstrapRole,
    elapsedMs,
  };
  const status = reportEnvironment(report, nowOf(context));
  if (!isSameJson(status, environment.status)) await writeStatus(run, environment, status);
  const waits = deployers.flatMap((deployer) => patienceLeftMs(deployer, elapsedMs) ?? []);
  return heartbeat.expiresInMs === undefined ? waits : [...waits, heartbeat.expiresInMs];
}

async function writeStatus(
  { context, signal }: ManagementRun,
  environment: Environment,
  status: EnvironmentStatus,
): Promise<void> {
  const body = { status: { ...status, lastError: status.lastError ?? null } };
  const patch = { type: "merge" as const, subresource: "status", body, signal };
  try {
    await context.client.patch(resources.environment, keyOf(environment), patch);
  } catch (error) {
    // It has gone meanwhile: that is another pass.
    if (isNotFound(error)) return;
    throw error;
  }
  const { lastError } = status;
  if (lastError === undefined || lastError.message === environment.status?.lastError?.message) return;
  context.recorder.event(environment, { type: "Warning", reason: lastError.reason, message: lastError.message });
}
