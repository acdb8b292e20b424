import type { UnstructuredObject } from "@landscaper/api";
import { isDeepEqual } from "@landscaper/patch";
import { groupOf } from "../cluster/resource-reference.ts";
import { fieldAt, isJsonObject, type JsonObject } from "../json-value.ts";
import type { ObjectPair } from "./ignore-rules.ts";
import { valueAt, type FieldPath, type KeptField } from "./kept-field.ts";

/** Facts that the object itself does not contain. */
export interface FieldFacts {
  /** Whether an autoscaler sets the number of replicas. */
  readonly isAutoscaled: boolean;
}

interface KnownPair extends ObjectPair {
  readonly facts: FieldFacts;
}

type Row = (pair: KnownPair) => readonly KeptField[];

/** The table by kind, `GROUP/KIND`; `*` stands for all kinds (docs/reference/objects-on-targets.md#fields-of-the-cluster). */
const rows: Readonly<Record<string, Row>> = {
  "*": ({ facts, live }) => (facts.isAutoscaled ? [kept(live, replicasPath)] : []),
  "rbac.authorization.k8s.io/ClusterRole": keepAggregatedRules,
  "admissionregistration.k8s.io/MutatingWebhookConfiguration": keepWebhookBundles,
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration": keepWebhookBundles,
  "apiextensions.k8s.io/CustomResourceDefinition": (pair) =>
    keepBundle(pair, ["spec", "conversion", "webhook", "clientConfig"]),
  "apiregistration.k8s.io/APIService": keepServiceBundle,
  "/PersistentVolumeClaim": (pair) => keepOpen(pair, claimPaths),
  "/Service": keepServiceFields,
  "/ServiceAccount": keepTokenSecrets,
  "/Pod": keepPodFields,
};

const replicasPath: FieldPath = ["spec", "replicas"];
const claimPaths: readonly FieldPath[] = [
  ["spec", "volumeName"],
  ["spec", "storageClassName"],
  ["spec", "volumeMode"],
];

/** Returns the fields of a live object that belong to the cluster, whatever the manifest says or leaves out. */
export function clusterFields(pair: KnownPair): KeptField[] {
  const { apiVersion, kind } = pair.manifest;
  return ["*", `${groupOf(apiVersion)}/${kind}`].flatMap((key) => rows[key]?.(pair) ?? []);
}

function kept(live: UnstructuredObject, path: FieldPath): KeptField {
  return { path, value: valueAt(live, path) };
}

/** Fields that the cluster has set and the manifest does not set. */
function keepOpen({ manifest, live }: ObjectPair, paths: readonly FieldPath[]): KeptField[] {
  return paths
    .filter((path) => valueAt(manifest, path) === undefined && valueAt(live, path) !== undefined)
    .map((path) => ({ ...kept(live, path), isAddition: true }));
}

/** The aggregation controller of Kubernetes writes the rules. */
function keepAggregatedRules({ manifest, live }: ObjectPair): readonly KeptField[] {
  return isJsonObject(manifest["aggregationRule"]) ? [kept(live, ["rules"])] : [];
}

function keepWebhookBundles(pair: ObjectPair): readonly KeptField[] {
  const found = listAt(pair.live, ["webhooks"]);
  return listAt(pair.manifest, ["webhooks"]).flatMap((webhook, index) => {
    const other = found.find(({ name }) => name === webhook["name"]);
    const value = fieldAt(other, "clientConfig", "caBundle");
    const path = ["webhooks", index, "clientConfig", "caBundle"];
    return value !== undefined && isInjected(pair.manifest, path) ? [{ path, value }] : [];
  });
}

/** `path` leads to a `clientConfig`. */
function keepBundle({ manifest, live }: ObjectPair, path: FieldPath): readonly KeptField[] {
  const bundle = [...path, "caBundle"];
  const isThere = valueAt(manifest, path) !== undefined && valueAt(live, bundle) !== undefined;
  return isThere && isInjected(manifest, bundle) ? [kept(live, bundle)] : [];
}

/** The API server refuses a bundle together with `insecureSkipTLSVerify`, and without a service. */
function keepServiceBundle(pair: ObjectPair): readonly KeptField[] {
  const isOpen = fieldAt(pair.manifest, "spec", "insecureSkipTLSVerify") !== true;
  const hasService = isJsonObject(fieldAt(pair.manifest, "spec", "service"));
  return isOpen && hasService ? keepBundle(pair, ["spec"]) : [];
}

/** Annotations that ask cert-manager or OpenShift to write the bundle, unless they say false. */
const injectors = [
  "cert-manager.io/inject-ca-from",
  "cert-manager.io/inject-ca-from-secret",
  "cert-manager.io/inject-apiserver-ca",
  "service.beta.openshift.io/inject-cabundle",
];
/** Bundles that count as empty. `Cg==` is a newline in base64: charts have it because API servers once required a bundle. */
const emptyBundles: readonly unknown[] = [undefined, null, "", "Cg=="];

