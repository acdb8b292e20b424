import {
  awaitsAgent,
  deployerManagementFinalizer,
  type DeployerRegistration,
  type DeployItem,
  type Environment,
  type Installation,
  type LandscaperError,
  type RoleBinding,
  type Target,
} from "@landscaper/api";
import { hasFinalizer, isDeleting, nameOf } from "../object-reading.ts";
import { decideSecrets, omittedSecretsError, type SecretsDecision } from "./agent-secrets/decide-secrets.ts";
import { buildBindings } from "./rights/build-accounts.ts";
import { decideRemovals, type Removal } from "./decide-removals.ts";
import { missingNamespacesError } from "./rights/missing-namespaces.ts";
import type { ObservedBinding, ObservedDeployer, ObservedEnvironment } from "./observed-environment.ts";
import { isAbandoned, isUnfailed } from "./remaining-items.ts";
import { findHold, type Hold } from "./rollout/find-hold.ts";
import {
  checkPairName,
  namesOf,
  pairName,
  type DeployerManagementSettings,
  type Pair,
  type PairNames,
} from "./pair.ts";

/** A deployer that cannot be installed under its name. */
export interface RefusedPair {
  readonly names: PairNames;
  readonly error: LandscaperError;
}

/** A deployer that does not get the present template of its registration now. */
export interface HeldPair {
  readonly pair: Pair;
  readonly hold: Hold;
  /** It stays as it is, with its rights and its token kept in order; undefined: it is not there. */
  readonly installation: Installation | undefined;
}

export type EnvironmentDecision =
  /** Nothing is made for an Environment that could disappear without us. */
  | { readonly kind: "add-finalizer"; readonly environment: Environment }
  /** Everything of it is gone. */
  | { readonly kind: "release"; readonly environment: Environment }
  | {
      readonly kind: "manage";
      /** Where deployers are installed or uninstalled: it has to have the Target of its host. Undefined for one that is going. */
      readonly host: Environment | undefined;
      /** Deployers to have as their registrations say. */
      readonly wanted: readonly Pair[];
      readonly held: readonly HeldPair[];
      readonly refused: readonly RefusedPair[];
      readonly removals: readonly Removal[];
      /** Bindings of deployers that are neither wanted nor there, and those of others that give rights where these are not wanted any more. */
      readonly strayBindings: readonly RoleBinding[];
      /** What the agent may read. */
      readonly agentSecrets: SecretsDecision;
      /** What is wrong with the Environment itself, until it or something else changes. */
      readonly problem: LandscaperError | undefined;
      /** DeployItems to fail, because their Environment abandons them and its deployers are uninstalled. */
      readonly abandonedItems: readonly DeployItem[];
      /** The Target of the host, when nothing has to be uninstalled by it, or somebody has deleted it. */
      readonly releasedHost: Target | undefined;
    };

/** What an Environment needs next (docs/reference/deployer-management.md). */
export function decideEnvironment(
  observed: ObservedEnvironment,
  settings: DeployerManagementSettings,
): EnvironmentDecision {
  const { environment, deployers } = observed;
  const isOurs = environment !== undefined && hasFinalizer(environment, deployerManagementFinalizer);
  if (environment !== undefined && !isDeleting(environment)) {
    return isOurs
      ? manage(observed, listPairs(environment, observed), settings)
      : { kind: "add-finalizer", environment };
  }
  if (isOurs && waitsForItems(observed)) return manage(observed, listPairs(environment, observed), settings);
  const { role, binding } = observed.agentSecrets;
  const hasRights = observed.bindings.length > 0 || role !== undefined || binding !== undefined;
  const isClean = deployers.length === 0 && !hasRights && observed.hostTarget === undefined;
  const isDone = isClean && observed.remainingItems.filter(isUnfailed).length === 0;
  return isOurs && isDone ? { kind: "release", environment } : manage(observed, [], settings);
}

/** Whether the deployers stay until other DeployItems are deleted (docs/reference/deployer-management.md#removal). */
function waitsForItems({ environment, remainingItems }: ObservedEnvironment): boolean {
  return environment !== undefined && remainingItems.length > 0 && !isAbandoned(environment);
}

