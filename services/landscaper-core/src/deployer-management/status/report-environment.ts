import {
  boundText,
  conditionTypes,
  LandscaperError,
  setCondition,
  toErrorStatus,
  type Condition,
  type ConditionUpdate,
  type DeployerPhase,
  type DeployItem,
  type Environment,
  type EnvironmentStatus,
  type ManagedDeployer,
  type Role,
} from "@landscaper/api";
import { explainError } from "@landscaper/controller-runtime";
import { isDeleting } from "../../object-reading.ts";
import type { HeldPair, RefusedPair } from "../decide-environment.ts";
import { describeAgentRole } from "./describe-agent-role.ts";
import { describeDeployer } from "./describe-deployer.ts";
import { describeNamespaces } from "./describe-namespaces.ts";
import { findWaitingRing } from "./find-waiting-ring.ts";
import type { HeartbeatReport } from "./report-heartbeat.ts";
import type { ObservedDeployer } from "../observed-environment.ts";
import { describeRemaining } from "../remaining-items.ts";
import type { Hold } from "../rollout/find-hold.ts";
import { namesOf, pairName, type PairNames } from "../pair.ts";

/** An error of a pass, of one deployer or of what all share. */
export interface PassFailure {
  readonly names: PairNames | undefined;
  readonly error: unknown;
}

export interface EnvironmentReport {
  readonly environment: Environment;
  readonly deployers: readonly ObservedDeployer[];
  /** Deployers that should be there. */
  readonly wanted: readonly PairNames[];
  readonly held: readonly HeldPair[];
  readonly refused: readonly RefusedPair[];
  readonly failures: readonly PassFailure[];
  readonly heartbeat: Omit<HeartbeatReport, "expiresInMs">;
  /** DeployItems that only this Environment serves; empty unless it is being deleted. */
  readonly remainingItems: readonly DeployItem[];
  /** The Role of `landscaper agent bootstrap` in the namespace of deployer management. */
  readonly bootstrapRole: Role | undefined;
  /** Of the clock by which items wait, in ms. */
  readonly elapsedMs: number;
}

const maxMessageLength = 500;

const holdTexts: Readonly<Record<Hold, string>> = {
  suspended: "the Environment is suspended: changes wait until spec.suspend is false",
  itemsRemain: "the Environment is being deleted: its deployers stay until no DeployItem needs them",
  awaitsAgent:
    "spec.hostTarget has no access to the host, which the agent writes: install the chart landscaper-agent there",
  rollout: "a change of the registration has not been rolled out to this Environment yet",
};

function messageOf(error: unknown): string {
  return boundText(explainError(error), maxMessageLength);
}

