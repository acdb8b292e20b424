import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { clusterFields } from "./cluster-fields.ts";
import { appliedFields, withKeptFields } from "./kept-field.ts";

type Fields = Record<string, unknown>;

interface Row {
  readonly of: string;
  readonly apiVersion?: string;
  readonly kind: string;
  readonly manifest: Fields;
  readonly live: Fields;
  /** The manifest as a replacement writes it. */
  readonly replaced: Fields;
  /** Manifest that an apply writes if no manager owns a field. Default: the manifest. */
  readonly applied?: Fields;
  readonly annotations?: Record<string, string>;
  readonly isAutoscaled?: boolean;
}

const webhook = (name: string, caBundle?: string): Fields => ({
  name,
  clientConfig: { service: { name: "s" }, ...(caBundle === undefined ? {} : { caBundle }) },
});
const conversion = (clientConfig: Fields): Fields => ({
  spec: { conversion: { strategy: "Webhook", webhook: { clientConfig } } },
});
/** The same number twice. */
const ports = [
  { containerPort: 53, protocol: "UDP" },
  { containerPort: 53, protocol: "TCP" },
];
const injected = { "cert-manager.io/inject-ca-from": "n/certificate" };

const rows: readonly Row[] = [
  {
    of: "a ClusterRole that aggregates others",
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    manifest: { aggregationRule: { clusterRoleSelectors: [] }, rules: [] },
    live: { rules: [{ verbs: ["get"] }] },
    replaced: { aggregationRule: { clusterRoleSelectors: [] }, rules: [{ verbs: ["get"] }] },
    applied: { aggregationRule: { clusterRoleSelectors: [] }, rules: [{ verbs: ["get"] }] },
  },
  {
    of: "a ClusterRole that aggregates others, without rules",
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    manifest: { aggregationRule: { clusterRoleSelectors: [] } },
    live: { rules: [{ verbs: ["get"] }] },
    replaced: { aggregationRule: { clusterRoleSelectors: [] }, rules: [{ verbs: ["get"] }] },
  },
  {
    of: "another ClusterRole",
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    manifest: { rules: [] },
    live: { rules: [{ verbs: ["get"] }] },
    replaced: { rules: [] },
  },
  ...["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"].map((kind): Row => ({
    of: `the webhooks of a ${kind}, in whatever order`,
    apiVersion: "admissionregistration.k8s.io/v1",
    kind,
    manifest: { webhooks: [webhook("a"), webhook("b", ""), webhook("c", "b3du"), webhook("d", "Cg==")] },
    live: { webhooks: ["d", "c", "b", "a"].map((name) => webhook(name, `bundle-${name}`)) },
    replaced: {
      webhooks: [webhook("a", "bundle-a"), webhook("b", "bundle-b"), webhook("c", "b3du"), webhook("d", "bundle-d")],
    },
    applied: { webhooks: [webhook("a"), webhook("b", "bundle-b"), webhook("c", "b3du"), webhook("d", "bundle-d")] },
  })),
  {
    of: "a webhook whose bundle cert-manager writes",
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    annotations: injected,
    manifest: { webhooks: [webhook("a", "b3du")] },
    live: { webhooks: [webhook("a", "bundle")] },
    replaced: { webhooks: [webhook("a", "bundle")] },
    applied: { webhooks: [webhook("a", "bundle")] },
  },
  {
    of: "a webhook that the target does not have yet",
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    manifest: { webhooks: [webhook("new")] },
    live: { webhooks: [webhook("old", "bundle")] },
    replaced: { webhooks: [webhook("new")] },
  },
  {
    of: "the conversion of a CRD",
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    manifest: conversion({ service: {} }),
    live: conversion({ service: {}, caBundle: "bundle" }),
    replaced: conversion({ service: {}, caBundle: "bundle" }),
  },
  {
    of: "a CRD that has no conversion any more",
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    manifest: { spec: {} },
    live: conversion({ caBundle: "bundle" }),
    replaced: { spec: {} },
  },
  {
    of: "an APIService",
    apiVersion: "apiregistration.k8s.io/v1",
    kind: "APIService",
    manifest: { spec: { service: {} } },
    live: { spec: { service: {}, caBundle: "bundle" } },
    replaced: { spec: { service: {}, caBundle: "bundle" } },
  },
  {
    of: "an APIService without verification",
    apiVersion: "apiregistration.k8s.io/v1",
    kind: "APIService",
    manifest: { spec: { service: {}, insecureSkipTLSVerify: true } },
    live: { spec: { service: {}, caBundle: "bundle" } },
    replaced: { spec: { service: {}, insecureSkipTLSVerify: true } },
  },
  {
    of: "an object that an autoscaler scales",
    apiVersion: "example.org/v1",
    kind: "Shop",
    isAutoscaled: true,
    manifest: { spec: { replicas: 1 } },
    live: { spec: { replicas: 5 } },
    replaced: { spec: { replicas: 5 } },
    applied: { spec: { replicas: 5 } },
  },
  {
    of: "an object that an autoscaler scales, without replicas",
    apiVersion: "apps/v1",
    kind: "Deployment",
    isAutoscaled: true,
    manifest: { spec: {} },
    live: { spec: { replicas: 5 } },
    replaced: { spec: { replicas: 5 } },
  },
  {
    of: "an object without an autoscaler",
    apiVersion: "apps/v1",
    kind: "Deployment",
    manifest: { spec: { replicas: 1 } },
    live: { spec: { replicas: 5 } },
    replaced: { spec: { replicas: 1 } },
  },
  {
    of: "a bound claim",
    kind: "PersistentVolumeClaim",
    manifest: { spec: { storageClassName: "slow" } },
    live: { spec: { volumeName: "pv", storageClassName: "fast", volumeMode: "Block" } },
    replaced: { spec: { storageClassName: "slow", volumeName: "pv", volumeMode: "Block" } },
  },
  {
    of: "a Service with a load balancer",
    kind: "Service",
    manifest: {
      spec: {
        type: "LoadBalancer",
        externalTrafficPolicy: "Local",
        ports: [{ port: 53, protocol: "UDP" }, { port: 53 }],
      },
    },
    live: {
      spec: {
        type: "LoadBalancer",
        clusterIP: "10.0.0.1",
        clusterIPs: ["10.0.0.1"],
        healthCheckNodePort: 31_000,
        ports: [
          { port: 53, nodePort: 30_001, protocol: "TCP" },
          { port: 53, nodePort: 30_002, protocol: "UDP" },
        ],
      },
    },
    replaced: {
      spec: {
        type: "LoadBalancer",
        externalTrafficPolicy: "Local",
        clusterIP: "10.0.0.1",
        clusterIPs: ["10.0.0.1"],
        healthCheckNodePort: 31_000,
        ports: [
          { port: 53, protocol: "UDP", nodePort: 30_002 },
          { port: 53, nodePort: 30_001 },
        ],
      },
    },
  },
  {
    of: "a Service that gives up its load balancer",
    kind: "Service",
    manifest: { spec: { ports: [{ port: 80 }] } },
    live: {
      spec: {
        type: "LoadBalancer",
        clusterIP: "10.0.0.1",
        healthCheckNodePort: 31_000,
        ports: [{ port: 80, nodePort: 1 }],
      },
    },
    replaced: { spec: { clusterIP: "10.0.0.1", ports: [{ port: 80 }] } },
  },
  {
    of: "a Service that becomes a name",
    kind: "Service",
    manifest: { spec: { type: "ExternalName", externalName: "a.example.org" } },
    live: { spec: { clusterIP: "10.0.0.1" } },
    replaced: { spec: { type: "ExternalName", externalName: "a.example.org" } },
  },
  {
    of: "a ServiceAccount without Secrets",
    kind: "ServiceAccount",
    manifest: { secrets: [] },
    live: { secrets: [{ name: "token" }] },
    replaced: { secrets: [{ name: "token" }] },
    applied: { secrets: [{ name: "token" }] },
  },
  {
    of: "a ServiceAccount with its own Secrets",
    kind: "ServiceAccount",
    manifest: { secrets: [{ name: "own" }] },
    live: { secrets: [{ name: "token" }] },
    replaced: { secrets: [{ name: "own" }] },
  },
  {
    of: "a Pod with a container that admission has added",
    kind: "Pod",
    manifest: { spec: { containers: [{ name: "main", image: "new", ports }], tolerations: [{ key: "b" }] } },
    live: {
      spec: {
        nodeName: "node-1",
        tolerations: [{ key: "a" }],
        volumes: [{ name: "token" }],
        containers: [
          { name: "sidecar", image: "proxy" },
          { name: "main", image: "old", ports, volumeMounts: [{ name: "token", mountPath: "/token" }] },
        ],
      },
    },
    replaced: {
      spec: {
        nodeName: "node-1",
        tolerations: [{ key: "b" }, { key: "a" }],
        volumes: [{ name: "token" }],
        containers: [
          { name: "sidecar", image: "proxy" },
          { name: "main", image: "new", ports, volumeMounts: [{ name: "token", mountPath: "/token" }] },
        ],
      },
    },
  },
];

