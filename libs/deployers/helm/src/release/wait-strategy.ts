import type { WaitStrategy } from "@landscaper/api";
import type { HelmVersion } from "../helm-version.ts";

/** What `wait: true` of a version means. */
const defaults: Readonly<Record<HelmVersion, WaitStrategy>> = { "3": "legacy", "4": "watcher" };

/** Returns the strategy that the phase of an item names; by default that of the version. */
export function waitStrategyOf(
  { waitStrategy }: { readonly waitStrategy?: WaitStrategy | undefined },
  version: HelmVersion,
): WaitStrategy {
  return waitStrategy ?? defaults[version];
}
