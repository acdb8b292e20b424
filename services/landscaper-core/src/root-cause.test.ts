import { describe, expect, it } from "@jest/globals";
import { annotations, apiVersion, type Execution, type ExecutionStatus, type Installation } from "@landscaper/api";
import { deployItem, type ItemState } from "../test/deploy-items.ts";
import { installationOf } from "../test/installations.ts";
import {
  describeFailedChildren,
  describeFailedItems,
  describeRetriedItem,
  describeRetry,
  type JobTree,
} from "./root-cause.ts";

interface Node {
  readonly name: string;
  readonly phase?: string;
  readonly error?: readonly [reason: string, message: string, ...codes: readonly string[]];
  readonly finished?: string;
  readonly execution?: ExecutionStatus & { readonly items?: readonly ItemState[] };
  readonly children?: readonly Node[];
}

function lastError([reason, message, ...codes]: NonNullable<Node["error"]>) {
  return { operation: "o", reason, message, codes: [...codes], lastTransitionTime: "", lastUpdateTime: "" };
}

function treeOf(root: Node): { tree: JobTree; installation: Installation } {
  const nodes = new Map<string, Node>();
  const toInstallation = (node: Node): Installation => {
    nodes.set(node.name, node);
    return installationOf({
      name: node.name,
      annotations: { [annotations.subinstallationName]: node.name },
      status: {
        jobID: "1",
        ...(node.phase === undefined ? {} : { phase: node.phase }),
        ...(node.error === undefined ? {} : { lastError: lastError(node.error) }),
        ...(node.finished === undefined ? {} : { transitionTimes: { finishedTime: node.finished } }),
      },
    });
  };
  const nodeOf = ({ metadata }: Installation | Execution): Node | undefined => nodes.get(metadata.name ?? "");
  return {
    installation: toInstallation(root),
    tree: {
      executionOf: (installation) => {
        const status = nodeOf(installation)?.execution;
        if (status === undefined) return undefined;
        return {
          apiVersion,
          kind: "Execution",
          metadata: installation.metadata,
          spec: {},
          status: { jobID: "1", ...status },
        };
      },
      subinstallationsOf: (installation) => (nodeOf(installation)?.children ?? []).map(toInstallation),
      deployItemsOf: (execution) => (nodeOf(execution)?.execution?.items ?? []).map(deployItem),
    },
  };
}

const failedItem = { jobID: "1", jobIDFinished: "1", phase: "Failed" };
const as = { operation: "handlePhaseProgressing", reason: "JobIDFinished" };

/** Owners that a user has written: the child owns its parent. */
function ring(): Node {
  const children: Node[] = [];
  const root: Node = { name: "root", phase: "Failed", error: ["R", "of the root"], children };
  children.push({ name: "other", phase: "Failed", error: ["R", "of the other"], children: [root] });
  return root;
}

