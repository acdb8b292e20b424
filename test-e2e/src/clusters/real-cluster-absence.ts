import { provideBinaries } from "../../cluster/binaries.ts";

/** Returns why this machine cannot start the real control plane; undefined if it can. Builds the programs of the control plane if the run may build them. */
export function realClusterAbsence(): string | undefined {
  if (process.env["KUBECONFIG_E2E"] !== undefined) return undefined;
  const binaries = provideBinaries((line) => process.stderr.write(`e2e: ${line}\n`));
  return "missing" in binaries ? `${binaries.missing}; ${binaries.hint}` : undefined;
}
