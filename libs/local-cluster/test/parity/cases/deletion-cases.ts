import type { ParityCase } from "../exchange.ts";
import { get, patch, post, put, remove } from "../exchange.ts";
import { inNamespace } from "./namespaced-case.ts";
import { fieldAt } from "../../../src/objects/json.ts";

const isGone = (body: unknown): boolean => fieldAt(body, "code") === 404;

/** DELETE with preconditions, finalizers and policies. */
export const deletionCases: readonly ParityCase[] = [
  inNamespace("deletion", (path) => [
    remove(path("configmaps", "/none")),
    post(path("configmaps"), { metadata: { name: "a" } }),
    remove(path("configmaps", "/a"), { preconditions: { uid: "x" } }),
    remove(path("configmaps", "/a"), { preconditions: { resourceVersion: "1" } }),
    remove(path("configmaps", "/a"), { propagationPolicy: "Sometimes" }),
    remove(path("configmaps", "/a"), { dryRun: ["All"] }),
    remove(path("configmaps", "/a")),
    get(path("configmaps", "/a")),
    post(path("configmaps"), { metadata: { name: "f", finalizers: ["example.com/f", "example.com/g"] } }),
    remove(path("configmaps", "/f")),
    remove(path("configmaps", "/f")),
    patch(path("configmaps", "/f"), { metadata: { finalizers: ["example.com/f", "example.com/new"] } }),
    put(path("configmaps", "/f"), {
      metadata: { name: "f", finalizers: ["example.com/f"] },
      data: { still: "writable" },
    }),
    patch(path("configmaps", "/f"), { metadata: { finalizers: null } }),
    get(path("configmaps", "/f")),
    post(path("serviceaccounts"), { metadata: { name: "s" } }),
    remove(path("serviceaccounts", "/s")),
    post(path("secrets"), { metadata: { name: "s" } }),
    remove(path("secrets", "/s")),
    post(path("roles.rbac.authorization.k8s.io/v1"), { metadata: { name: "s" }, rules: [] }),
    remove(path("roles.rbac.authorization.k8s.io/v1", "/s")),
    post(path("services"), { metadata: { name: "s" }, spec: { ports: [{ port: 80 }] } }),
    remove(path("services", "/s")),
    post(path("configmaps"), { metadata: { name: "b", labels: { x: "y" } } }),
    post(path("configmaps"), { metadata: { name: "c", labels: { x: "y" } } }),
    post(path("configmaps"), { metadata: { name: "d" } }),
    remove(path("configmaps", "?labelSelector=x%3Dy")),
    get(path("configmaps", "?labelSelector=x%3Dy")),
    get(path("configmaps", "/d")),
  ]),
  inNamespace("garbage collection policies", (path) => [
    post(path("configmaps"), { metadata: { name: "orphaned", finalizers: ["example.com/f"] } }),
    remove(path("configmaps", "/orphaned"), { propagationPolicy: "Orphan" }),
    get(
      path("configmaps", "/orphaned"),
      (body) =>
        fieldAt(body, "metadata", "finalizers", "1") === undefined &&
        JSON.stringify(fieldAt(body, "metadata", "finalizers")) === '["example.com/f"]',
    ),
    patch(path("configmaps", "/orphaned"), { metadata: { finalizers: null } }),
    post(path("configmaps"), { metadata: { name: "front" } }),
    remove(path("configmaps", "/front"), { propagationPolicy: "Foreground" }),
    get(path("configmaps", "/front"), isGone),
    post(path("configmaps"), {
      metadata: {
        name: "stray",
        ownerReferences: [
          { apiVersion: "v1", kind: "ConfigMap", name: "none", uid: "11111111-1111-1111-1111-111111111111" },
        ],
      },
    }),
    get(path("configmaps", "/stray"), isGone),
  ]),
];
