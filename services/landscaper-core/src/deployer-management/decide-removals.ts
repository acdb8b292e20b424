import { finalizer } from "@landscaper/api";
import { hasFinalizer, isDeleting } from "../object-reading.ts";
import type { ObservedDeployer } from "./observed-environment.ts";
import { pairName } from "./pair.ts";

export interface Removal {
  readonly deployer: ObservedDeployer;
  /**
   * "delete" the Installation; "hold": another deployer that goes still needs it; "wait": it is being uninstalled; "release": it is
   * uninstalled, its rights and our finalizer go.
   */
  readonly step: "delete" | "hold" | "wait" | "release";
}

/** Whether `deployer` serves DeployItems of `other`. */
function serves(deployer: ObservedDeployer, other: ObservedDeployer): boolean {
  return other !== deployer && other.items.some(({ spec }) => deployer.provides.includes(spec.type));
}

/**
 * What to do next for deployers that are to go. A deployer goes after those whose DeployItems it serves, so that nobody loses its
 * uninstaller; deployers that serve each other go together (docs/reference/deployer-management.md#removal).
 */
export function decideRemovals(deployers: readonly ObservedDeployer[]): readonly Removal[] {
  const isNeeded = (one: ObservedDeployer): boolean => deployers.some((other) => serves(one, other));
  const waiting = deployers.filter(({ installation }) => !isDeleting(installation));
  const free = waiting.filter((one) => !isNeeded(one));
  const isInWork = deployers.some(({ installation }) => isDeleting(installation));
  const going = new Set(free.length > 0 || isInWork ? free : waiting);
  const sorted = deployers.toSorted((a, b) => (pairName(a.names) < pairName(b.names) ? -1 : 1));
  return sorted.map((deployer) => {
    const { installation } = deployer;
    if (!isDeleting(installation)) return { deployer, step: going.has(deployer) ? "delete" : "hold" };
    return { deployer, step: hasFinalizer(installation, finalizer) ? "wait" : "release" };
  });
}
