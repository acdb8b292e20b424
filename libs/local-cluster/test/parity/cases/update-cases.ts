import type { ParityCase } from "../exchange.ts";
import { get, patch, post, put } from "../exchange.ts";
import { inNamespace } from "./namespaced-case.ts";

/** PUT and its guards. */
export const updateCases: readonly ParityCase[] = [
  inNamespace("updates", (path) => [
    post(path("configmaps"), { metadata: { name: "a" }, data: { a: "1" } }),
    put(path("configmaps", "/a"), { metadata: { name: "a", resourceVersion: "1" } }),
    put(path("configmaps", "/a"), { metadata: { name: "a", uid: "1" } }),
    put(path("configmaps", "/a"), { metadata: { name: "b" } }),
    put(path("configmaps", "/a"), { metadata: {} }),
    put(path("configmaps", "/a"), { metadata: { name: "a", namespace: "x" } }),
    put(path("configmaps", "/zz"), { metadata: { name: "zz" } }),
    put(path("configmaps", "/zz"), { metadata: { name: "zz", resourceVersion: "12" } }),
    put(path("configmaps", "/a"), { metadata: { name: "a", creationTimestamp: "2020-01-01T00:00:00Z" } }),
    put(path("configmaps", "/a"), { metadata: { name: "a", deletionTimestamp: "2020-01-01T00:00:00Z" } }),
    put(path("configmaps", "/a"), { metadata: { name: "a", generation: 7, labels: { x: "y" } }, data: { a: "2" } }),
    put(path("configmaps", "/a?dryRun=All"), { metadata: { name: "a" }, data: { a: "3" } }),
    get(path("configmaps", "/a")),
    put(path("configmaps", "/a"), { metadata: { name: "a" }, immutable: true, data: { a: "2" } }),
    put(path("configmaps", "/a"), { metadata: { name: "a" }, data: { a: "3" } }),
    put(path("configmaps", "/a"), {
      metadata: { name: "a", labels: { still: "mutable" } },
      immutable: true,
      data: { a: "2" },
    }),
    post(path("secrets"), { metadata: { name: "s" }, immutable: true, data: { a: "eA==" } }),
    put(path("secrets", "/s"), { metadata: { name: "s" }, data: { a: "eQ==" } }),
    post(path("secrets"), { metadata: { name: "t" } }),
    put(path("secrets", "/t"), { metadata: { name: "t" }, type: "other" }),
    put(path("secrets", "/t"), { metadata: { name: "t" }, stringData: { k: "v" } }),
    put(path("leases.coordination.k8s.io/v1", "/new"), { metadata: { name: "new" }, spec: {} }),
    put(path("leases.coordination.k8s.io/v1", "/new"), { metadata: { name: "new" }, spec: { holderIdentity: "x" } }),
    put(path("leases.coordination.k8s.io/v1", "/newer"), {
      metadata: { name: "newer", resourceVersion: "5" },
      spec: {},
    }),
    put(path("leases.coordination.k8s.io/v1", "/newest"), { metadata: { name: "newest", uid: "abc" }, spec: {} }),
    put(path("roles.rbac.authorization.k8s.io/v1", "/r"), { metadata: { name: "r" } }),
  ]),
  inNamespace("status subresource", (path) => [
    post(path("deployments.apps/v1"), {
      metadata: { name: "d" },
      spec: {
        replicas: 0,
        selector: { matchLabels: { a: "b" } },
        template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "x" }] } },
      },
      status: { replicas: 3 },
    }),
    post(path("configmaps", "/d/status"), {}),
    get(path("configmaps", "/d/status")),
    patch(path("ingresses.networking.k8s.io/v1", "/none/status"), { status: {} }),
    post(path("ingresses.networking.k8s.io/v1"), {
      metadata: { name: "p" },
      spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } },
      status: { loadBalancer: { ingress: [{ ip: "10.0.0.1" }] } },
    }),
    patch(path("ingresses.networking.k8s.io/v1", "/p/status"), {
      metadata: { labels: { x: "y" } },
      spec: { ingressClassName: "x" },
      status: { loadBalancer: { ingress: [{ ip: "10.0.0.1" }] } },
    }),
    patch(path("ingresses.networking.k8s.io/v1", "/p"), {
      metadata: { labels: { z: "y" } },
      spec: { ingressClassName: "x" },
      status: { loadBalancer: null },
    }),
    get(path("ingresses.networking.k8s.io/v1", "/p/status")),
  ]),
];
