import type { HelmDialect } from "./helm-dialect.ts";
import type { HelmVersion } from "./helm-version.ts";

/** Returns the dialect of a version. Loads the modules of Helm 4 only for Helm 4. Helm 3 is the default of the engine, so its modules are always loaded. */
export async function loadDialect(version: HelmVersion): Promise<HelmDialect> {
  return version === "3" ? (await import("./helm3.ts")).helm3 : (await import("./helm4.ts")).helm4;
}
