import type { DeployItem, Execution, Installation } from "@landscaper/api";

/** Hears of every stored status change; must neither block nor throw. */
export interface Announcer {
  /** `entered`: the phases since `previous`, with those that were never stored. Default: that of `current`. */
  readonly installation: (current: Installation, previous: Installation, entered?: readonly string[]) => void;
  readonly execution: (current: Execution, previous: Execution, entered?: readonly string[]) => void;
  readonly deployItem: (current: DeployItem, previous: DeployItem) => void;
  /** Of an object that the core has taken its finalizer from. `entered`: phases before that which were never stored. */
  readonly released: (object: Installation | Execution | DeployItem, entered?: readonly string[]) => void;
}
