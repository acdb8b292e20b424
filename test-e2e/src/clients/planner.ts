// A user of `landscaper diff` with the rights of the guide and no others.
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { kubeResources, type KubeObject } from "@landscaper/api";
import { createKubeconfig } from "@landscaper/testkit";
import { rbacType } from "../clusters/rbac-type.ts";
import { requestToken } from "../clusters/service-token.ts";
import { readGuideExamples } from "../examples/guide-examples.ts";
import type { TestNamespace } from "../namespaces/test-namespace.ts";
import type { Environment } from "../services/environment.ts";

export interface EndedCommand {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number;
}

const command = join(import.meta.dirname, "../../../bin/landscaper");
export const plannerGuide = readGuideExamples("cli.md");

/** Path of the user's kubeconfig, in `folder`. */
export async function createPlanner(environment: Environment, scope: TestNamespace, folder: string): Promise<string> {
  const account = { namespace: scope.name, name: "planner" };
  const { client, hub } = environment;
  await client.create(kubeResources.serviceAccount, { apiVersion: "v1", kind: "ServiceAccount", metadata: account });
  for (const object of plannerGuide.load("diff-rights", { namespace: scope.name }) satisfies KubeObject[]) {
    await client.create(rbacType(object.kind), object);
  }
  const file = join(folder, scope.name);
  const token = await requestToken(client, account);
  writeFileSync(file, createKubeconfig({ name: "planner", server: hub.url, ca: hub.ca, user: { token } }));
  return file;
}

/** `landscaper diff` with the words, in the namespace. */
export async function runDiff(
  scope: TestNamespace,
  kubeconfig: string,
  ...words: readonly string[]
): Promise<EndedCommand> {
  return await runCommand(scope, kubeconfig, ["diff", ...words]);
}

/** The built command as a process of its own, beside the servers in this one. */
export async function runCommand(
  scope: TestNamespace,
  kubeconfig: string,
  words: readonly string[],
): Promise<EndedCommand> {
  const args = [...words, "-n", scope.name, "--kubeconfig", kubeconfig];
  return await new Promise((resolve) => {
    execFile(command, args, (error, stdout, stderr) => {
      resolve({ stdout, stderr, status: error === null ? 0 : Number(error.code) });
    });
  });
}
