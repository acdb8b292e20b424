import type { UnstructuredObject } from "@landscaper/api";
import { fieldAt, recordAt } from "../../objects/json.ts";
import { controllerReference } from "../owners.ts";
import { texts } from "../pod/make-pod.ts";
import { hashOf } from "../template-hash.ts";
import type { Rollout } from "./rollout.ts";
import {
  allSets,
  hashLabel,
  isRolling,
  replicasOf,
  revisionAnnotation,
  revisionOf,
  sum,
  tolerances,
} from "./rollout.ts";

const desiredAnnotation = "deployment.kubernetes.io/desired-replicas";
const maxAnnotation = "deployment.kubernetes.io/max-replicas";
const historyAnnotation = "deployment.kubernetes.io/revision-history";

/** Annotations of a Deployment that say nothing about its ReplicaSets. */
const ownAnnotations: ReadonlySet<string> = new Set([
  "kubectl.kubernetes.io/last-applied-configuration",
  revisionAnnotation,
  historyAnnotation,
  desiredAnnotation,
  maxAnnotation,
  "deprecated.deployment.rollback.to",
]);

/** The ReplicaSet of a Deployment's present template. */
export function makeReplicaSet(rollout: Rollout): UnstructuredObject {
  const { deployment } = rollout;
  const spec = recordAt(deployment, "spec");
  const hash = hashOf(spec["template"]);
  const labels = { ...texts(fieldAt(spec, "template", "metadata", "labels")), [hashLabel]: hash };
  const template = {
    ...recordAt(spec, "template"),
    metadata: { ...recordAt(spec, "template", "metadata"), labels },
  };
  const selector = recordAt(spec, "selector");
  const minReadySeconds = spec["minReadySeconds"];
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name: `${deployment.metadata.name ?? ""}-${hash}`,
      namespace: deployment.metadata.namespace ?? "",
      labels,
      annotations: {
        ...inheritedAnnotations(deployment),
        ...replicaAnnotations(deployment),
        [revisionAnnotation]: String(nextRevision(rollout)),
      },
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      ...(minReadySeconds === undefined ? {} : { minReadySeconds }),
      replicas: replicasForNew(rollout),
      selector: { ...selector, matchLabels: { ...recordAt(selector, "matchLabels"), [hashLabel]: hash } },
      template,
    },
  };
}

/** An existing ReplicaSet with the annotations and settings that its Deployment gives it as its newest one. */
export function updateNewSet(rollout: Rollout, set: UnstructuredObject): UnstructuredObject {
  const { deployment } = rollout;
  const { annotations = {} } = set.metadata;
  const revision = revisionOf(set);
  const wanted = nextRevision(rollout);
  const history = annotations[historyAnnotation];
  const revisions =
    revision >= wanted
      ? {}
      : {
          [revisionAnnotation]: String(wanted),
          ...(revision === 0
            ? {}
            : { [historyAnnotation]: history === undefined ? String(revision) : `${history},${revision}` }),
        };
  const all = { ...annotations, ...inheritedAnnotations(deployment), ...revisions };
  const minReadySeconds = fieldAt(deployment, "spec", "minReadySeconds");
  const { minReadySeconds: _old, ...spec } = recordAt(set, "spec");
  return {
    ...set,
    metadata: { ...set.metadata, annotations: all },
    spec: minReadySeconds === undefined ? spec : { ...spec, minReadySeconds },
  };
}

function nextRevision({ oldSets }: Rollout): number {
  return Math.max(0, ...oldSets.map(revisionOf)) + 1;
}

function inheritedAnnotations({ metadata }: UnstructuredObject): Record<string, string> {
  return Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([key]) => !ownAnnotations.has(key)));
}

/** What a ReplicaSet remembers of its Deployment's size, to notice when that changes. */
function replicaAnnotations(deployment: UnstructuredObject): Record<string, string> {
  const replicas = replicasOf(deployment);
  return { [desiredAnnotation]: String(replicas), [maxAnnotation]: String(replicas + tolerances(deployment).surge) };
}

/** The set with another number of replicas. */
export function scaled(deployment: UnstructuredObject, set: UnstructuredObject, replicas: number): UnstructuredObject {
  const annotations = { ...set.metadata.annotations, ...replicaAnnotations(deployment) };
  return { ...set, metadata: { ...set.metadata, annotations }, spec: { ...recordAt(set, "spec"), replicas } };
}

/** Whether the Deployment has been scaled since its ReplicaSets were. */
export function isScaled(rollout: Rollout): boolean {
  const { deployment } = rollout;
  return allSets(rollout).some((set) => {
    const desired = set.metadata.annotations?.[desiredAnnotation];
    return replicasOf(set) > 0 && desired !== undefined && Number(desired) !== replicasOf(deployment);
  });
}

/** How large the Deployment was when `set` was scaled last, with its surge. */
export function formerMaximum(set: UnstructuredObject): number | undefined {
  const text = set.metadata.annotations?.[maxAnnotation];
  return text === undefined ? undefined : Number(text);
}

/** How many pods the newest ReplicaSet may have now. */
export function replicasForNew(rollout: Rollout): number {
  const { deployment, newSet } = rollout;
  const wanted = replicasOf(deployment);
  const now = newSet === undefined ? 0 : replicasOf(newSet);
  if (!isRolling(deployment)) return wanted;
  const room = wanted + tolerances(deployment).surge - sum(allSets(rollout), replicasOf);
  return room <= 0 ? now : now + Math.min(room, wanted - now);
}
