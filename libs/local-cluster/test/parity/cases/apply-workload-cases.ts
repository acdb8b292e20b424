import type { ParityCase } from "../exchange.ts";
import { apply, as, get, patch, post, put } from "../exchange.ts";
import { inNamespace } from "./namespaced-case.ts";

const strategic = "application/strategic-merge-patch+json";
const app = { app: "a" };

const statefulSet = (containers: readonly unknown[], spec: Readonly<Record<string, unknown>> = {}): unknown => ({
  apiVersion: "apps/v1",
  kind: "StatefulSet",
  metadata: { name: "d", labels: app },
  spec: {
    serviceName: "s",
    selector: { matchLabels: app },
    template: { metadata: { labels: app }, spec: { containers } },
    ...spec,
  },
});

const main = (rest: Readonly<Record<string, unknown>> = {}): unknown => ({ name: "main", image: "main:1", ...rest });
const side = (rest: Readonly<Record<string, unknown>> = {}): unknown => ({ name: "side", image: "side:1", ...rest });

const env = (...names: readonly string[]): unknown => names.map((name) => ({ name, value: name.toLowerCase() }));

const pod = (spec: Readonly<Record<string, unknown>>, metadata: Readonly<Record<string, unknown>> = {}): unknown => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p", ...metadata },
  spec,
});

const service = (ports: readonly unknown[], rest: Readonly<Record<string, unknown>> = {}): unknown => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "s" },
  spec: { selector: app, ports, ...rest },
});

// StatefulSets, because their controller does not run beside the real server: it would write to the objects meanwhile.

