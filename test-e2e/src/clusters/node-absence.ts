import { provideNodeTools } from "../../cluster/node-tools.ts";
import { parseClusterNames } from "./selected-clusters.ts";

/**
 * Why suites with `startEnvironment({ node: true })` cannot run, in words for the name of a suite that is skipped: "no node: ..."; undefined when they
 * can. Throws where E2E_NODE=required wants a node that this machine does not have.
 */
export function nodeAbsence(): string | undefined {
  if (!parseClusterNames(process.env["E2E_CLUSTERS"]).includes("real")) return "no node: the real cluster does not run";
  if (process.env["KUBECONFIG_E2E"] !== undefined) return "no node: the cluster is the user's, and has not our images";
  const tools = provideNodeTools((line) => process.stderr.write(`e2e: ${line}\n`));
  if (!("missing" in tools)) return undefined;
  if (process.env["E2E_NODE"] === "required") throw new Error(`E2E_NODE=required, but ${tools.missing}; ${tools.hint}`);
  return `no node: ${tools.missing}`;
}