/** Whether another client writes the bundle at `path`. */
function isInjected(manifest: UnstructuredObject, path: FieldPath): boolean {
  const annotations = manifest.metadata.annotations ?? {};
  return (
    emptyBundles.includes(valueAt(manifest, path)) ||
    injectors.some((key) => !["false", "", undefined].includes(annotations[key]))
  );
}

/** Addresses and ports that the API server has allocated, as far as the type of the Service still has them. */
function keepServiceFields(pair: ObjectPair): readonly KeptField[] {
  const { manifest, live } = pair;
  const type = fieldAt(manifest, "spec", "type") ?? "ClusterIP";
  if (type === "ExternalName" || fieldAt(live, "spec", "type") === "ExternalName") return [];
  const addresses = keepOpen(pair, [
    ["spec", "clusterIP"],
    ["spec", "clusterIPs"],
  ]);
  if (type === "ClusterIP") return addresses;
  const ports = listAt(manifest, ["spec", "ports"]).flatMap((port, index) => {
    const other = listAt(live, ["spec", "ports"]).find((each) => portKey(each) === portKey(port));
    const path = ["spec", "ports", index, "nodePort"];
    const isFilled = port["nodePort"] === undefined && other?.["nodePort"] !== undefined;
    return isFilled ? [{ path, value: other["nodePort"], isAddition: true }] : [];
  });
  const isLocal = fieldAt(manifest, "spec", "externalTrafficPolicy") === "Local";
  const checks = type === "LoadBalancer" && isLocal ? keepOpen(pair, [["spec", "healthCheckNodePort"]]) : [];
  return [...addresses, ...ports, ...checks];
}

function portKey({ port, protocol = "TCP" }: JsonObject): string {
  return `${String(protocol)}/${String(port)}`;
}

/** Clusters before Kubernetes 1.24, and OpenShift, write the Secret of a token into the ServiceAccount. */
function keepTokenSecrets({ manifest, live }: ObjectPair): readonly KeptField[] {
  const isOpen = listAt(manifest, ["secrets"]).length === 0;
  const isNamed = fieldAt(manifest, "secrets") !== undefined;
  return isOpen && fieldAt(live, "secrets") !== undefined ? [{ ...kept(live, ["secrets"]), isAddition: !isNamed }] : [];
}

/** The node of a Pod, and what admission has added. The API server refuses to remove it. */
function keepPodFields({ manifest, live }: ObjectPair): readonly KeptField[] {
  const [own, found] = [manifest["spec"], live["spec"]];
  if (!isJsonObject(own) || !isJsonObject(found)) return [];
  const value = {
    ...found,
    ...own,
    ...mergedLists(own, found, {
      containers: mergeContainers,
      initContainers: mergeContainers,
      volumes: byKey("name"),
    }),
    ...mergedLists(own, found, { tolerations: mergeUnequal }),
  };
  return [{ path: ["spec"], value, isAddition: true }];
}

type ListMerge = (own: readonly unknown[], found: readonly unknown[]) => readonly unknown[];

/** The fields that are lists on both sides. */
function mergedLists(own: JsonObject, found: JsonObject, merges: Readonly<Record<string, ListMerge>>): JsonObject {
  const merged = Object.entries(merges).flatMap(([key, merge]) => {
    const [left, right] = [own[key], found[key]];
    return Array.isArray(left) && Array.isArray(right) ? [[key, merge(left, right)] as const] : [];
  });
  return Object.fromEntries(merged);
}

/** In the order of the target: the API server refuses another one. */
function byKey(key: string, mergeItem: (own: JsonObject, found: JsonObject) => JsonObject = (own) => own): ListMerge {
  return (own, found) => {
    const find = (list: readonly unknown[], item: unknown): JsonObject | undefined =>
      list.filter(isJsonObject).find((each) => each[key] !== undefined && each[key] === fieldAt(item, key));
    const kept = found.filter(isJsonObject).map((item) => {
      const wanted = find(own, item);
      return wanted === undefined ? item : mergeItem(wanted, item);
    });
    return [...kept, ...own.filter((item) => find(found, item) === undefined)];
  };
}

const mergeContainers: ListMerge = byKey("name", (own, found) => ({
  ...found,
  ...own,
  ...mergedLists(own, found, { env: byKey("name"), volumeMounts: byKey("mountPath") }),
}));

function mergeUnequal(own: readonly unknown[], found: readonly unknown[]): readonly unknown[] {
  return [...own, ...found.filter((item) => !own.some((each) => isDeepEqual(each, item)))];
}

function listAt(object: UnstructuredObject, path: FieldPath): readonly JsonObject[] {
  const value = valueAt(object, path);
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
