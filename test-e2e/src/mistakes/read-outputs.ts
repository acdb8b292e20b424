import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { resources, type KubeObject, type ResourceType } from "@landscaper/api";
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
const command = join(import.meta.dirname, "../../../bin/landscaper");
const run = promisify(execFile);

/** Reads what a user reads about the Installation "root". */
export async function readOutputs(scope: TestNamespace, kubeconfig: string): Promise<Outputs> {
  const options = ["-n", scope.name, "--kubeconfig", kubeconfig];
  const [describe, tree, why] = await Promise.all([
    describeInstallation(scope),
    run(command, ["tree", name, ...options]),
    run(command, ["why", `installation/${name}`, ...options]),
  ]);
  return { describe, tree: tree.stdout, why: why.stdout };
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
