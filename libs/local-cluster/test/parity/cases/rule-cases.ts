import type { ParityCase } from "../exchange.ts";
import { patch, post, put } from "../exchange.ts";
import { inNamespace } from "./namespaced-case.ts";

const secret = (type: string, data: Readonly<Record<string, string>>): unknown => ({
  metadata: { name: "s" },
  type,
  data,
});
const pod = (spec: Readonly<Record<string, unknown>>): unknown => ({
  metadata: { name: "p" },
  spec: { containers: [{ name: "c", image: "x:1" }], ...spec },
});
const resources = (requests: object, limits: object): unknown => ({
  containers: [{ name: "c", image: "x:1", resources: { requests, limits } }],
});

/** Rules and completions of built-in kinds, one by one. */
export const ruleCases: readonly ParityCase[] = [
  inNamespace("secret rules", (path) => [
    post(path("secrets", "?dryRun=All"), secret("kubernetes.io/dockercfg", {})),
    post(path("secrets", "?dryRun=All"), secret("kubernetes.io/dockerconfigjson", { ".dockerconfigjson": "e30=" })),
    post(path("secrets", "?dryRun=All"), secret("kubernetes.io/basic-auth", { username: "eA==" })),
    post(path("secrets", "?dryRun=All"), secret("kubernetes.io/ssh-auth", {})),
    post(path("secrets", "?dryRun=All"), secret("kubernetes.io/ssh-auth", { "ssh-privatekey": "" })),
    post(path("secrets", "?dryRun=All"), secret("kubernetes.io/ssh-auth", { "ssh-privatekey": "eA==" })),
    post(path("secrets", "?dryRun=All"), secret("Opaque", { "a/b": "eA==" })),
    post(path("secrets", "?dryRun=All"), secret("Opaque", { "..a": "eA==" })),
    post(path("secrets", "?dryRun=All"), secret("Opaque", { ".": "eA==" })),
    post(path("secrets", "?dryRun=All"), secret("Opaque", { big: Buffer.alloc(1_048_577).toString("base64") })),
    post(path("configmaps", "?dryRun=All"), { metadata: { name: "c" }, data: { big: "x".repeat(1_048_577) } }),
    post(path("configmaps", "?dryRun=All"), { metadata: { name: "c" }, binaryData: { "a b": "" } }),
    post(path("configmaps"), { metadata: { name: "i" }, immutable: true, binaryData: { a: "eA==" } }),
    put(path("configmaps", "/i"), { metadata: { name: "i" }, immutable: true }),
  ]),
  inNamespace("pod rules", (path) => [
    post(
      path("pods", "?dryRun=All"),
      pod({
        containers: [
          { name: "c", image: "x" },
          { name: "c", image: "y" },
        ],
      }),
    ),
    post(path("pods", "?dryRun=All"), pod({ containers: [{ image: "x" }] })),
    post(path("pods", "?dryRun=All"), pod({ restartPolicy: "Sometimes" })),
    post(path("pods", "?dryRun=All"), pod({ volumes: [{ name: "v" }, { name: "v", emptyDir: {} }] })),
    post(path("pods", "?dryRun=All"), pod({ initContainers: [{ name: "i" }] })),
    post(path("pods", "?dryRun=All"), pod(resources({ cpu: "1" }, { cpu: "2" }) as Record<string, unknown>)),
    post(path("pods", "?dryRun=All"), pod(resources({}, { cpu: "1", memory: "1Gi" }) as Record<string, unknown>)),
    post(
      path("pods", "?dryRun=All"),
      pod({ tolerations: [{ operator: "Exists" }], priority: 0, preemptionPolicy: "PreemptLowerPriority" }),
    ),
    post(
      path("pods", "?dryRun=All"),
      pod({ hostNetwork: true, containers: [{ name: "c", image: "x:1", ports: [{ containerPort: 80 }] }] }),
    ),
    post(
      path("pods", "?dryRun=All"),
      pod({
        volumes: [
          { name: "v", hostPath: { path: "/x" } },
          { name: "w", downwardAPI: { items: [] } },
        ],
      }),
    ),
    post(path("pods"), pod({})),
    patch(path("pods", "/p?dryRun=All"), { spec: { terminationGracePeriodSeconds: 30, activeDeadlineSeconds: 9 } }),
  ]),
  inNamespace("other rules", (path) => [
    post(path("services", "?dryRun=All"), {
      metadata: { name: "lb" },
      spec: { type: "LoadBalancer", ports: [{ port: 80, nodePort: 31_999 }] },
    }),
    post(path("services", "?dryRun=All"), {
      metadata: { name: "ip" },
      spec: { externalIPs: ["192.0.2.7"], sessionAffinity: "ClientIP", ports: [{ port: 80 }] },
    }),
    post(path("roles.rbac.authorization.k8s.io/v1", "?dryRun=All"), {
      metadata: { name: "with:colon" },
      rules: [{ verbs: ["get"], apiGroups: [""] }],
    }),
    post(path("roles.rbac.authorization.k8s.io/v1", "?dryRun=All"), { metadata: { name: "a/b" } }),
    post(path("roles.rbac.authorization.k8s.io/v1", "?dryRun=All"), { metadata: { name: ".." } }),
    post("/apis/rbac.authorization.k8s.io/v1/clusterroles?dryRun=All", {
      metadata: { name: "u" },
      rules: [{ verbs: ["get"], nonResourceURLs: ["/x"] }],
    }),
    post("/apis/scheduling.k8s.io/v1/priorityclasses?dryRun=All", { metadata: { name: "p" }, value: 5 }),
    post("/apis/storage.k8s.io/v1/storageclasses?dryRun=All", { metadata: { name: "s" }, provisioner: "x.y/z" }),
    post("/apis/networking.k8s.io/v1/ingressclasses?dryRun=All", {
      metadata: { name: "i" },
      spec: { controller: "x.y/z" },
    }),
    post(path("replicationcontrollers", "?dryRun=All"), {
      metadata: { name: "rc" },
      spec: { template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "x:1" }] } } },
    }),
    post(path("daemonsets.apps/v1"), {
      metadata: { name: "ds" },
      spec: {
        selector: { matchLabels: { a: "b" } },
        updateStrategy: { type: "OnDelete" },
        template: {
          metadata: { labels: { a: "b" } },
          spec: { nodeSelector: { none: "such" }, containers: [{ name: "c", image: "x:1" }] },
        },
      },
    }),
    post(path("networkpolicies.networking.k8s.io/v1", "?dryRun=All"), {
      metadata: { name: "n" },
      spec: { podSelector: {}, egress: [{}] },
    }),
    post(path("podtemplates", "?dryRun=All"), {
      metadata: { name: "t" },
      template: { spec: { containers: [{ name: "c", image: "x:1" }] } },
    }),
    post(path("controllerrevisions.apps/v1", "?dryRun=All"), { metadata: { name: "r" }, revision: 1, data: { a: 1 } }),
    post("/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies?dryRun=All", {
      metadata: { name: "p" },
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }],
        },
        validations: [{ expression: "true" }],
      },
    }),
    post("/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings?dryRun=All", {
      metadata: { name: "p" },
      spec: { policyName: "p", validationActions: ["Deny"], matchResources: {} },
    }),
    post("/api/v1/nodes?dryRun=All", { metadata: { name: "n" }, status: { capacity: { cpu: "1" } } }),
  ]),
];
