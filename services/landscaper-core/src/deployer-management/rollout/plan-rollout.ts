import type { DeployerPhase, DeployerRegistration, RolloutStatus } from "@landscaper/api";

/** The deployer of a registration in one Environment that is to have it. */
export interface RolloutState {
  readonly environment: string;
  /** Of its Installation; undefined: it is not there yet. */
  readonly phase: DeployerPhase | undefined;
  /** Its Installation was made from the present template. */
  readonly isUpdated: boolean;
  /** Its Installation cannot be made. */
  readonly isRefused: boolean;
  /** The Environment is suspended, or its agent has not connected yet: its deployers are not changed. */
  readonly isHeld: boolean;
}

const defaultMaxUnavailable = 1;
const maxNamesInMessage = 5;

function isDone({ isUpdated, phase }: RolloutState): boolean {
  return isUpdated && phase === "Succeeded";
}

function isFailed({ isUpdated, isRefused, phase }: RolloutState): boolean {
  return isRefused || (isUpdated && phase === "Failed");
}

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, maxNamesInMessage).join(", ");
  return names.length > maxNamesInMessage ? `${shown} and ${names.length - maxNamesInMessage} more` : shown;
}

/** Canaries that have not succeeded, with the reason why one of them cannot be changed at all. */
function checkCanaries(
  canary: readonly string[],
  states: ReadonlyMap<string, RolloutState>,
): { readonly open: readonly string[]; readonly obstacle: string | undefined } {
  const open = canary.filter((name) => {
    const state = states.get(name);
    return state === undefined || !isDone(state);
  });
  const missing = open.filter((name) => !states.has(name));
  const held = open.filter((name) => states.get(name)?.isHeld === true);
  if (missing.length > 0) return { open, obstacle: `canary Environments that do not exist: ${listNames(missing)}` };
  if (held.length > 0) {
    return { open, obstacle: `canary Environments that are suspended or wait for their agent: ${listNames(held)}` };
  }
  return { open, obstacle: undefined };
}

/** Environments that were chosen before, or have begun: they go on until they have succeeded. */
function listInWork(states: readonly RolloutState[], chosen: ReadonlySet<string>): readonly RolloutState[] {
  return states.filter(
    (state) => !isDone(state) && !state.isHeld && (state.isUpdated || chosen.has(state.environment)),
  );
}

/**
 * Which Environments may get the present template of a registration now. Environments chosen for this generation
 * stay chosen until their deployer has succeeded (docs/reference/deployer-management.md#rollout).
 */
export function planRollout(
  { spec, status, metadata }: DeployerRegistration,
  states: readonly RolloutState[],
): RolloutStatus {
  const { maxUnavailable = defaultMaxUnavailable, canary = [], onFailure } = spec.rollout ?? {};
  const isOfGeneration = status?.observedGeneration === metadata.generation;
  const chosen = new Set(isOfGeneration ? status?.rollout?.environments : []);
  const updated = states.filter(({ isUpdated }) => isUpdated).length;
  const inWork = listInWork(states, chosen);
  const isPausing = onFailure !== "Continue";
  const failed = isPausing ? inWork.filter(isFailed).map(({ environment }) => environment) : [];
  // What has failed would use up for ever what may be in work.
  const inWorkCount = isPausing ? inWork.length : inWork.filter((state) => !isFailed(state)).length;
  const canaries = checkCanaries(canary, new Map(states.map((state) => [state.environment, state])));
  const open = states.filter((state) => !state.isUpdated && !state.isHeld && !inWork.includes(state));
  const eligible = canaries.open.length > 0 ? open.filter(({ environment }) => canary.includes(environment)) : open;
  const sorted = eligible.toSorted((a, b) => (a.environment < b.environment ? -1 : 1));
  const next = failed.length > 0 ? [] : sorted.slice(0, Math.max(0, maxUnavailable - inWorkCount));
  const environments = [...inWork, ...next].map(({ environment }) => environment).toSorted();
  const isWaiting = open.length > next.length;
  const waitsFor = isWaiting ? describeWait({ failed, canaries, inWork: environments }) : undefined;
  return { updated, environments, ...(waitsFor === undefined ? {} : { waitsFor }) };
}

interface Wait {
  readonly failed: readonly string[];
  readonly canaries: ReturnType<typeof checkCanaries>;
  readonly inWork: readonly string[];
}

function describeWait({ failed, canaries, inWork }: Wait): string {
  if (failed.length > 0) return `the Environments in which the change has failed: ${listNames(failed.toSorted())}`;
  if (canaries.obstacle !== undefined) return canaries.obstacle;
  if (canaries.open.length > 0) return `canary Environments: ${listNames(canaries.open)}`;
  return `Environments in work: ${listNames(inWork)}`;
}