function listPairs(environment: Environment, { registrations }: ObservedEnvironment): readonly Pair[] {
  const living = registrations.filter((registration) => !isDeleting(registration));
  const sorted = living.toSorted((a: DeployerRegistration, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  return sorted.map((registration) => ({ registration, environment }));
}

/** A host that is deleted while it is wanted is made again, but not while one of its deployers is uninstalled by it. */
function releaseHost({ environment, deployers, hostTarget }: ObservedEnvironment): Target | undefined {
  if (hostTarget === undefined) return undefined;
  const isWanted = environment !== undefined && !isDeleting(environment);
  const isInUse = deployers.some(({ installation }) => !isWanted || isDeleting(installation));
  return !isInUse && (!isWanted || isDeleting(hostTarget)) ? hostTarget : undefined;
}

/** The agent reads Secrets as long as it installs or uninstalls something. */
function decideAgentSecrets(observed: ObservedEnvironment, settings: DeployerManagementSettings): SecretsDecision {
  const { name, environment, deployers, agentSecrets } = observed;
  const isLiving = environment !== undefined && !isDeleting(environment);
  const isNeeded = isLiving || deployers.length > 0 || waitsForItems(observed);
  return decideSecrets(agentSecrets, { environment: name, isNeeded, settings });
}

/** What is wrong with an Environment itself. */
function findProblem(
  { environment, missingNamespaces }: ObservedEnvironment,
  agentSecrets: SecretsDecision,
): LandscaperError | undefined {
  if (environment === undefined || isDeleting(environment)) return undefined;
  if (missingNamespaces.length > 0) return missingNamespacesError(environment, missingNamespaces);
  const omitted = agentSecrets.kind === "keep" ? agentSecrets.omitted : 0;
  return omitted > 0 ? omittedSecretsError(environment, omitted) : undefined;
}

/** Bindings of one namespace, or of none, have names of their own. */
function placeOf({ metadata }: RoleBinding): string {
  return `${metadata.namespace ?? ""}/${metadata.name ?? ""}`;
}

function manage(
  observed: ObservedEnvironment,
  pairs: readonly Pair[],
  settings: DeployerManagementSettings,
): EnvironmentDecision {
  const { environment, deployers, bindings, remainingItems } = observed;
  const agentSecrets = decideAgentSecrets(observed, settings);
  const checked = pairs.map((pair) => ({ pair, names: namesOf(pair), error: checkPairName(namesOf(pair)) }));
  const legal = checked.filter(({ error }) => error === undefined);
  const wantedNames = new Set(legal.map(({ names }) => pairName(names)));
  const existing = new Map(deployers.map((deployer) => [pairName(deployer.names), deployer]));
  // One that somebody has deleted goes first, and is made again then.
  const isGoing = (deployer: ObservedDeployer): boolean =>
    !wantedNames.has(pairName(deployer.names)) || isDeleting(deployer.installation);
  const isSuspended = environment?.spec.suspend === true && !isDeleting(environment);
  const present = legal.flatMap(({ pair, names }) => {
    const installation = existing.get(pairName(names))?.installation;
    if (installation !== undefined && isDeleting(installation)) return [];
    // The core installs no deployers into an Environment that is being deleted.
    if (isDeleting(pair.environment))
      return installation === undefined ? [] : { pair, installation, hold: "itemsRemain" as const };
    return { pair, installation, hold: findHold(pair, installation) };
  });
  const isLiving = environment !== undefined && !isDeleting(environment);
  const wanted = present.flatMap(({ pair, hold }) => (hold === undefined ? pair : []));
  const wantedBindings = new Set(legal.flatMap(({ pair }) => buildBindings(pair, settings).map(placeOf)));
  const isStray = ({ names, binding }: ObservedBinding): boolean =>
    wantedNames.has(pairName(names)) ? !wantedBindings.has(placeOf(binding)) : !existing.has(pairName(names));
  return {
    kind: "manage",
    host: isLiving && !awaitsAgent(environment) && wanted.length + deployers.length > 0 ? environment : undefined,
    wanted,
    held: present.flatMap(({ pair, hold, installation }) => (hold === undefined ? [] : { pair, hold, installation })),
    refused: checked.flatMap(({ names, error }) => (error === undefined ? [] : [{ names, error }])),
    // What somebody has deleted by hand goes on its way.
    removals: decideRemovals(deployers.filter(isGoing)).filter(({ step }) => !isSuspended || step !== "delete"),
    strayBindings: bindings.filter(isStray).map(({ binding }) => binding),
    agentSecrets,
    problem: findProblem(observed, agentSecrets),
    abandonedItems:
      environment !== undefined && isAbandoned(environment) && deployers.length === 0
        ? remainingItems.filter(isUnfailed)
        : [],
    releasedHost: releaseHost(observed),
  };
}
