import { annotations, operations, type DeployItem } from "@landscaper/api";
import type { HelmVersion } from "@landscaper/helm";

/** Version of Helm that an item is compared with; "other": the one that it does not work as. */
export type SwitchRequest = HelmVersion | "other";

const requests: Readonly<Record<string, SwitchRequest>> = {
  [operations.planOtherHelm]: "other",
  [operations.planHelm3]: "3",
  [operations.planHelm4]: "4",
};

/** Operations that ask what a switch of the version of Helm would change. Only previews read them, so they have no effect on jobs. */
export const switchOperations: readonly string[] = Object.keys(requests);

/** Returns what the item is compared with; undefined if its operation asks for no comparison. */
export function switchRequestOf({ metadata }: Pick<DeployItem, "metadata">): SwitchRequest | undefined {
  return requests[metadata.annotations?.[annotations.operation] ?? ""];
}
