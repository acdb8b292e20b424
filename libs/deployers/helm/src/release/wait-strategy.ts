import type { WaitStrategy } from "@landscaper/api";
import type { HelmVersion } from "@landscaper/helm";

/** What `wait: true` of a version means. */
const defaults: Readonly<Record<HelmVersion, WaitStrategy>> = { "3": "legacy", "4": "watcher" };

/** Returns the strategy that the phase of an item names; by default that of the version. */
export function waitStrategyOf(
  { waitStrategy }: { readonly waitStrategy?: WaitStrategy | undefined },
  version: HelmVersion,
): WaitStrategy {
  return waitStrategy ?? defaults[version];
}

/** Whether a phase waits for its objects. With Helm 4, `atomic` implies `wait`. */
export function waits(
  { wait, atomic }: { readonly wait?: boolean | undefined; readonly atomic?: boolean | undefined },
  version: HelmVersion,
): boolean {
  return wait === true || (version === "4" && atomic === true);
}