/** Lists by key, atomic structures, defaults and subresources of built-in kinds. */
export const applyWorkloadCases: readonly ParityCase[] = [
  inNamespace("apply of pods", (path) => [
    apply(
      path("pods", "/p"),
      "one",
      pod({
        containers: [
          main({ env: env("A", "B"), ports: [{ containerPort: 80 }, { containerPort: 53, protocol: "UDP" }] }),
        ],
        nodeName: "none",
        tolerations: [{ key: "a", operator: "Exists" }],
        volumes: [{ name: "v", emptyDir: {} }],
        nodeSelector: app,
        automountServiceAccountToken: false,
        serviceAccountName: "default",
        serviceAccount: "default",
      }),
    ),
    apply(path("pods", "/p"), "two", pod({ containers: [{ name: "main", image: "main:1" }] })),
    apply(path("pods", "/p"), "two", pod({ containers: [{ name: "main", image: "main:2" }] })),
    apply(path("pods", "/p"), "two&force=true", pod({ containers: [{ name: "main", image: "main:2" }] })),
    apply(path("pods", "/p"), "three", pod({ containers: [main(), main()] })),
    apply(path("pods", "/p"), "three", pod({ containers: [{ name: "main", resources: { limits: { cpu: ["1"] } } }] })),
    apply(path("pods", "/p"), "three", pod({ tolerations: [{ key: "a", odd: "b" }] })),
    apply(path("pods", "/p"), "three", pod({ nodeSelector: { other: "x" } })),
    apply(path("pods", "/p"), "three", pod({ containers: "none" })),
    apply(path("pods", "/p"), "three", pod({ containers: ["none"] })),
    apply(path("pods", "/p"), "three", pod({ activeDeadlineSeconds: "1" })),
    apply(path("pods", "/p"), "three", pod({ hostNetwork: "no" })),
    apply(path("pods", "/p/status"), "kubelet", {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p", labels: { ignored: "yes" } },
      spec: { nodeName: "other" },
      status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
    }),
    patch(
      path("pods", "/p/status?fieldManager=other"),
      { status: { conditions: [{ type: "Ready", status: "False" }], podIP: "10.1.1.1", podIPs: [{ ip: "10.1.1.1" }] } },
      strategic,
    ),
    apply(path("pods", "/p/status"), "kubelet", {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p" },
      status: { conditions: [{ type: "Ready", status: "True" }] },
    }),
    apply(path("pods", "/p/status"), "kubelet", { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, status: {} }),
    apply(path("pods", "/none/status"), "kubelet", { apiVersion: "v1", kind: "Pod", metadata: { name: "none" } }),
    apply(path("pods", "/p"), "three", pod({}, { labels: app })),
  ]),
  inNamespace("apply of stateful sets", (path) => [
    post(path("statefulsets.apps/v1", "?fieldManager=maker"), {
      metadata: { name: "d", labels: app },
      spec: {
        serviceName: "s",
        replicas: 0,
        selector: { matchLabels: app },
        template: { metadata: { labels: app }, spec: { containers: [main({ resources: { limits: { cpu: "1" } } })] } },
      },
    }),
    apply(path("statefulsets.apps/v1", "/d"), "one", statefulSet([main(), side()])),
    apply(path("statefulsets.apps/v1", "/d"), "one", statefulSet([side(), main({ env: env("A", "B", "C") })])),
    as(
      "updater/1",
      patch(
        path("statefulsets.apps/v1", "/d"),
        { spec: { template: { spec: { containers: [{ name: "main", env: [{ name: "B", value: "changed" }] }] } } } },
        strategic,
      ),
    ),
    apply(path("statefulsets.apps/v1", "/d"), "one", statefulSet([side(), main({ env: env("C", "B", "D") })])),
    apply(path("statefulsets.apps/v1", "/d"), "one&force=true", statefulSet([main({ env: env("C", "B", "D") })])),
    as(
      "updater/1",
      patch(
        path("statefulsets.apps/v1", "/d"),
        { spec: { template: { spec: { containers: [{ name: "main", env: [{ name: "D", value: "changed" }] }] } } } },
        strategic,
      ),
    ),
    apply(path("statefulsets.apps/v1", "/d"), "two", statefulSet([side({ image: "side:2" })])),
    // What another manager has written inside an item goes with the item.
    apply(path("statefulsets.apps/v1", "/d"), "one", statefulSet([main()])),
    apply(
      path("statefulsets.apps/v1", "/d"),
      "one",
      statefulSet([main({ args: ["a"], resources: { limits: { cpu: "1000m" } } })]),
    ),
    apply(path("statefulsets.apps/v1", "/d"), "two", statefulSet([side(), main({ args: ["c"] })])),
    apply(
      path("statefulsets.apps/v1", "/d"),
      "three",
      statefulSet([main({ args: ["c"], image: "main:3" }), side({ image: "side:3" })], { replicas: 3 }),
    ),
    apply(path("statefulsets.apps/v1", "/d"), "one", {
      ...(statefulSet([main()], { updateStrategy: { type: "OnDelete" } }) as object),
      status: { replicas: 7 },
    }),
    as("scaler/1", patch(path("statefulsets.apps/v1", "/d/scale"), { spec: { replicas: 2 } })),
    get(path("statefulsets.apps/v1", "/d")),
    apply(path("statefulsets.apps/v1", "/d"), "one", statefulSet([main()], { replicas: 3 })),
    apply(path("statefulsets.apps/v1", "/d"), "one&force=true", statefulSet([main()], { replicas: 3 })),
    put(path("statefulsets.apps/v1", "/d/scale?fieldManager=scaler"), {
      apiVersion: "autoscaling/v1",
      kind: "Scale",
      metadata: { name: "d", namespace: "parity-apply-of-stateful-sets" },
      spec: { replicas: 3 },
    }),
    get(path("statefulsets.apps/v1", "/d")),
    apply(path("statefulsets.apps/v1", "/d"), "one", statefulSet([main()])),
    as("scaler/1", patch(path("statefulsets.apps/v1", "/d/scale"), { spec: { replicas: 1 } })),
    get(path("statefulsets.apps/v1", "/d")),
    apply(path("statefulsets.apps/v1", "/d"), "one", statefulSet([main()], { selector: null })),
    apply(
      path("statefulsets.apps/v1", "/d"),
      "one",
      statefulSet([main()], { selector: { matchLabels: { app: "b" } } }),
    ),
    patch(path("statefulsets.apps/v1", "/d/status?fieldManager=controller"), {
      metadata: { labels: { by: "status" } },
      status: { replicas: 1, conditions: [{ type: "Odd", status: "True" }] },
    }),
  ]),
  inNamespace("apply of services", (path) => [
    apply(path("services", "/s"), "one", service([{ name: "http", port: 80 }])),
    apply(path("services", "/s"), "two", service([{ name: "dns", port: 53, protocol: "UDP" }])),
    apply(
      path("services", "/s"),
      "two",
      service([{ name: "dns", port: 53, protocol: "UDP", targetPort: "dns" }], { selector: { app: "b" } }),
    ),
    apply(path("services", "/s"), "one", service([{ name: "web", port: 80, targetPort: 8080 }])),
    apply(path("services", "/s"), "one", service([], { type: "ClusterIP" })),
    apply(path("services", "/s"), "three", service([{ name: "http" }])),
    apply(path("serviceaccounts", "/sa"), "one", {
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { name: "sa" },
      imagePullSecrets: [{ name: "a" }, { name: "b" }],
    }),
    patch(path("serviceaccounts", "/sa?fieldManager=two"), { imagePullSecrets: [{ name: "c" }] }, strategic),
    apply(path("roles.rbac.authorization.k8s.io/v1", "/r"), "one", {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata: { name: "r" },
      rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
    }),
    apply(path("roles.rbac.authorization.k8s.io/v1", "/r"), "two", {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata: { name: "r" },
      rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["list"] }],
    }),
    apply(path("networkpolicies.networking.k8s.io/v1", "/n"), "one", {
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: { name: "n" },
      spec: { podSelector: { matchLabels: app }, policyTypes: ["Ingress"], ingress: [{ ports: [{ port: 80 }] }] },
    }),
    apply(path("jobs.batch/v1", "/j"), "one", {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { name: "j" },
      spec: { suspend: true, template: { spec: { restartPolicy: "Never", containers: [main()] } } },
    }),
    apply(path("persistentvolumeclaims", "/c"), "one", {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "c" },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    }),
    apply(path("ingresses.networking.k8s.io/v1", "/i"), "one", {
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: { name: "i" },
      spec: {
        defaultBackend: { service: { name: "s", port: { number: 80 } } },
        tls: [{ hosts: ["a"], secretName: "t" }],
      },
    }),
    apply("/api/v1/namespaces/parity-apply-of-services", "one", {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: "parity-apply-of-services", labels: { x: "y" } },
    }),
    apply(path("events", "/e"), "one", {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: "e" },
      involvedObject: { kind: "Pod", name: "p", namespace: "parity-apply-of-services" },
      message: "hello",
    }),
    patch(path("events.events.k8s.io/v1", "/e?fieldManager=two"), { metadata: { labels: app } }),
    apply(path("events", "/e"), "one", {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: "e", labels: { app: "b" } },
      involvedObject: { kind: "Pod", name: "p", namespace: "parity-apply-of-services" },
      message: "hello",
    }),
    apply(path("controllerrevisions.apps/v1", "/v"), "one", {
      apiVersion: "apps/v1",
      kind: "ControllerRevision",
      metadata: { name: "v" },
      revision: 1,
      data: { spec: { any: [1], thing: { a: "b" } } },
    }),
    apply(path("leases.coordination.k8s.io/v1", "/l"), "one", {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { name: "l" },
      spec: { holderIdentity: "a", renewTime: "2026-01-01T00:00:00.000000Z" },
    }),
    apply(path("leases.coordination.k8s.io/v1", "/l"), "two", {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata: { name: "l" },
      spec: { holderIdentity: "b" },
    }),
  ]),
];
