import type { UnstructuredObject } from "@landscaper/api";
import { fieldAt, listAt, numberAt, recordAt, stringAt } from "../../objects/json.ts";
import type { Action, Decision } from "../actions.ts";
import type { Fields } from "../conditions.ts";
import { makePod } from "../pod/make-pod.ts";
import { availableAt, countAvailable, isFinished, isReady, isTerminating } from "../pod/pod-state.ts";
import { fitsNode } from "../pod/schedule-pod.ts";
import { withoutZeros } from "../replica-set/decide-replica-set.ts";
import type { RevisionHistory } from "../revisions.ts";
import { trimHistory, updateHistory } from "../revisions.ts";
import { resolve } from "../deployment/rollout.ts";

export interface ObservedDaemonSet {
  readonly set: UnstructuredObject;
  readonly revisions: readonly UnstructuredObject[];
  readonly pods: readonly UnstructuredObject[];
  readonly nodes: readonly UnstructuredObject[];
  readonly nowMs: number;
}

const hashLabel = "controller-revision-hash";
const generationLabel = "pod-template-generation";
const generationAnnotation = "deprecated.daemonset.template.generation";

/** One pass over a DaemonSet: a pod for each node that its selector takes, replaced by its update strategy. */
export function decideDaemonSet(observed: ObservedDaemonSet): Decision {
  const { set, revisions, nodes, pods } = observed;
  const generation = set.metadata.annotations?.[generationAnnotation] ?? "1";
  const history = updateHistory(set, revisions, { hashLabel, annotations: { [generationAnnotation]: generation } });
  const podSpec = fieldAt(set, "spec", "template", "spec");
  const eligible = nodes.filter((node) => fitsNode(podSpec, node));
  const { status, nextMs } = daemonSetStatus(observed, eligible, hashOfRevision(history.update));
  const actions: Action[] = [...history.actions];
  if (!isTerminating(set)) {
    actions.push(...placePods(observed, eligible, history));
    const used = new Set([...pods.map(hashOfPod), hashOfRevision(history.update)]);
    actions.push(...trimHistory(set, history.all, (revision) => used.has(hashOfRevision(revision))));
  }
  actions.push({ do: "status", object: set, status });
  return { actions, wakeAtMs: nextMs };
}

function hashOfRevision({ metadata }: UnstructuredObject): string {
  return metadata.labels?.[hashLabel] ?? "";
}

function hashOfPod({ metadata }: UnstructuredObject): string {
  return metadata.labels?.[hashLabel] ?? "";
}

/** The node of a pod: where it runs, or where it has to. */
function nodeOf(pod: UnstructuredObject): string {
  const [term] = listAt(pod, "spec", "affinity", "nodeAffinity", requiredTerms, "nodeSelectorTerms");
  const [name] = listAt(listAt(term, "matchFields")[0], "values");
  return stringAt(pod, "spec", "nodeName") || (typeof name === "string" ? name : "");
}

const requiredTerms = "requiredDuringSchedulingIgnoredDuringExecution";

function placePods(
  observed: ObservedDaemonSet,
  eligible: readonly UnstructuredObject[],
  history: RevisionHistory,
): Action[] {
  const names = new Set(eligible.map(({ metadata }) => metadata.name ?? ""));
  const { pods } = observed;
  const misplaced = pods.filter((pod) => !names.has(nodeOf(pod)) && !isTerminating(pod));
  const budget = { unavailable: toleratedFailures(observed, eligible) };
  return [
    ...misplaced.map((object): Action => ({ do: "delete", object })),
    ...[...names].flatMap((node) => placeOn(observed, node, { history, budget })),
  ];
}

interface Placing {
  readonly history: RevisionHistory;
  /** How many more pods may be taken away; counts down over the nodes of a pass. */
  readonly budget: { unavailable: number };
}

/** What one node needs. */
function placeOn(observed: ObservedDaemonSet, node: string, { history, budget }: Placing): Action[] {
  const { set } = observed;
  const own = observed.pods.filter((pod) => nodeOf(pod) === node);
  const finished = own.filter((pod) => isFinished(pod) && !isTerminating(pod));
  if (finished.length > 0) return finished.map((object) => ({ do: "delete", object }));
  const alive = own.filter((pod) => !isTerminating(pod));
  const create: Action = { do: "create", object: makeDaemonPod(set, history.update, node) };
  const hash = hashOfRevision(history.update);
  const updated = alive.find((pod) => hashOfPod(pod) === hash);
  const old = alive.filter((pod) => pod !== updated);
  const surges = isRolling(set) && surgeOf(set) > 0;
  // A pod on its way out still holds the node's place, unless a surge allows two.
  if (alive.length === 0) return own.length === 0 || surges ? [create] : [];
  if (!isRolling(set) || old.length === 0) return [];
  if (surges) {
    if (updated === undefined) return [create];
    return isAvailable(observed, updated) ? old.map((object) => ({ do: "delete", object })) : [];
  }
  return old.flatMap((object): Action[] => {
    // A pod that serves nobody costs nothing.
    if (isAvailable(observed, object)) {
      if (budget.unavailable <= 0) return [];
      budget.unavailable -= 1;
    }
    return [{ do: "delete", object }];
  });
}

