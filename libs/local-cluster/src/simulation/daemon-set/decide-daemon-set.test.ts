import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import type { Action } from "../actions.ts";
import { updateHistory } from "../revisions.ts";
import { decideDaemonSet } from "./decide-daemon-set.ts";

const nowMs = Date.parse("2026-01-01T00:01:00Z");

function makeSet(spec: object, image = "1"): UnstructuredObject {
  return {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name: "agent", namespace: "n", uid: "s", generation: 1 },
    spec: {
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
      ...spec,
      template: {
        metadata: { labels: { app: "agent" } },
        spec: { containers: [{ name: "main", image }], ...Object(Reflect.get(spec, "pod")) },
      },
    },
  };
}

const nodes = ["a", "b"].map((name) => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name, labels: { disk: name } },
}));
const hashOf = (set: UnstructuredObject): string =>
  updateHistory(set, [], { hashLabel: "h" }).update.metadata.labels?.["h"] ?? "";

type State = "ready" | "running" | "terminating" | "failed";

function pod(node: string, state: State, set: UnstructuredObject): UnstructuredObject {
  const ready = {
    type: "Ready",
    status: state === "ready" ? "True" : "False",
    lastTransitionTime: "2026-01-01T00:00:00Z",
  };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: `on-${node}`,
      uid: `on-${node}`,
      labels: { "controller-revision-hash": hashOf(set) },
      ...(state === "terminating" ? { deletionTimestamp: "2026-01-01T00:00:30Z" } : {}),
    },
    spec: { nodeName: node },
    status: { phase: state === "failed" ? "Failed" : "Running", conditions: [ready] },
  };
}

function describeAction({ do: verb, object }: Action): string[] {
  if (verb === "status" || object.kind !== "Pod") return [];
  return [`${verb} ${object.metadata.name ?? object.metadata.generateName}`];
}

interface Given {
  readonly spec?: object;
  readonly pods?: readonly (readonly [node: string, state: State, image?: "old"])[];
}

function decide({ spec = {}, pods = [] }: Given): string {
  const set = makeSet(spec, "2");
  const old = makeSet(spec, "1");
  const stored = pods.map(([node, state, image]) => pod(node, state, image === "old" ? old : set));
  const { actions } = decideDaemonSet({ set, revisions: [], pods: stored, nodes, nowMs });
  return actions.flatMap(describeAction).join(", ");
}

describe("decideDaemonSet", () => {
  const surge = { updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } };
  const rows: readonly (readonly [name: string, given: Given, does: string])[] = [
    ["makes a pod for each node", {}, "create agent-, create agent-"],
    ["makes one where there is none", { pods: [["a", "running"]] }, "create agent-"],
    [
      "leaves out nodes that its selector does not take",
      { spec: { pod: { nodeSelector: { disk: "b" } } } },
      "create agent-",
    ],
    [
      "removes pods from such nodes",
      {
        spec: { pod: { nodeSelector: { disk: "b" } } },
        pods: [
          ["a", "ready"],
          ["b", "ready"],
        ],
      },
      "delete on-a",
    ],
    [
      "waits for a pod that goes",
      {
        pods: [
          ["a", "terminating"],
          ["b", "ready"],
        ],
      },
      "",
    ],
    [
      "replaces a pod that has failed",
      {
        pods: [
          ["a", "failed"],
          ["b", "ready"],
        ],
      },
      "delete on-a",
    ],
    [
      "updates one node after the other",
      {
        pods: [
          ["a", "ready", "old"],
          ["b", "ready", "old"],
        ],
      },
      "delete on-a",
    ],
    [
      "waits until the updated pod is ready",
      {
        pods: [
          ["a", "running"],
          ["b", "ready", "old"],
        ],
      },
      "",
    ],
    [
      "updates pods that serve nobody at once",
      {
        pods: [
          ["a", "running", "old"],
          ["b", "ready", "old"],
        ],
      },
      "delete on-a",
    ],
    [
      "makes the new pod first with a surge",
      {
        spec: surge,
        pods: [
          ["a", "ready", "old"],
          ["b", "ready"],
        ],
      },
      "create agent-",
    ],
    [
      "keeps the old pod until the new one is ready",
      {
        spec: surge,
        pods: [
          ["a", "ready", "old"],
          ["a", "running"],
          ["b", "ready"],
        ],
      },
      "",
    ],
    [
      "removes the old pod then",
      {
        spec: surge,
        pods: [
          ["b", "ready", "old"],
          ["b", "ready"],
          ["a", "ready"],
        ],
      },
      "delete on-b",
    ],
    [
      "updates nothing with OnDelete",
      {
        spec: { updateStrategy: { type: "OnDelete" } },
        pods: [
          ["a", "ready", "old"],
          ["b", "ready", "old"],
        ],
      },
      "",
    ],
  ];
  it.each(rows)("%s", (_name, given, does) => {
    expect(decide(given)).toBe(does);
  });
});
