import { resources, type KubeObject, type ResourceType } from "@landscaper/api";
import { runProgram } from "@landscaper/cli/testing";
import type { TestNamespace } from "../namespaces/test-namespace.ts";
import type { Outputs } from "./mistake.ts";

interface Event extends KubeObject {
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly involvedObject?: { readonly name?: string; readonly kind?: string };
}

const eventType: ResourceType<Event> = { group: "", version: "v1", kind: "Event", plural: "events", namespaced: true };
const name = "root";

/** Runs the command in this process: hundreds of processes of their own would take minutes. */
async function run(...words: readonly string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await runProgram(words, { now: Date.now });
  if (exitCode !== 0) throw new Error(`landscaper ${words.join(" ")} has ended with ${exitCode}: ${stderr}`);
  return stdout;
}

/** Reads what a user reads about the Installation "root". */
export async function readOutputs(scope: TestNamespace, kubeconfig: string): Promise<Outputs> {
  const options = ["-n", scope.name, "--kubeconfig", kubeconfig];
  const [describe, tree, why] = await Promise.all([
    describeInstallation(scope),
    run("tree", name, ...options),
    run("why", `installation/${name}`, ...options),
  ]);
  return { describe, tree, why };
}

async function describeInstallation(scope: TestNamespace): Promise<string> {
  const installation = await scope.get(resources.installation, name);
  const events = await scope.environment.client.list(eventType, { namespace: scope.name });
  const { conditions = [], lastError, phase } = installation.status ?? {};
  return [
    `phase: ${phase ?? ""}`,
    ...conditions.map(({ type, status, reason, message }) => `condition ${type}=${status} ${reason}: ${message}`),
    ...(lastError === undefined ? [] : [`lastError ${lastError.reason}: ${lastError.message}`]),
    ...events.items
      .filter(({ involvedObject }) => involvedObject?.kind === "Installation" && involvedObject.name === name)
      .map(({ type, reason, message }) => `event ${type} ${reason}: ${message}`),
  ].join("\n");
}
