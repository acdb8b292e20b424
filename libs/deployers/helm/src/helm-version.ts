import type { HelmConfig } from "./helm-config.ts";

/** Major version of Helm. */
export type HelmVersion = "3" | "4";

/** Returns the version of Helm that the item works as. */
export function helmVersionOf(_config: Pick<HelmConfig, "options">): HelmVersion {
  return "3";
}
