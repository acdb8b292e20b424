import {
  awaitsAgent,
  toErrorStatus,
  type DeployerPhase,
  type DeployerRegistration,
  type DeployerRegistrationStatus,
  type Environment,
  type EnvironmentCounts,
  type Installation,
  type LandscaperError,
  type RolloutStatus,
} from "@landscaper/api";
import { isDeleting, nameOf } from "../../object-reading.ts";
import { deployerPhaseOf } from "./describe-deployer.ts";
import { checkPairName, pairName, pairOf } from "../pair.ts";
import { planRollout, type RolloutState } from "../rollout/plan-rollout.ts";
import { madeFrom, templateHash } from "../rollout/template-hash.ts";
import { conditionsOf } from "./report-environment.ts";

export interface ObservedRegistration {
  readonly registration: DeployerRegistration;
  readonly environments: readonly Environment[];
  /** Its Installations, one for each Environment that has the deployer. */
  readonly installations: readonly Installation[];
}

interface EnvironmentState {
  readonly environment: string;
  readonly phase: DeployerPhase;
  readonly error?: LandscaperError | undefined;
}

/** A deployer that cannot be written is Failed in the status of its Environment. */
function failedInEnvironment(environment: Environment, name: string): boolean {
  return environment.status?.deployers?.some((one) => one.name === name && one.phase === "Failed") === true;
}

function listStates(observed: ObservedRegistration): readonly EnvironmentState[] {
  const { registration, environments, installations } = observed;
  const states = new Map<string, EnvironmentState>();
  for (const object of isDeleting(registration) ? [] : environments) {
    if (isDeleting(object)) continue;
    const environment = nameOf(object);
    const names = { registration: nameOf(registration), environment };
    const error = checkPairName(names);
    const isFailed = error !== undefined || failedInEnvironment(object, pairName(names));
    states.set(environment, { environment, phase: isFailed ? "Failed" : "Progressing", error });
  }
  for (const installation of installations) {
    const environment = pairOf(installation)?.environment ?? "";
    if (states.get(environment)?.phase === "Failed") continue;
    states.set(environment, { environment, phase: deployerPhaseOf(installation) });
  }
  return [...states.values()];
}

/** Environments that are to have the deployer and can. */
function listRolloutStates({ registration, environments, installations }: ObservedRegistration): RolloutState[] {
  if (isDeleting(registration)) return [];
  const hash = templateHash(registration);
  const byEnvironment = new Map(installations.map((one) => [pairOf(one)?.environment, one]));
  return environments.flatMap((object) => {
    const environment = nameOf(object);
    const names = { registration: nameOf(registration), environment };
    if (isDeleting(object) || checkPairName(names) !== undefined) return [];
    const installation = byEnvironment.get(environment);
    return {
      environment,
      phase: installation === undefined ? undefined : deployerPhaseOf(installation),
      isUpdated: installation !== undefined && madeFrom(installation) === hash,
      isRefused: installation === undefined && failedInEnvironment(object, pairName(names)),
      isHeld: object.spec.suspend === true || awaitsAgent(object),
    };
  });
}

function countStates(states: readonly EnvironmentState[]): EnvironmentCounts {
  const count = (wanted: DeployerPhase) => states.filter(({ phase }) => phase === wanted).length;
  return {
    total: states.length,
    succeeded: count("Succeeded"),
    progressing: count("Progressing"),
    failed: count("Failed"),
    deleting: count("Deleting"),
  };
}

function phaseOf(
  registration: DeployerRegistration,
  { failed, progressing, deleting }: EnvironmentCounts,
  rollout: RolloutStatus | undefined,
): DeployerPhase {
  if (isDeleting(registration)) return "Deleting";
  if (failed > 0) return "Failed";
  const isGoingOut = rollout !== undefined && (rollout.environments.length > 0 || rollout.waitsFor !== undefined);
  return progressing + deleting > 0 || isGoingOut ? "Progressing" : "Succeeded";
}

function describeProgress({ succeeded, total }: EnvironmentCounts, rollout: RolloutStatus | undefined): string {
  const progress = `the deployer has succeeded in ${succeeded} of ${total} Environments`;
  if (rollout?.waitsFor === undefined) return progress;
  return `${progress}; ${rollout.updated} are up to date, the others wait for ${rollout.waitsFor}`;
}

/** The status of a registration: how its deployer is in all Environments together. */
export function reportRegistration(observed: ObservedRegistration, now: Date): DeployerRegistrationStatus {
  const { metadata, status } = observed.registration;
  const { generation = 0 } = metadata;
  const states = listStates(observed);
  const environments = countStates(states);
  const isInSteps = observed.registration.spec.rollout !== undefined;
  const rollout = isInSteps ? planRollout(observed.registration, listRolloutStates(observed)) : undefined;
  const refused = states
    .filter(({ error }) => error !== undefined)
    .toSorted((a, b) => (a.environment < b.environment ? -1 : 1));
  const error = refused[0]?.error;
  const message = error?.message ?? describeProgress(environments, rollout);
  const phase = phaseOf(observed.registration, environments, rollout);
  const context = { operation: "InstallDeployer", reason: "DeployersFailed", now, previous: status?.lastError };
  return {
    observedGeneration: generation,
    environments,
    ...(rollout === undefined ? {} : { rollout }),
    conditions: conditionsOf(status?.conditions, { phase, message, generation }, now),
    ...(error === undefined ? {} : { lastError: toErrorStatus(error, context) }),
  };
}
