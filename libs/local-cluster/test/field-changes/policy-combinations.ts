import type { Combinations } from "./combinations.ts";

const encoded = (text: string): string => Buffer.from(text).toString("base64");
const claim = {
  accessModes: ["ReadWriteOnce"],
  storageClassName: "standard",
  volumeName: "volume",
  resources: { requests: { storage: "2Gi" } },
};
const storage = "spec.resources.requests.storage";
const claimChanges = {
  "a larger request": { [storage]: "3Gi" },
  "a smaller request": { [storage]: "1500Mi" },
  "a request below the capacity": { [storage]: "500Mi" },
  "a limit below the request": { "spec.resources.limits": { storage: "1Gi" } },
  "a limit beyond the request": { "spec.resources.limits": { storage: "4Gi" } },
  "another class of attributes": { "spec.volumeAttributesClassName": "fast" },
  "another volume": { "spec.volumeName": "other" },
  "another class": { "spec.storageClassName": "other" },
  "no class": { "spec.storageClassName": null },
  "another mode": { "spec.volumeMode": "Block" },
  "another resource": { "spec.resources.requests.cpu": "1" },
};

/** Storage, configuration, access and quotas. */
export const policyCombinations: Readonly<Record<string, readonly Combinations[]>> = {
  PersistentVolumeClaim: [
    { base: "pending", from: { spec: claim }, changes: claimChanges },
    {
      base: "bound",
      from: { spec: claim },
      status: { phase: "Bound", capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"] },
      changes: claimChanges,
    },
    {
      base: "",
      changes: {
        "ReadWriteOncePod with another mode": { "spec.accessModes": ["ReadWriteOncePod", "ReadWriteOnce"] },
        "ReadWriteOncePod alone": { "spec.accessModes": ["ReadWriteOncePod"] },
        "a source that is a claim": {
          "spec.dataSource": { kind: "PersistentVolumeClaim", name: "other" },
        },
        "two different sources": {
          "spec.dataSource": { kind: "PersistentVolumeClaim", name: "other" },
          "spec.dataSourceRef": { kind: "PersistentVolumeClaim", name: "third" },
        },
        "a source of a group without a domain": {
          "spec.dataSourceRef": { apiGroup: "nodomain!", kind: "Thing", name: "a" },
        },
        "a source in another namespace": {
          "spec.dataSourceRef": { apiGroup: "example.com", kind: "Thing", name: "a", namespace: "other" },
        },
      },
    },
  ],
  PersistentVolume: [
    {
      base: "",
      changes: {
        "Recycle of the root": {
          "spec.persistentVolumeReclaimPolicy": "Recycle",
          "spec.hostPath.path": "/",
        },
        "Recycle of a folder": {
          "spec.persistentVolumeReclaimPolicy": "Recycle",
          "spec.hostPath": { path: "/tmp/a", type: "Directory" },
        },
        "a local volume without affinity": {
          "spec.hostPath": null,
          "spec.local": { path: "/tmp/a" },
          "spec.nodeAffinity": null,
        },
        "a local volume": { "spec.hostPath": null, "spec.local": { path: "/tmp/a" } },
        "ReadWriteOncePod with another mode": { "spec.accessModes": ["ReadWriteOncePod", "ReadWriteOnce"] },
        "a CSI volume": { "spec.hostPath": null, "spec.csi": { driver: "example.com", volumeHandle: "a" } },
        "a CSI volume with a bad driver": {
          "spec.hostPath": null,
          "spec.csi": { driver: "Bad_Driver!", volumeHandle: "a" },
        },
        "a CSI volume with half a secret": {
          "spec.hostPath": null,
          "spec.csi": { driver: "example.com", volumeHandle: "a", nodeStageSecretRef: { name: "a" } },
        },
        "a claim of another name": { "spec.claimRef.name": "other" },
        "a claim without a namespace": { "spec.claimRef.namespace": null },
        "a path with dots": { "spec.hostPath.path": "/tmp/../etc" },
      },
    },
  ],
  StorageClass: [
    {
      base: "",
      changes: {
        "512 parameters": {
          parameters: Object.fromEntries(Array.from({ length: 512 }, (_, i) => [`key-${i}`, "a"])),
        },
        "513 parameters": {
          parameters: Object.fromEntries(Array.from({ length: 513 }, (_, i) => [`key-${i}`, "a"])),
        },
        "a parameter without a name": { parameters: { "": "a" } },
        "parameters beyond 256 KiB": { parameters: { a: "x".repeat(262_145) } },
      },
    },
  ],
  Secret: [
    {
      base: "",
      changes: {
        "TLS without its keys": { type: "kubernetes.io/tls", data: { a: encoded("x") } },
        TLS: { type: "kubernetes.io/tls", data: { "tls.crt": encoded("x"), "tls.key": encoded("y") } },
        "basic-auth without its keys": { type: "kubernetes.io/basic-auth", data: { a: encoded("x") } },
        "basic-auth with a password": { type: "kubernetes.io/basic-auth", data: { password: encoded("x") } },
        "ssh-auth without its key": { type: "kubernetes.io/ssh-auth", data: { "ssh-privatekey": "" } },
        "dockerconfigjson that is not JSON": {
          type: "kubernetes.io/dockerconfigjson",
          data: { ".dockerconfigjson": encoded("{") },
        },
        "dockerconfigjson of a list": {
          type: "kubernetes.io/dockerconfigjson",
          data: { ".dockerconfigjson": encoded("[]") },
        },
        "dockercfg of null": { type: "kubernetes.io/dockercfg", data: { ".dockercfg": encoded("null") } },
        "a token of an account without uid": {
          type: "kubernetes.io/service-account-token",
          "metadata.annotations": { "kubernetes.io/service-account.name": "missing" },
        },
        "a key of 253 characters": { data: { ["a".repeat(253)]: "" } },
        "a key of 254 characters": { data: { ["a".repeat(254)]: "" } },
        "more than a megabyte": { data: { a: encoded("x".repeat(1024 * 1024)), b: encoded("y") } },
      },
    },
  ],
  ConfigMap: [
    {
      base: "",
      changes: {
        "a key in both maps": { data: { a: "b" }, binaryData: { a: encoded("x") } },
        "exactly a megabyte": { data: { a: "x".repeat(1024 * 1024 - 1) } },
        "more than a megabyte": { data: { a: "x".repeat(1024 * 1024) } },
        "keys with dots": { data: { "..a": "x", "..": "x", ".": "x", ".a": "x" } },
      },
    },
    {
      base: "immutable",
      from: { immutable: true },
      changes: {
        "mutable again": { immutable: false },
        "other data": { data: { a: "c" } },
        "other labels": { "metadata.labels": { a: "b" } },
      },
    },
  ],
  ResourceQuota: [
    {
      base: "",
      changes: {
        "two scopes that exclude each other": { "spec.scopes": ["BestEffort", "NotBestEffort"] },
        "a scope that does not cover the resource": { "spec.scopes": ["BestEffort"] },
        "a covered scope": { "spec.scopes": ["BestEffort"], "spec.hard": { pods: "1" } },
        "a resource without a domain": { "spec.hard": { things: "1" } },
        "a count of a resource": { "spec.hard": { "count/deployments.apps": "1" } },
        "a fraction of a pod": { "spec.hard": { pods: "1.5" } },
        "a fraction of a GPU": { "spec.hard": { "requests.example.com/gpu": "500m" } },
        "a limit of a GPU": { "spec.hard": { "limits.example.com/gpu": "1" } },
        "a storage class": { "spec.hard": { "gold.storageclass.storage.k8s.io/requests.storage": "1Gi" } },
        "a scope with values that takes none": {
          "spec.scopeSelector.matchExpressions": [{ scopeName: "BestEffort", operator: "In", values: ["a"] }],
        },
        "an operator without values": {
          "spec.scopeSelector.matchExpressions": [{ scopeName: "PriorityClass", operator: "In" }],
        },
        "an operator with needless values": {
          "spec.scopeSelector.matchExpressions": [{ scopeName: "PriorityClass", operator: "Exists", values: ["a"] }],
        },
      },
    },
  ],
  LimitRange: [
    {
      base: "",
      changes: {
        "a minimum beyond the maximum": { "spec.limits[0].min": { cpu: "3" } },
        "a default beyond the maximum": { "spec.limits[0].default": { cpu: "3" } },
        "a default request beyond the default": { "spec.limits[0].defaultRequest": { cpu: "1500m" } },
        "a default request below the minimum": { "spec.limits[0].defaultRequest": { cpu: "500u" } },
        "a ratio below one": { "spec.limits[0].maxLimitRequestRatio": { cpu: "500m" } },
        "a ratio beyond the largest one": { "spec.limits[0].maxLimitRequestRatio": { cpu: "3000" } },
        "defaults of a pod": {
          "spec.limits[0]": { type: "Pod", default: { cpu: "1" }, defaultRequest: { cpu: "1" } },
        },
        "a claim": { "spec.limits[0]": { type: "PersistentVolumeClaim", max: { storage: "1Gi" } } },
        "a claim without storage": { "spec.limits[0]": { type: "PersistentVolumeClaim", max: { cpu: "1" } } },
        "two limits of one type": { "spec.limits": [{ type: "Pod", max: { cpu: "1" } }, { type: "Pod" }] },
      },
    },
  ],
  PriorityClass: [
    {
      base: "",
      changes: {
        "a default of the cluster": { globalDefault: true, preemptionPolicy: null },
        "a value of the system with its name": { "metadata.name": "system-node-critical", value: 2_000_001_000 },
        "the name of the system with another value": { "metadata.name": "system-custom", value: 2_000_000_000 },
        "the largest value of a user": { value: 1_000_000_000, preemptionPolicy: "PreemptLowerPriority" },
      },
    },
  ],
  RoleBinding: [
    {
      base: "",
      changes: {
        "a ServiceAccount of a group": {
          subjects: [{ kind: "ServiceAccount", name: "a", namespace: "b", apiGroup: "rbac.authorization.k8s.io" }],
        },
        "a ServiceAccount without a namespace": { subjects: [{ kind: "ServiceAccount", name: "a" }] },
        "a User with a namespace": {
          subjects: [{ kind: "User", name: "a", namespace: "b", apiGroup: "rbac.authorization.k8s.io" }],
        },
        "a Group of no group": { subjects: [{ kind: "Group", name: "a", apiGroup: "example.com" }] },
        "a ClusterRole": { "roleRef.kind": "ClusterRole" },
      },
    },
  ],
  ClusterRoleBinding: [{ base: "", changes: { "a Role": { "roleRef.kind": "Role" } } }],
  Role: [
    {
      base: "",
      changes: {
        "paths that are not resources": { rules: [{ verbs: ["get"], nonResourceURLs: ["/healthz"] }] },
        "a rule without resources": { rules: [{ verbs: ["get"], apiGroups: [""] }] },
        "a rule without groups": { rules: [{ verbs: ["get"], resources: ["pods"] }] },
      },
    },
  ],
  ClusterRole: [
    {
      base: "",
      changes: {
        "paths together with resources": {
          rules: [{ verbs: ["get"], apiGroups: [""], resources: ["pods"], nonResourceURLs: ["/healthz"] }],
        },
        "an aggregation without selectors": { aggregationRule: { clusterRoleSelectors: [] } },
        "an aggregation": { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] } },
        "an aggregation with a bad selector": {
          aggregationRule: { clusterRoleSelectors: [{ matchLabels: { "a b": "c" } }] },
        },
      },
    },
  ],
  MutatingWebhookConfiguration: [
    {
      base: "",
      changes: {
        "a url and a service": { "webhooks[0].clientConfig.service": { namespace: "a", name: "b" } },
        "neither url nor service": { "webhooks[0].clientConfig": {} },
        "side effects of old versions": { "webhooks[0].sideEffects": "Some" },
        "two webhooks of one name": {
          webhooks: [1, 2].map(() => ({
            name: "a.example.com",
            clientConfig: { url: "https://127.0.0.1/a" },
            sideEffects: "None",
            admissionReviewVersions: ["v1"],
          })),
        },
        "a name of two parts": { "webhooks[0].name": "a.b" },
        "no known version": { "webhooks[0].admissionReviewVersions": ["v2"] },
        "a version twice": { "webhooks[0].admissionReviewVersions": ["v1", "v1"] },
        "an operation beside all": { "webhooks[0].rules[0].operations": ["*", "CREATE"] },
        "a version beside all": { "webhooks[0].rules[0].apiVersions": ["*", "v1"] },
        "a group beside all": { "webhooks[0].rules[0].apiGroups": ["*", "apps"] },
        "all resources and one": { "webhooks[0].rules[0].resources": ["*", "pods"] },
        "all resources and subresources": { "webhooks[0].rules[0].resources": ["*/*", "pods/status"] },
        "a subresource of all and of one": { "webhooks[0].rules[0].resources": ["*/status", "pods/status"] },
        "a condition that is not boolean": {
          "webhooks[0].matchConditions": [{ name: "a", expression: "1" }],
        },
        "a condition twice": {
          "webhooks[0].matchConditions": [
            { name: "a", expression: "true" },
            { name: "a", expression: "true" },
          ],
        },
      },
    },
  ],
  ValidatingAdmissionPolicy: [
    {
      base: "",
      changes: {
        "an expression that is not boolean": { "spec.validations[0].expression": "'text'" },
        "a message with a line break": { "spec.validations[0].message": "a\nb" },
        "an expression with a line break and no message": {
          "spec.validations[0].expression": "true &&\ntrue",
          "spec.validations[0].message": null,
        },
        "a message expression that is not a text": { "spec.validations[0].messageExpression": "1" },
        "neither validations nor annotations": { "spec.validations": null, "spec.auditAnnotations": null },
        "params without their kind": { "spec.validations[0].expression": "params.a == 1" },
        "params of a kind": {
          "spec.paramKind": { apiVersion: "v1", kind: "ConfigMap" },
          "spec.validations[0].expression": "params.data.a == '1'",
        },
        "an old object": { "spec.validations[0].expression": "oldObject == null" },
        "a variable of a later one": {
          "spec.variables": [
            { name: "one", expression: "variables.two" },
            { name: "two", expression: "1" },
          ],
        },
        "a variable twice": {
          "spec.variables": [
            { name: "one", expression: "1" },
            { name: "one", expression: "2" },
          ],
        },
      },
    },
  ],
  ValidatingAdmissionPolicyBinding: [
    {
      base: "",
      changes: {
        "Deny and Warn": { "spec.validationActions": ["Deny", "Warn"] },
        "Warn and Audit": { "spec.validationActions": ["Warn", "Audit"] },
        "an action twice": { "spec.validationActions": ["Warn", "Warn"] },
        "a parameter by name and selector": {
          "spec.paramRef": { name: "a", selector: {}, parameterNotFoundAction: "Deny" },
        },
        "a parameter by nothing": { "spec.paramRef": { parameterNotFoundAction: "Deny" } },
        "a parameter without an action": { "spec.paramRef": { name: "a" } },
      },
    },
  ],
  APIService: [
    {
      base: "",
      changes: {
        "a bundle together with insecure": { "spec.caBundle": encoded("x") },
        "no service with a bundle": {
          "spec.service": null,
          "spec.insecureSkipTLSVerify": null,
          "spec.caBundle": encoded("x"),
        },
        "no service": { "spec.service": null, "spec.insecureSkipTLSVerify": null },
      },
    },
  ],
  Lease: [
    {
      base: "",
      changes: {
        "a strategy without a holder": { "spec.strategy": "OldestEmulationVersion", "spec.holderIdentity": null },
        "a preferred holder without a strategy": { "spec.preferredHolder": "other" },
        "a preferred holder": { "spec.preferredHolder": "other", "spec.strategy": "OldestEmulationVersion" },
      },
    },
  ],
};
