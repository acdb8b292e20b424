import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { recordAt } from "../../objects/json.ts";
import type { Action } from "../actions.ts";
import { updateHistory } from "../revisions.ts";
import { decideStatefulSet } from "./decide-stateful-set.ts";

const nowMs = Date.parse("2026-01-01T00:01:00Z");

function makeSet(spec: object, image = "1", status: object = {}): UnstructuredObject {
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name: "db", namespace: "n", uid: "s", generation: 1 },
    spec: {
      serviceName: "db",
      replicas: 3,
      podManagementPolicy: "OrderedReady",
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 0 } },
      template: { metadata: { labels: { app: "db" } }, spec: { containers: [{ name: "main", image }] } },
      ...spec,
    },
    status,
  };
}

/** The stored revision of the set's template. */
function revisionOf(set: UnstructuredObject, revision = 1): UnstructuredObject {
  return { ...updateHistory(set, [], { hashLabel: "controller.kubernetes.io/hash" }).update, revision };
}

type State = "ready" | "running" | "terminating" | "failed";

function pod(ordinal: number, state: State, revision: UnstructuredObject): UnstructuredObject {
  const ready = {
    type: "Ready",
    status: state === "ready" ? "True" : "False",
    lastTransitionTime: "2026-01-01T00:00:55Z",
  };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: `db-${ordinal}`,
      uid: `p${ordinal}`,
      labels: { "controller-revision-hash": revision.metadata.name ?? "" },
      ...(state === "terminating" ? { deletionTimestamp: "2026-01-01T00:00:30Z" } : {}),
    },
    status: { phase: state === "failed" ? "Failed" : "Running", conditions: [ready] },
  };
}

function describeAction({ do: verb, object }: Action): string[] {
  return verb === "status" ? [] : [`${verb} ${object.kind === "Pod" ? "" : `${object.kind} `}${object.metadata.name}`];
}

interface Given {
  readonly spec?: object;
  readonly pods?: readonly (readonly [ordinal: number, state: State, image?: "old" | undefined])[];
}

const first = makeSet({}, "1");
const current = revisionOf(first);

/** What is done for a set whose pods are of the present image, or of the old one where they say so. */
function decide({ spec = {}, pods = [] }: Given): string {
  const isUpdate = pods.some(([, , image]) => image === "old");
  const set = makeSet(spec, isUpdate ? "2" : "1", { currentRevision: current.metadata.name });
  const update = revisionOf(set, 2);
  const { actions } = decideStatefulSet({
    set,
    revisions: isUpdate ? [current, update] : [current],
    pods: pods.map(([ordinal, state, image]) => pod(ordinal, state, image === "old" || !isUpdate ? current : update)),
    claims: new Set(),
    nowMs,
  });
  return actions.flatMap(describeAction).join(", ");
}

describe("decideStatefulSet", () => {
  const ready = (count: number, ...image: readonly ["old"?]) =>
    Array.from({ length: count }, (_value, ordinal) => [ordinal, "ready", ...image] as const);
  const rows: readonly (readonly [name: string, given: Given, does: string])[] = [
    ["begins with the first pod", {}, "create db-0"],
    ["waits for a pod before the next one", { pods: [[0, "running"]] }, ""],
    ["goes on when a pod is ready", { pods: ready(1) }, "create db-1"],
    ["waits until a pod has been ready for long enough", { spec: { minReadySeconds: 6 }, pods: ready(1) }, ""],
    [
      "fills a gap first",
      {
        pods: [
          [1, "ready"],
          [2, "ready"],
        ],
      },
      "create db-0",
    ],
    ["replaces a pod that has failed", { pods: [[0, "failed"]] }, "delete db-0"],
    ["waits for a pod that goes", { pods: [[0, "terminating"]] }, ""],
    [
      "makes all pods at once when told so",
      { spec: { podManagementPolicy: "Parallel" } },
      "create db-0, create db-1, create db-2",
    ],
    ["counts from its first ordinal", { spec: { ordinals: { start: 7 } } }, "create db-7"],
    [
      "makes the claims of a pod before it",
      { spec: { volumeClaimTemplates: [{ metadata: { name: "data" }, spec: {} }] } },
      "create PersistentVolumeClaim data-db-0, create db-0",
    ],
    ["removes the last pod first", { spec: { replicas: 1 }, pods: ready(3) }, "delete db-2"],
    ["removes one after the other", { spec: { replicas: 1 }, pods: [...ready(2), [2, "terminating"]] }, ""],
    [
      "removes all at once when told so",
      { spec: { replicas: 1, podManagementPolicy: "Parallel" }, pods: ready(3) },
      "delete db-2, delete db-1",
    ],
    [
      "removes nothing while a pod that stays is not ready",
      {
        spec: { replicas: 1 },
        pods: [
          [0, "running"],
          [1, "ready"],
        ],
      },
      "",
    ],
    ["updates from the last pod on", { pods: ready(3, "old") }, "delete db-2"],
    ["updates the next one when the last is back", { pods: [...ready(2, "old"), [2, "ready"]] }, "delete db-1"],
    ["waits for the one that it has updated", { pods: [...ready(2, "old"), [2, "running"]] }, ""],
    [
      "leaves pods below the partition alone",
      {
        spec: { updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 2 } } },
        pods: [...ready(2, "old"), [2, "ready"]],
      },
      "",
    ],
    ["updates nothing with OnDelete", { spec: { updateStrategy: { type: "OnDelete" } }, pods: ready(3, "old") }, ""],
    ["has nothing to do when all are there", { pods: ready(3) }, ""],
  ];
  it.each(rows)("%s", (_name, given, does) => {
    expect(decide(given)).toBe(does);
  });

  it("gives a pod below the partition that comes back its old image", () => {
    const rolling = { type: "RollingUpdate", rollingUpdate: { partition: 1 } };
    const set = makeSet({ replicas: 1, updateStrategy: rolling }, "2", { currentRevision: current.metadata.name });
    const revisions = [current, revisionOf(set, 2)];
    const { actions } = decideStatefulSet({ set, revisions, pods: [], claims: new Set(), nowMs });
    const created = actions.find((action) => action.do === "create")?.object;
    expect(recordAt(created, "spec")["containers"]).toEqual([{ name: "main", image: "1" }]);
  });

  it("keeps as many old revisions as it is told", () => {
    const set = makeSet({ replicas: 0, revisionHistoryLimit: 1 }, "4");
    const old = ["1", "2", "3"].map((image, i) => ({ ...revisionOf(makeSet({}, image)), revision: i + 1 }));
    const { actions } = decideStatefulSet({ set, revisions: old, pods: [], claims: new Set(), nowMs });
    const deleted = actions.filter((action) => action.do === "delete").map(({ object }) => object["revision"]);
    expect(deleted).toEqual([1, 2]);
  });

  it("wakes when a pod will have been ready for long enough", () => {
    const set = makeSet({ minReadySeconds: 10 }, "1", { currentRevision: current.metadata.name });
    const pods = [pod(0, "ready", current)];
    expect(decideStatefulSet({ set, revisions: [current], pods, claims: new Set(), nowMs }).wakeAtMs).toBe(
      nowMs + 5000,
    );
  });
});
