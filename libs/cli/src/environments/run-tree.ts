import type { Environment, ManagedDeployer } from "@landscaper/api";
import { withCluster } from "../cluster-command.ts";
import type { CommandRun } from "../command.ts";
import type { TreeNode } from "../tree/build-tree.ts";
import { formatTree } from "../tree/format-tree.ts";
import { describeEnvironmentPhase, listEnvironments } from "./environment-state.ts";

/** `landscaper environments tree`: Environments with their deployers. */
export const runEnvironmentTree: CommandRun = async (input, context) => {
  await withCluster(input, context, async ({ client }) => {
    const environments = await listEnvironments({ client, signal: context.signal }, input.argument);
    context.writeLines(formatTree(environments.map(toNode), { now: context.now() }));
  });
};

function toNode(environment: Environment): TreeNode {
  const { metadata, status } = environment;
  const children = (status?.deployers ?? []).map(deployerNode);
  const isExplained = children.some(({ error }) => error !== undefined);
  return {
    kind: "Environment",
    name: metadata.name ?? "",
    uid: metadata.uid ?? "",
    phase: describeEnvironmentPhase(environment),
    isRunning: status?.phase === "Progressing",
    isDeleting: metadata.deletionTimestamp !== undefined,
    creationTimestamp: metadata.creationTimestamp,
    error: isExplained ? undefined : status?.lastError?.message,
    children,
  };
}

function deployerNode({ name, phase, version, waitsFor = [], message }: ManagedDeployer): TreeNode {
  const waiting = waitsFor.length === 0 ? undefined : `waits for deployers of ${waitsFor.join(", ")}`;
  return {
    kind: "Deployer",
    name,
    uid: name,
    phase,
    isRunning: phase === "Progressing",
    isDeleting: phase === "Deleting",
    type: version,
    error: message ?? waiting,
    children: [],
  };
}
