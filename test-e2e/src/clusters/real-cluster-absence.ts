import { provideBinaries } from "../../cluster/binaries.ts";

/** Why the real control plane cannot be started here; undefined if it can. Builds its programs where they can be built. */
export function realClusterAbsence(): string | undefined {
  if (process.env["KUBECONFIG_E2E"] !== undefined) return undefined;
  const binaries = provideBinaries((line) => process.stderr.write(`e2e: ${line}\n`));
  return "missing" in binaries ? `${binaries.missing}; ${binaries.hint}` : undefined;
}
