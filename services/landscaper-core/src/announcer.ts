import type { DeployItem, Execution, Installation } from "@landscaper/api";

/** Hears of every stored status change; must neither block nor throw. */
export interface Announcer {
  readonly installation: (current: Installation, previous: Installation) => void;
  readonly execution: (current: Execution, previous: Execution) => void;
  readonly deployItem: (current: DeployItem, previous: DeployItem) => void;
  /** The core has removed its finalizer from the object. */
  readonly released: (object: Installation | Execution | DeployItem) => void;
}
