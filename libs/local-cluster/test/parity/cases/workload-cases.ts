import type { ParityCase } from "../exchange.ts";
import { get, patch, post, put, remove } from "../exchange.ts";
import { inNamespace } from "./namespaced-case.ts";

const template = (restartPolicy?: string): unknown => ({
  metadata: { labels: { a: "b" } },
  spec: {
    ...(restartPolicy === undefined ? {} : { restartPolicy }),
    volumes: [
      { name: "v", configMap: { name: "c" } },
      { name: "w", emptyDir: {} },
      { name: "p", projected: { sources: [{ serviceAccountToken: { path: "token" } }] } },
    ],
    initContainers: [{ name: "i", image: "init:1" }],
    containers: [
      {
        name: "c",
        image: "nginx",
        ports: [{ containerPort: 80 }],
        env: [{ name: "POD", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }],
        resources: { requests: { cpu: "0.1", memory: "128Mi" }, limits: { memory: "0.5Gi" } },
        readinessProbe: { httpGet: { path: "/", port: 80 } },
        livenessProbe: { tcpSocket: { port: "http" }, periodSeconds: 5 },
      },
    ],
  },
});
const selector = { matchLabels: { a: "b" } };
const apps = ".apps/v1";

/** Defaults of the kinds that manifests are made of, and the rules that users meet. */
export const workloadCases: readonly ParityCase[] = [
  inNamespace("workload defaults", (path) => [
    post(path("deployments.apps/v1"), {
      metadata: { name: "d" },
      spec: { replicas: 0, selector, template: template() },
    }),
    post(path("statefulsets.apps/v1"), {
      metadata: { name: "s" },
      spec: {
        serviceName: "x",
        replicas: 0,
        selector,
        template: template(),
        volumeClaimTemplates: [
          {
            metadata: { name: "data" },
            spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
          },
        ],
      },
    }),
    post(path("daemonsets.apps/v1"), { metadata: { name: "ds" }, spec: { selector, template: template() } }),
    post(path("replicasets.apps/v1"), {
      metadata: { name: "rs" },
      spec: { replicas: 0, selector, template: template() },
    }),
    post(path("cronjobs.batch/v1"), {
      metadata: { name: "cj" },
      spec: { schedule: "* * * * *", suspend: true, jobTemplate: { spec: { template: template("Never") } } },
    }),
    post(path("ingresses.networking.k8s.io/v1"), {
      metadata: { name: "i" },
      spec: {
        rules: [
          {
            host: "a.b",
            http: {
              paths: [{ path: "/", pathType: "Prefix", backend: { service: { name: "s", port: { number: 80 } } } }],
            },
          },
        ],
      },
    }),
    post(path("networkpolicies.networking.k8s.io/v1"), {
      metadata: { name: "n" },
      spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] },
    }),
    post(path("poddisruptionbudgets.policy/v1"), { metadata: { name: "p" }, spec: { minAvailable: 1, selector } }),
    post(path("roles.rbac.authorization.k8s.io/v1"), {
      metadata: { name: "r" },
      rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
    }),
    post(path("rolebindings.rbac.authorization.k8s.io/v1"), {
      metadata: { name: "rb" },
      roleRef: { kind: "Role", name: "r", apiGroup: "rbac.authorization.k8s.io" },
      subjects: [
        { kind: "ServiceAccount", name: "default" },
        { kind: "User", name: "u" },
      ],
    }),
    post(path("horizontalpodautoscalers.autoscaling/v2"), {
      metadata: { name: "h" },
      spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" }, maxReplicas: 3 },
    }),
  ]),
  inNamespace("jobs and pods", (path) => [
    post(path("pods"), { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "x:1" }] } }),
    patch(path("pods", "/p/status"), { status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] } }),
    patch(
      path("pods", "/p"),
      { spec: { containers: [{ name: "c", image: "x:2" }] } },
      "application/strategic-merge-patch+json",
    ),
    patch(path("pods", "/p?dryRun=All"), { spec: { activeDeadlineSeconds: 5 } }),
    remove(path("pods", "/p")),
    get(path("pods", "/p")),
    post(path("pods"), { metadata: { name: "q" }, spec: { containers: [] } }),
    post(path("pods"), { metadata: { name: "q" }, spec: { containers: [{ name: "C_", image: "" }] } }),
  ]),
  inNamespace("services", (path) => [
    post(path("services"), { metadata: { name: "s" }, spec: { selector: { a: "b" }, ports: [{ port: 80 }] } }),
    patch(path("services", "/s"), { spec: { clusterIP: "10.96.0.77" } }),
    patch(path("services", "/s"), { spec: { selector: { c: "d" } } }),
    put(path("services", "/s"), {
      metadata: { name: "s" },
      spec: { selector: { e: "f" }, ports: [{ port: 81, name: "x" }] },
    }),
    post(path("services"), { metadata: { name: "h" }, spec: { clusterIP: "None", selector: { a: "b" } } }),
    post(path("services"), {
      metadata: { name: "n" },
      spec: { type: "NodePort", ports: [{ port: 80, targetPort: "http" }] },
    }),
    post(path("services"), { metadata: { name: "e" }, spec: { type: "ExternalName", externalName: "example.com" } }),
    post(path("services"), { metadata: { name: "x" }, spec: {} }),
    post(path("services"), { metadata: { name: "x" }, spec: { ports: [{ port: 0 }, { port: 80 }] } }),
  ]),
  inNamespace("workload rules", (path) => [
    post(path(`deployments${apps}`), { metadata: { name: "d" }, spec: {} }),
    post(path(`deployments${apps}`), {
      metadata: { name: "d" },
      spec: { selector: { matchLabels: { x: "y" } }, template: template() },
    }),
    post(path(`deployments${apps}`), {
      metadata: { name: "d" },
      spec: { replicas: -1, selector, template: template("Never") },
    }),
    post(path(`deployments${apps}`), {
      metadata: { name: "d" },
      spec: { replicas: "two", selector, template: template() },
    }),
    post(path(`deployments${apps}`), {
      metadata: { name: "d" },
      spec: { replicas: 0, selector, template: template() },
    }),
    patch(path(`deployments${apps}`, "/d"), { spec: { selector: { matchLabels: { c: "d" } } } }),
    get(path(`deployments${apps}`, "/d/scale")),
    put(path(`deployments${apps}`, "/d/scale"), { metadata: { name: "d" }, spec: { replicas: 0 } }),
    post(path("jobs.batch/v1"), { metadata: { name: "j" }, spec: { suspend: true, template: template() } }),
    post(path(`statefulsets${apps}`), {
      metadata: { name: "s" },
      spec: { replicas: 0, selector, serviceName: "x", template: template() },
    }),
    patch(path(`statefulsets${apps}`, "/s"), { spec: { serviceName: "y" } }),
    post(path("rolebindings.rbac.authorization.k8s.io/v1"), {
      metadata: { name: "rb" },
      roleRef: { kind: "Role", name: "r", apiGroup: "rbac.authorization.k8s.io" },
    }),
    patch(path("rolebindings.rbac.authorization.k8s.io/v1", "/rb"), { roleRef: { name: "s" } }),
    post(path("roles.rbac.authorization.k8s.io/v1"), { metadata: { name: "r" }, rules: [{ resources: ["pods"] }] }),
    post(path("cronjobs.batch/v1"), {
      metadata: { name: "cj" },
      spec: { schedule: "bad", jobTemplate: { spec: { template: template("Never") } } },
    }),
  ]),
];
