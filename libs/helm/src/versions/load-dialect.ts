import type { HelmDialect } from "./helm-dialect.ts";
import type { HelmVersion } from "./helm-version.ts";

/** Returns the dialect of a version. Loads only the modules of this version. */
export async function loadDialect(version: HelmVersion): Promise<HelmDialect> {
  return version === "3" ? (await import("./helm3.ts")).helm3 : (await import("./helm4.ts")).helm4;
}
