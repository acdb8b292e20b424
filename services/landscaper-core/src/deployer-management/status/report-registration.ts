import {
  toErrorStatus,
  type DeployerPhase,
  type DeployerRegistration,
  type DeployerRegistrationStatus,
  type Environment,
  type EnvironmentCounts,
  type Installation,
  type LandscaperError,
} from "@landscaper/api";
import { isDeleting, nameOf } from "../../object-reading.ts";
import { deployerPhaseOf } from "./describe-deployer.ts";
import { checkPairName, pairName, pairOf } from "../pair.ts";
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

function phaseOf(registration: DeployerRegistration, { failed, progressing, deleting }: EnvironmentCounts) {
  if (isDeleting(registration)) return "Deleting";
  if (failed > 0) return "Failed";
  return progressing + deleting > 0 ? "Progressing" : "Succeeded";
}

/** The status of a registration: how its deployer is in all Environments together. */
export function reportRegistration(observed: ObservedRegistration, now: Date): DeployerRegistrationStatus {
  const { metadata, status } = observed.registration;
  const { generation = 0 } = metadata;
  const states = listStates(observed);
  const environments = countStates(states);
  const { succeeded, total } = environments;
  const refused = states
    .filter(({ error }) => error !== undefined)
    .toSorted((a, b) => (a.environment < b.environment ? -1 : 1));
  const error = refused[0]?.error;
  const message = error?.message ?? `the deployer has succeeded in ${succeeded} of ${total} Environments`;
  const phase = phaseOf(observed.registration, environments);
  const context = { operation: "InstallDeployer", reason: "DeployersFailed", now, previous: status?.lastError };
  return {
    observedGeneration: generation,
    environments,
    conditions: conditionsOf(status?.conditions, { phase, message, generation }, now),
    ...(error === undefined ? {} : { lastError: toErrorStatus(error, context) }),
  };
}