it.each([
  [{ containers: {} }, { containers: [] }],
  [{ containers: [null, 1, { image: "a" }] }, { containers: [{ name: "a" }] }],
  [null, { containers: [] }],
])("of a Pod with odd fields %j are no reason to fail", (spec, found) => {
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "a" } };
  const pair = { manifest: { ...pod, spec }, live: { ...pod, spec: found }, facts: { isAutoscaled: false } };
  expect(() => clusterFields(pair)).not.toThrow();
});

describe("fields that belong to the cluster", () => {
  it.each(rows)("of $of", ({ apiVersion = "v1", kind, annotations, isAutoscaled = false, ...row }) => {
    const object = (fields: Fields): UnstructuredObject => ({
      apiVersion,
      kind,
      metadata: { name: "a", ...(annotations === undefined ? {} : { annotations }) },
      ...fields,
    });
    const manifest = object(row.manifest);
    const fields = clusterFields({ manifest, live: object(row.live), facts: { isAutoscaled } });
    expect(withKeptFields(manifest, fields)).toEqual(object(row.replaced));
    const applied = withKeptFields(manifest, appliedFields({ manifest, live: object(row.live), managers: [] }, fields));
    expect(applied).toEqual(object(row.applied ?? row.manifest));
    expect(manifest).toEqual(object(row.manifest));
  });
});