describe("the cause of a failed job (design.md §3.7)", () => {
  const rows: readonly (readonly [name: string, root: Node, want: string])[] = [
    [
      "is the deploy item",
      { name: "root", execution: { phase: "Failed", items: [{ name: "a", ...failedItem, message: "no disk" }] } },
      'Execution is failed: deploy item "a": no disk',
    ],
    [
      "is the Execution itself when no item of this job has failed",
      {
        name: "root",
        execution: {
          phase: "Failed",
          lastError: lastError(["InvalidDeployItems", "unreadable"]),
          items: [{ name: "a", ...failedItem, jobID: "0", jobIDFinished: "0" }],
        },
      },
      "Execution is failed: unreadable",
    ],
    [
      "is found through subinstallations",
      {
        name: "root",
        execution: { phase: "Succeeded" },
        children: [
          { name: "good", phase: "Succeeded" },
          {
            name: "sub",
            phase: "Failed",
            children: [
              {
                name: "leaf",
                phase: "Failed",
                execution: { phase: "Failed", items: [{ name: "a", ...failedItem, message: "x" }] },
              },
            ],
          },
        ],
      },
      'subinstallation "sub": subinstallation "leaf": Execution is failed: deploy item "a": x',
    ],
    [
      "is the subinstallation's own error when nothing below has failed",
      { name: "root", children: [{ name: "sub", phase: "Failed", error: ["ImportsSatisfied", "no import"] }] },
      'subinstallation "sub": no import',
    ],
    ["is found once in a ring of owners", ring(), 'subinstallation "other": of the other'],
    [
      "is what failed first",
      {
        name: "root",
        children: [
          { name: "a", phase: "Failed", error: ["R", "later"], finished: "2026-01-01T00:00:02Z" },
          { name: "b", phase: "Failed", error: ["R", "first"], finished: "2026-01-01T00:00:01Z" },
        ],
      },
      'subinstallation "b": first',
    ],
    [
      "is not a consequence",
      {
        name: "root",
        children: [
          {
            name: "a",
            phase: "Failed",
            error: ["AllPredecessorsSucceeded", "b failed"],
            finished: "2026-01-01T00:00:01Z",
          },
          { name: "b", phase: "Failed", error: ["R", "cause"], finished: "2026-01-01T00:00:02Z" },
        ],
      },
      'subinstallation "b": cause',
    ],
    [
      "is not that a sibling waits for another that cannot be deleted",
      {
        name: "root",
        children: [
          { name: "a", phase: "DeleteFailed", error: ["SiblingImport", "b imports"], finished: "2026-01-01T00:00:01Z" },
          { name: "b", phase: "DeleteFailed", error: ["R", "cause"], finished: "2026-01-01T00:00:01Z" },
        ],
      },
      'subinstallation "b": cause',
    ],
    [
      "of a deletion says so",
      {
        name: "root",
        execution: {
          phase: "DeleteFailed",
          items: [{ name: "a", ...failedItem, phase: "DeleteFailed", message: "stuck" }],
        },
      },
      'Execution could not be deleted: deploy item "a": stuck',
    ],
    [
      "is said to be missing when nobody has told it",
      { name: "root", execution: { phase: "Failed", items: [{ name: "a", ...failedItem }] } },
      'Execution is failed: deploy item "a": failed without a message',
    ],
    ["is unknown when nothing has failed any more", { name: "root" }, "a sub-object has failed"],
  ];
  it.each(rows)("%s", (_name, root, want) => {
    const { installation, tree } = treeOf(root);
    expect(describeFailedChildren(installation, tree, as)).toMatchObject({ ...as, message: want, retry: "never" });
  });

  it("hands on the codes that are known", () => {
    const { installation, tree } = treeOf({
      name: "root",
      children: [{ name: "a", phase: "Failed", error: ["R", "x", "ERR_TIMEOUT", "ERR_OF_OTHERS"] }],
    });
    expect(describeFailedChildren(installation, tree, as).codes).toEqual(["ERR_TIMEOUT"]);
  });
});

describe("the cause of a failed Execution", () => {
  it("is the item that failed first; without one there is none", () => {
    const items = [deployItem({ name: "a", ...failedItem, message: "x" }), deployItem({ name: "b" })];
    expect(describeFailedItems(items, "DeployItems")?.message).toBe('deploy item "a": x');
    expect(describeFailedItems([], "DeployItems")).toBeUndefined();
  });
});

describe("what a job says of its retries", () => {
  const retried = (name: string) => ({
    name,
    jobID: "1",
    jobIDFinished: "0",
    phase: "Progressing",
    message: "no disk",
  });
  const quiet = { name: "q", jobID: "1", jobIDFinished: "0", phase: "Progressing" };
  const ended = { name: "e", ...failedItem, message: "old" };
  const rows: readonly (readonly [name: string, root: Node, want: string | undefined])[] = [
    ["nothing while no item has an error", { name: "root", execution: { items: [quiet] } }, undefined],
    ["nothing of an item that has ended", { name: "root", execution: { items: [ended, quiet] } }, undefined],
    [
      "the item and its error",
      { name: "root", execution: { items: [quiet, retried("a")] } },
      'deploy item "a" is tried again: no disk',
    ],
    [
      "the way to an item below",
      { name: "root", children: [{ name: "x" }, { name: "sub", execution: { items: [retried("a")] } }] },
      'subinstallation "sub": deploy item "a" is tried again: no disk',
    ],
    [
      "a subinstallation with an error of its own",
      { name: "root", children: [{ name: "sub", error: ["R", "no context"] }] },
      'subinstallation "sub" is tried again: no context',
    ],
    [
      "an Execution with an error of its own",
      { name: "root", execution: { lastError: lastError(["R", "refused"]) } },
      "its Execution is tried again: refused",
    ],
  ];
  it.each(rows)("names %s", (_name, root, want) => {
    const { tree, installation } = treeOf(root);
    expect(describeRetry(installation, tree)).toBe(want);
  });

  it("ends in a ring of owners", () => {
    const children: Node[] = [];
    const root: Node = { name: "root", children };
    children.push({ name: "other", children: [root] });
    const { tree, installation } = treeOf(root);
    expect(describeRetry(installation, tree)).toBeUndefined();
  });

  it("names the first of an Execution's items", () => {
    expect(describeRetriedItem([quiet, retried("b"), retried("a")].map(deployItem))).toBe(
      'deploy item "b" is tried again: no disk',
    );
  });
});