function isRolling(set: UnstructuredObject): boolean {
  return stringAt(set, "spec", "updateStrategy", "type") !== "OnDelete";
}

function surgeOf(set: UnstructuredObject): number {
  return resolve(fieldAt(set, "spec", "updateStrategy", "rollingUpdate", "maxSurge"), 1, Math.ceil);
}

/** maxUnavailable less the nodes without an available pod. */
function toleratedFailures(observed: ObservedDaemonSet, eligible: readonly UnstructuredObject[]): number {
  const maximum = fieldAt(observed.set, "spec", "updateStrategy", "rollingUpdate", "maxUnavailable");
  const lacking = eligible.filter(
    ({ metadata }) => !observed.pods.some((pod) => nodeOf(pod) === metadata.name && isAvailable(observed, pod)),
  );
  return resolve(maximum, eligible.length, Math.ceil) - lacking.length;
}

function isAvailable({ set, nowMs }: ObservedDaemonSet, pod: UnstructuredObject): boolean {
  return !isTerminating(pod) && availableAt(pod, numberAt(set, "spec", "minReadySeconds") ?? 0) <= nowMs;
}

const taints = [
  { key: "node.kubernetes.io/not-ready", effect: "NoExecute" },
  { key: "node.kubernetes.io/unreachable", effect: "NoExecute" },
  { key: "node.kubernetes.io/disk-pressure", effect: "NoSchedule" },
  { key: "node.kubernetes.io/memory-pressure", effect: "NoSchedule" },
  { key: "node.kubernetes.io/pid-pressure", effect: "NoSchedule" },
  { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" },
];

function makeDaemonPod(set: UnstructuredObject, revision: UnstructuredObject, node: string): UnstructuredObject {
  const generation = set.metadata.annotations?.[generationAnnotation] ?? "1";
  const pod = makePod(set, fieldAt(set, "spec", "template"), {
    generateName: `${set.metadata.name ?? ""}-`,
    labels: { [hashLabel]: hashOfRevision(revision), [generationLabel]: generation },
  });
  const spec = recordAt(pod, "spec");
  const affinity = recordAt(spec, "affinity");
  const term = { matchFields: [{ key: "metadata.name", operator: "In", values: [node] }] };
  const nodeAffinity = { ...recordAt(affinity, "nodeAffinity"), [requiredTerms]: { nodeSelectorTerms: [term] } };
  const tolerations = [
    ...listAt(spec, "tolerations"),
    ...taints.map(({ key, effect }) => ({ effect, key, operator: "Exists" })),
  ];
  return { ...pod, spec: { ...spec, affinity: { ...affinity, nodeAffinity }, tolerations } };
}

function daemonSetStatus(
  observed: ObservedDaemonSet,
  eligible: readonly UnstructuredObject[],
  hash: string,
): { readonly status: Fields; readonly nextMs: number | undefined } {
  const { set, nowMs } = observed;
  const names = new Set(eligible.map(({ metadata }) => metadata.name ?? ""));
  const placed = observed.pods.filter((pod) => names.has(nodeOf(pod)) && !isFinished(pod));
  // Of several pods on a node the newest one counts.
  const byNode = new Map(placed.toSorted(compareAge).map((pod) => [nodeOf(pod), pod]));
  const counted = [...byNode.values()];
  const misplaced = new Set(observed.pods.map(nodeOf).filter((node) => !names.has(node)));
  const { available, nextMs } = countAvailable(counted, numberAt(set, "spec", "minReadySeconds") ?? 0, nowMs);
  const counts = {
    updatedNumberScheduled: counted.filter((pod) => hashOfPod(pod) === hash).length,
    numberAvailable: available,
    numberUnavailable: eligible.length - available,
  };
  const status = {
    currentNumberScheduled: counted.length,
    numberMisscheduled: misplaced.size,
    desiredNumberScheduled: eligible.length,
    numberReady: counted.filter(isReady).length,
    observedGeneration: set.metadata.generation,
    ...withoutZeros(counts),
  };
  return { status, nextMs };
}

function compareAge(a: UnstructuredObject, b: UnstructuredObject): number {
  return (a.metadata.creationTimestamp ?? "") < (b.metadata.creationTimestamp ?? "") ? -1 : 1;
}
