import { fieldAt } from "../../../src/objects/json.ts";
import type { ParityCase } from "../exchange.ts";
import { get, patch, post, put, remove } from "../exchange.ts";

const at = "/api/v1/namespaces";

/** Namespaces from their creation to their end. */
export const namespaceCases: readonly ParityCase[] = [
  {
    name: "namespaces",
    exchanges: [
      post(at, { metadata: { name: "A.b" } }),
      post(at, { metadata: { name: "parity-ns", labels: { a: "b" } }, spec: { finalizers: ["x.y/z"] } }),
      post(at, { metadata: { name: "parity-ns" } }),
      get(`${at}/parity-ns/serviceaccounts/default`, (body) => fieldAt(body, "kind") === "ServiceAccount"),
      get(`${at}/parity-ns/configmaps/kube-root-ca.crt`, (body) => fieldAt(body, "kind") === "ConfigMap"),
      patch(`${at}/parity-ns`, { metadata: { labels: { "kubernetes.io/metadata.name": null, c: "d" } } }),
      patch(`${at}/parity-ns`, { spec: { finalizers: [] } }),
      post(`${at}/parity-none/configmaps`, { metadata: { name: "a" } }),
      get(`${at}/parity-none/configmaps`),
      get(`${at}/parity-none/configmaps/a`),
      post(`${at}/parity-ns/configmaps`, { metadata: { name: "a", finalizers: ["example.com/f"] } }),
      put(`${at}/parity-ns/finalize`, {
        metadata: { name: "parity-ns" },
        spec: { finalizers: ["kubernetes", "example.com/g"] },
      }),
      remove(`${at}/parity-ns`),
      post(`${at}/parity-ns/configmaps`, { metadata: { name: "b" } }),
      get(`${at}/parity-ns`, (body) =>
        JSON.stringify(fieldAt(body, "status", "conditions") ?? "").includes("SomeFinalizersRemain"),
      ),
      patch(`${at}/parity-ns/configmaps/a`, { metadata: { finalizers: null } }),
      get(`${at}/parity-ns`, (body) => JSON.stringify(fieldAt(body, "spec")) === '{"finalizers":["example.com/g"]}'),
      remove(`${at}/parity-ns`),
      put(`${at}/parity-ns/finalize`, { metadata: { name: "parity-ns" }, spec: {} }),
      get(`${at}/parity-ns`, (body) => fieldAt(body, "code") === 404),
      remove(`${at}/default`),
      remove(at),
    ],
  },
];
