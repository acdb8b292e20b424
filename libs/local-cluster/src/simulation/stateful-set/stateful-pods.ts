import type { UnstructuredObject } from "@landscaper/api";
import { listAt, numberAt, recordAt, stringAt } from "../../objects/json.ts";
import type { Action } from "../actions.ts";
import { makePod, texts } from "../pod/make-pod.ts";
import { templateOf } from "../revisions.ts";

const revisionLabel = "controller-revision-hash";

export function revisionOfPod({ metadata }: UnstructuredObject): string {
  return metadata.labels?.[revisionLabel] ?? "";
}

export function firstOrdinal(set: UnstructuredObject): number {
  return numberAt(set, "spec", "ordinals", "start") ?? 0;
}

/** The number at the end of a pod's name; undefined when the pod has no name of the set's. */
export function ordinalOf(set: UnstructuredObject, pod: UnstructuredObject): number | undefined {
  const prefix = `${set.metadata.name ?? ""}-`;
  const { name = "" } = pod.metadata;
  const digits = name.startsWith(prefix) ? name.slice(prefix.length) : "";
  return /^\d+$/.test(digits) ? Number(digits) : undefined;
}

/** The pod of an ordinal, as a revision has it, and the claims that it needs and that are not there. */
export function createPod(
  set: UnstructuredObject,
  revision: UnstructuredObject,
  { ordinal, claims }: { readonly ordinal: number; readonly claims: ReadonlySet<string> },
): Action[] {
  const name = `${set.metadata.name ?? ""}-${ordinal}`;
  const templates = listAt(set, "spec", "volumeClaimTemplates");
  const missing = templates.filter((template) => !claims.has(claimName(template, name)));
  return [
    ...missing.map((template): Action => ({ do: "create", object: makeClaim(set, template, name) })),
    { do: "create", object: makeStatefulPod(set, revision, { name, ordinal }) },
  ];
}

function claimName(template: unknown, pod: string): string {
  return `${stringAt(template, "metadata", "name")}-${pod}`;
}

function makeClaim(set: UnstructuredObject, template: unknown, pod: string): UnstructuredObject {
  const { labels, annotations } = recordAt(template, "metadata");
  const selected = recordAt(set, "spec", "selector", "matchLabels");
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      name: claimName(template, pod),
      namespace: set.metadata.namespace ?? "",
      labels: { ...texts(labels), ...texts(selected) },
      ...(annotations === undefined ? {} : { annotations: texts(annotations) }),
    },
    spec: recordAt(template, "spec"),
  };
}

function makeStatefulPod(
  set: UnstructuredObject,
  revision: UnstructuredObject,
  { name, ordinal }: { readonly name: string; readonly ordinal: number },
): UnstructuredObject {
  const pod = makePod(set, templateOf(revision), {
    name,
    generateName: `${set.metadata.name ?? ""}-`,
    labels: {
      "apps.kubernetes.io/pod-index": String(ordinal),
      [revisionLabel]: revision.metadata.name ?? "",
      "statefulset.kubernetes.io/pod-name": name,
    },
  });
  const spec = recordAt(pod, "spec");
  const templates = listAt(set, "spec", "volumeClaimTemplates");
  const claimed = templates.map((template) => ({
    name: stringAt(template, "metadata", "name"),
    persistentVolumeClaim: { claimName: claimName(template, name) },
  }));
  const names = new Set(claimed.map((volume) => volume.name));
  const others = listAt(spec, "volumes").filter((volume) => !names.has(stringAt(volume, "name")));
  const volumes = [...claimed, ...others];
  const subdomain = stringAt(set, "spec", "serviceName");
  return {
    ...pod,
    spec: {
      ...spec,
      hostname: name,
      ...(subdomain === "" ? {} : { subdomain }),
      ...(volumes.length === 0 ? {} : { volumes }),
    },
  };
}
