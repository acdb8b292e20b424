import type { DeployerRegistration, DeployItem, Environment, Installation, RoleBinding, Target } from "@landscaper/api";
import type { ObservedSecrets } from "./agent-secrets/observe-secrets.ts";
import type { PairNames } from "./pair.ts";

/** A DeployItem whose job no deployer has picked up. */
export interface WaitingItem {
  readonly type: string;
  /** Since when this process sees it wait, in ms of `elapsed`; the present for an item that the watchdog has not seen yet. */
  readonly sinceMs: number;
}

/** A deployer that has an Installation. */
export interface ObservedDeployer {
  readonly names: PairNames;
  readonly installation: Installation;
  /** Types of DeployItems that it serves; none when its registration is gone. */
  readonly provides: readonly string[];
  /** All DeployItems below the Installation. */
  readonly items: readonly DeployItem[];
  /** Those of them that wait for a deployer. */
  readonly waiting: readonly WaitingItem[];
}

/** A binding in which the names of a pair stand. */
export interface ObservedBinding {
  readonly names: PairNames;
  readonly binding: RoleBinding;
}

/** What the listers have about one Environment. */
export interface ObservedEnvironment {
  readonly name: string;
  /** Undefined: it is gone, and what it has left is to be removed. */
  readonly environment: Environment | undefined;
  /** All that there are. */
  readonly registrations: readonly DeployerRegistration[];
  readonly deployers: readonly ObservedDeployer[];
  /** Of its deployers. */
  readonly bindings: readonly ObservedBinding[];
  /** Of those that it names: where its deployers can have no rights. */
  readonly missingNamespaces: readonly string[];
  /** DeployItems that only this Environment serves; empty unless it is being deleted. */
  readonly remainingItems: readonly DeployItem[];
  /** What its agent may read. */
  readonly agentSecrets: ObservedSecrets;
  /** The Target of its host, as long as our finalizer keeps it. */
  readonly hostTarget: Target | undefined;
}
