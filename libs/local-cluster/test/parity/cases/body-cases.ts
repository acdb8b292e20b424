import type { ParityCase } from "../exchange.ts";
import { post } from "../exchange.ts";
import { inNamespace } from "./namespaced-case.ts";

const configMap = (name: string, rest: Readonly<Record<string, unknown>> = {}): unknown => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  ...rest,
});

/** What a create makes of good and of bad bodies. */
export const bodyCases: readonly ParityCase[] = [
  inNamespace("bodies that are refused", (path) => [
    post(path("configmaps"), { apiVersion: "v1", kind: "ConfigMap", metadata: {} }),
    post(path("configmaps"), { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } }),
    post(path("configmaps"), { apiVersion: "v2", kind: "ConfigMap", metadata: { name: "a" } }),
    post(path("configmaps"), configMap("a", { metadata: { name: "a", namespace: "other" } })),
    post(path("configmaps"), configMap("a", { metadata: { name: "a", resourceVersion: "1" } })),
    post(path("configmaps"), configMap("A_b")),
    post(path("configmaps"), configMap(".a")),
    post(path("configmaps"), configMap("a".repeat(254))),
    post(path("configmaps"), configMap("a", { metadata: "x" })),
    post(path("configmaps"), configMap("a", { metadata: { name: "a", labels: { a: 1 } } })),
    post(path("configmaps"), configMap("a", { metadata: { name: "a", labels: { a$: "b c" } } })),
    post(path("configmaps"), configMap("a", { metadata: { name: "a", labels: { "a/b/c": "x" } } })),
    post(path("configmaps"), configMap("a", { metadata: { name: "a", labels: { k: "v".repeat(64) } } })),
    post(path("configmaps"), configMap("a", { metadata: { name: "a", annotations: { "x y": "" } } })),
    post(path("configmaps"), configMap("a", { metadata: { name: "a", annotations: { x: "y".repeat(262_144) } } })),
    post(path("configmaps"), configMap("a", { metadata: { name: "a", finalizers: ["abc", "a.b/c d"] } })),
    post(path("configmaps"), configMap("a", { metadata: { name: "a", ownerReferences: [{}] } })),
    post(
      path("configmaps"),
      configMap("a", {
        metadata: { name: "a", ownerReferences: [{ apiVersion: "v1", kind: "Event", name: "x", uid: "y" }] },
      }),
    ),
    post(
      path("configmaps"),
      configMap("a", {
        metadata: {
          name: "a",
          ownerReferences: [
            { apiVersion: "v1", kind: "ConfigMap", name: "x", uid: "x", controller: true },
            { apiVersion: "v1", kind: "ConfigMap", name: "y", uid: "y", controller: true },
          ],
        },
      }),
    ),
    post(path("configmaps"), configMap("a", { data: { a: 1 } })),
    post(path("configmaps"), configMap("a", { data: "x" })),
    post(path("configmaps"), configMap("a", { data: { "a b": "x" } })),
    post(path("configmaps"), configMap("a", { binaryData: { a: "!" } })),
    post(path("configmaps"), configMap("a", { data: { a: "x" }, binaryData: { a: "eA==" } })),
    post(path("configmaps"), configMap("a", { immutable: "yes" })),
    post(
      path("configmaps", "?fieldValidation=Strict"),
      configMap("a", { dat: 1, metadata: { name: "a", lables: {} } }),
    ),
    post(path("configmaps", "?fieldValidation=Often"), configMap("a")),
    post(path("configmaps", "?dryRun=Some"), configMap("a")),
    post(path("configmaps"), []),
    post(path("foos"), configMap("a")),
    post(path("configmaps", "/a"), configMap("a")),
    post(path("services"), { metadata: { name: "1a" }, spec: { ports: [{ port: 80 }] } }),
  ]),
  inNamespace("bodies that are accepted", (path) => [
    post(path("configmaps", "?fieldValidation=Warn"), configMap("a", { dat: 1, metadata: { name: "a", lables: {} } })),
    post(path("configmaps", "?fieldValidation=Ignore"), configMap("b", { dat: 1 })),
    post(path("configmaps"), {
      metadata: { name: "c", labels: {}, annotations: null, generation: 5, uid: "x", selfLink: "y" },
      data: {},
    }),
    post(path("configmaps", "?dryRun=All"), configMap("d", { data: { a: "b" } })),
    post(path("configmaps"), configMap("d", { data: { a: "b" }, binaryData: { b: "eA==" } })),
    post(path("configmaps"), configMap("d")),
    post(path("secrets"), { metadata: { name: "s" }, data: { a: "eA==" }, stringData: { a: "y", b: "z" } }),
    post(path("secrets"), { metadata: { name: "t" }, type: "kubernetes.io/tls", data: { "tls.crt": "" } }),
    post(path("secrets"), { metadata: { name: "u" }, type: "kubernetes.io/dockerconfigjson", data: {} }),
    post(path("secrets"), { metadata: { name: "v" }, type: "kubernetes.io/basic-auth" }),
    post(path("secrets"), { metadata: { name: "w" }, type: "kubernetes.io/service-account-token" }),
    post(path("secrets"), { metadata: { name: "x" }, type: "example.com/any" }),
    post(path("serviceaccounts"), { metadata: { name: "sa" } }),
    post(path("events"), {
      metadata: { name: "e", namespace: "parity-bodies-that-are-accepted" },
      involvedObject: { kind: "ConfigMap", name: "d", namespace: "parity-bodies-that-are-accepted" },
      reason: "Test",
      message: "hello",
      type: "Normal",
    }),
    post(path("leases.coordination.k8s.io/v1"), {
      metadata: { name: "l" },
      spec: { holderIdentity: "me", leaseDurationSeconds: 15, renewTime: "2026-01-02T03:04:05.1234567Z" },
    }),
    post(path("limitranges"), {
      metadata: { name: "lr" },
      spec: { limits: [{ type: "Container", default: { cpu: "0.5", memory: "1024Mi" } }] },
    }),
    post(path("persistentvolumeclaims"), {
      metadata: { name: "pvc" },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1073741824" } } },
    }),
    post(path("resourcequotas"), { metadata: { name: "rq" }, spec: { hard: { pods: "10", "requests.cpu": "1500m" } } }),
  ]),
];