function describeAll(report: EnvironmentReport): readonly ManagedDeployer[] {
  const described = new Map<string, ManagedDeployer>();
  for (const names of report.wanted) {
    const name = pairName(names);
    described.set(name, { name, registration: names.registration, phase: "Progressing" });
  }
  for (const { pair } of report.held) {
    const names = namesOf(pair);
    const name = pairName(names);
    described.set(name, { name, registration: names.registration, phase: "Progressing" });
  }
  for (const deployer of report.deployers)
    described.set(pairName(deployer.names), describeDeployer(deployer, report.elapsedMs));
  for (const { pair, hold } of report.held) {
    const known = described.get(pairName(namesOf(pair)));
    if (known?.message === undefined && known !== undefined)
      described.set(known.name, { ...known, message: holdTexts[hold] });
  }
  const broken = [...report.refused, ...report.failures];
  for (const { names, error } of broken) {
    if (names === undefined) continue;
    const name = pairName(names);
    const known = described.get(name) ?? { name, registration: names.registration };
    described.set(name, { ...known, phase: "Failed", message: messageOf(error) });
  }
  return [...described.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function phaseOf(isGoing: boolean, hasError: boolean, deployers: readonly ManagedDeployer[]): DeployerPhase {
  if (isGoing) return "Deleting";
  if (hasError || deployers.some(({ phase }) => phase === "Failed")) return "Failed";
  return deployers.every(({ phase }) => phase === "Succeeded") ? "Succeeded" : "Progressing";
}

const reasons: Readonly<Record<DeployerPhase, string>> = {
  Succeeded: "DeployersReady",
  Failed: "DeployersFailed",
  Progressing: "DeployersProgressing",
  Deleting: "DeployersDeleting",
};

/** Standard conditions of an Environment or a registration from its phase. */
export function conditionsOf(
  known: readonly Condition[] | undefined,
  {
    phase,
    message,
    generation,
  }: { readonly phase: DeployerPhase; readonly message: string; readonly generation: number },
  now: Date,
): Condition[] {
  const of = (type: string, isTrue: boolean): ConditionUpdate => ({
    type,
    status: isTrue ? "True" : "False",
    reason: reasons[phase],
    message,
    observedGeneration: generation,
  });
  const updates = [
    of(conditionTypes.ready, phase === "Succeeded"),
    of(conditionTypes.reconciling, phase === "Progressing" || phase === "Deleting"),
    of(conditionTypes.stalled, phase === "Failed"),
  ];
  return [...updates.reduce<readonly Condition[]>((list, update) => setCondition(list, update, now), known ?? [])];
}

/** The error that the status names: what concerns all deployers first. */
function firstError(report: EnvironmentReport): unknown {
  const { failures, refused, deployers, elapsedMs } = report;
  const shared = failures.find(({ names }) => names === undefined);
  return shared?.error ?? refused[0]?.error ?? findWaitingRing(deployers, elapsedMs) ?? failures[0]?.error;
}

function summaryOf(error: unknown, deployers: readonly ManagedDeployer[]): string {
  if (error !== undefined) return messageOf(error);
  const names = (phase: DeployerPhase) => deployers.filter((one) => one.phase === phase).map(({ name }) => name);
  const failed = names("Failed");
  if (failed.length > 0) return `deployers that have failed: ${failed.join(", ")}`;
  const others = [...names("Progressing"), ...names("Deleting")];
  return others.length > 0 ? `deployers in work: ${others.join(", ")}` : "all deployers have succeeded";
}

/** Types of the conditions that the Environment has only while they are True. */
const passingTypes: readonly string[] = [
  conditionTypes.itemsRemain,
  conditionTypes.readsAllNamespaces,
  conditionTypes.readsAllSecrets,
  conditionTypes.agentClockDiffers,
];

/** The status of an Environment. */
export function reportEnvironment(report: EnvironmentReport, now: Date): EnvironmentStatus {
  const { environment, heartbeat } = report;
  const { metadata, status } = environment;
  const { generation = 0 } = metadata;
  const deployers = describeAll(report);
  const error = firstError(report);
  const phase = phaseOf(isDeleting(environment), error !== undefined, deployers);
  const succeeded = deployers.filter((one) => one.phase === "Succeeded").length;
  const context = { operation: "ManageDeployers", reason: "DeployersFailed", now, previous: status?.lastError };
  const message = summaryOf(error, deployers);
  const passing = [
    describeRemaining(environment, report.remainingItems),
    describeNamespaces(environment),
    describeAgentRole(environment, report.bootstrapRole),
    heartbeat.clockCondition,
  ];
  const updates = [heartbeat.condition, ...passing];
  const known = status?.conditions?.filter(
    ({ type }) => !passingTypes.includes(type) || passing.some((update) => update?.type === type),
  );
  const own = conditionsOf(known, { phase, message, generation }, now);
  const conditions = updates.reduce<readonly Condition[]>(
    (list, update) => (update === undefined ? list : setCondition(list, update, now)),
    own,
  );
  return {
    observedGeneration: generation,
    phase,
    succeeded: `${succeeded}/${deployers.length}`,
    deployers: [...deployers],
    ...heartbeat.fields,
    conditions: [...conditions],
    ...(error === undefined ? {} : { lastError: toErrorStatus(error, context) }),
  };
}

/** Whether an error is told in the status, and not only retried. */
export function isTold(error: unknown): boolean {
  return error instanceof LandscaperError;
}
