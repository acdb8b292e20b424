import { createHash } from "node:crypto";
import type { ResourceType, UnstructuredObject } from "@landscaper/api";

/** The kind of the custom resources among the objects. */
export const widgetDefinition: UnstructuredObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.bench.example.org" },
  spec: {
    group: "bench.example.org",
    scope: "Namespaced",
    names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: {
                  size: { type: "integer" },
                  color: { type: "string" },
                  parts: { type: "array", items: { type: "string" } },
                },
              },
            },
          },
        },
      },
    ],
  },
};

export interface ObjectsOptions {
  /** Of the namespaced objects; it begins the names of the others. */
  readonly namespace: string;
  readonly count: number;
  readonly seed: number;
  /** Every tenth object differs between two revisions. */
  readonly revision: number;
}

interface Part {
  readonly name: string;
  readonly namespace: string;
  /** Hexadecimal digits that look like nothing else; the same for the same seed and index. */
  readonly noise: string;
  readonly index: number;
}

type Make = (part: Part) => UnstructuredObject;

function configMap({ name, namespace, noise, index }: Part): UnstructuredObject {
  const lines = Array.from({ length: 12 }, (_, line) => `setting.${line} = ${noise.slice(line, line + 24)}`);
  const data = { "application.properties": lines.join("\n"), "log-level": index % 2 === 0 ? "info" : "debug" };
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data };
}

function secret({ name, namespace, noise }: Part): UnstructuredObject {
  const encode = (text: string): string => Buffer.from(text).toString("base64");
  const data = { username: encode(`user-${noise.slice(0, 6)}`), password: encode(noise) };
  return { apiVersion: "v1", kind: "Secret", metadata: { name, namespace }, type: "Opaque", data };
}

/** Paused, so that its controller does not add work to the measure. */
function deployment({ name, namespace, noise }: Part): UnstructuredObject {
  const labels = { "app.kubernetes.io/name": name };
  const container = {
    name: "main",
    image: `example.org/app:${noise.slice(0, 8)}`,
    args: ["serve", "--config=/etc/app/application.properties"],
    ports: [{ name: "http", containerPort: 8080, protocol: "TCP" }],
    env: [
      { name: "SEED", value: noise.slice(8, 16) },
      { name: "POD_NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
    ],
    resources: { requests: { cpu: "10m", memory: "32Mi" }, limits: { memory: "128Mi" } },
    livenessProbe: { httpGet: { path: "/healthz", port: "http" }, periodSeconds: 10 },
    volumeMounts: [{ name: "config", mountPath: "/etc/app" }],
  };
  const podSpec = { containers: [container], volumes: [{ name: "config", configMap: { name } }] };
  const template = { metadata: { labels }, spec: podSpec };
  const spec = { paused: true, replicas: 2, selector: { matchLabels: labels }, template };
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: { name, namespace, labels }, spec };
}

/** Headless: the addresses of a cluster are few. */
function service({ name, namespace }: Part): UnstructuredObject {
  const ports = [{ name: "http", port: 80, targetPort: "http", protocol: "TCP" }];
  const spec = { clusterIP: "None", selector: { "app.kubernetes.io/name": name }, ports };
  return { apiVersion: "v1", kind: "Service", metadata: { name, namespace }, spec };
}

function serviceAccount({ name, namespace }: Part): UnstructuredObject {
  return { apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace } };
}

const rules = [
  { apiGroups: [""], resources: ["configmaps", "secrets"], verbs: ["get", "list", "watch"] },
  { apiGroups: ["apps"], resources: ["deployments"], verbs: ["get", "list", "watch", "patch"] },
];
const rbac = "rbac.authorization.k8s.io";

function role({ name, namespace }: Part): UnstructuredObject {
  return { apiVersion: `${rbac}/v1`, kind: "Role", metadata: { name, namespace }, rules };
}

function roleBinding({ name, namespace }: Part): UnstructuredObject {
  const subjects = [{ kind: "ServiceAccount", name, namespace }];
  const roleRef = { apiGroup: rbac, kind: "Role", name };
  return { apiVersion: `${rbac}/v1`, kind: "RoleBinding", metadata: { name, namespace }, roleRef, subjects };
}

function clusterRole({ name, namespace }: Part): UnstructuredObject {
  return { apiVersion: `${rbac}/v1`, kind: "ClusterRole", metadata: { name: `${namespace}-${name}` }, rules };
}

function widget({ name, namespace, noise, index }: Part): UnstructuredObject {
  const spec = { size: index, color: noise.slice(0, 6), parts: [noise.slice(6, 12), noise.slice(12, 18)] };
  return { apiVersion: "bench.example.org/v1", kind: "Widget", metadata: { name, namespace }, spec };
}

const app: readonly Make[] = [configMap, secret, deployment, service];

/** What charts are made of, about as often as there. */
const makers: readonly Make[] = [
  ...app,
  serviceAccount,
  ...app,
  serviceAccount,
  ...app,
  role,
  roleBinding,
  clusterRole,
  configMap,
  widget,
  configMap,
];

/** Where the kinds above live, by kind. */
const plurals: Readonly<Record<string, string>> = {
  ConfigMap: "configmaps",
  Secret: "secrets",
  Deployment: "deployments",
  Service: "services",
  ServiceAccount: "serviceaccounts",
  Role: "roles",
  RoleBinding: "rolebindings",
  ClusterRole: "clusterroles",
  Widget: "widgets",
};

/** Plurals of all kinds that are among the objects. */
export const measuredResources: ReadonlySet<string> = new Set(Object.values(plurals));

/** The type of a kind that is among the objects. */
export function measuredType({ apiVersion, kind }: UnstructuredObject): ResourceType<UnstructuredObject> {
  const [version = "", group = ""] = apiVersion.split("/").toReversed();
  return { group, version, kind, plural: plurals[kind] ?? "", namespaced: kind !== "ClusterRole" };
}

function noiseOf(seed: number, index: number): string {
  return createHash("sha256").update(`${seed} ${index}`).digest("hex");
}

/** One of ten, of all kinds in turn. */
function isChanging(index: number): boolean {
  return index % 10 === Math.floor(index / 20) % 10;
}

/** The same objects for the same options. */
export function createObjects({ namespace, count, seed, revision }: ObjectsOptions): UnstructuredObject[] {
  return Array.from({ length: count }, (_, index) => {
    const make = makers[index % makers.length] ?? configMap;
    const object = make({ name: `object-${index}`, namespace, noise: noiseOf(seed, index), index });
    const annotations = { "bench.example.org/revision": `${isChanging(index) ? revision : 1}` };
    return { ...object, metadata: { ...object.metadata, annotations } };
  });
}
