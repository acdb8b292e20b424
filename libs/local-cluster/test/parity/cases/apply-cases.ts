import type { ParityCase } from "../exchange.ts";
import { apply, as, get, patch, post, put, remove } from "../exchange.ts";
import { inNamespace } from "./namespaced-case.ts";

const json = "application/json-patch+json";
const strategic = "application/strategic-merge-patch+json";

const configMap = (data: unknown, metadata: Readonly<Record<string, unknown>> = {}): unknown => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", ...metadata },
  ...(data === undefined ? {} : { data }),
});

/** Who owns what after writes that are not applies. */
const trackedWrites = inNamespace("managed fields of plain writes", (path) => [
  post(path("configmaps"), {
    metadata: { name: "a", labels: { x: "y" }, finalizers: ["example.com/f"] },
    data: { a: "1", b: "2" },
  }),
  as("other/v1.2 (linux)", patch(path("configmaps", "/a"), { data: { b: "3", c: "4" } })),
  as("other/v1.2 (linux)", patch(path("configmaps", "/a"), { data: { b: "3", c: "4" } })),
  patch(path("configmaps", "/a?fieldManager=named"), { data: { a: null }, metadata: { labels: { z: "1" } } }),
  patch(path("configmaps", "/a"), { metadata: { labels: null, finalizers: null } }),
  put(path("configmaps", "/a?fieldManager=replacer"), { metadata: { name: "a" }, data: { b: "3", d: "5" } }),
  put(path("configmaps", "/a?fieldManager=replacer"), { metadata: { name: "a" }, data: { b: "3", d: "5" } }),
  patch(path("configmaps", "/a"), [{ op: "add", path: "/metadata/annotations", value: { k: "v" } }], json),
  patch(path("configmaps", "/a"), { metadata: { managedFields: [] } }),
  patch(path("configmaps", "/a"), { metadata: { managedFields: null } }),
  patch(path("configmaps", "/a"), [{ op: "replace", path: "/metadata/managedFields", value: [{}] }], json),
  patch(path("configmaps", "/a"), { data: { e: "6" } }),
  put(path("configmaps", "/a"), { metadata: { name: "a", managedFields: [{ manager: "x", operation: "Other" }] } }),
  post(path("configmaps"), { metadata: { name: "empty", generateName: "empty-", annotations: {} }, data: {} }),
  patch(path("configmaps", "/empty"), { data: {}, binaryData: { a: "YQ==" } }),
  post(path("configmaps?fieldManager=name%20with%20space"), { metadata: { name: "space" }, data: { "b/c": "d" } }),
  post(path("configmaps?fieldManager=name%20with%20space"), { metadata: { name: "space" }, data: { "b.c": "d" } }),
  post(path(`configmaps?fieldManager=${"x".repeat(129)}`), { metadata: { name: "long" } }),
  post(path("configmaps?fieldManager=a%00b"), { metadata: { name: "control" } }),
  as("", post(path("configmaps"), { metadata: { name: "nobody" }, data: { a: "b" } })),
  as(`${"u".repeat(150)}/1`, post(path("configmaps"), { metadata: { name: "longagent" }, data: { a: "b" } })),
  post(path("secrets"), { metadata: { name: "s" }, stringData: { a: "b" }, data: { c: "ZA==" } }),
  patch(path("secrets", "/s?fieldManager=m"), { stringData: { a: "c" } }),
  patch(path("secrets", "/s?fieldManager=m"), { type: "Opaque", immutable: true }, strategic),
  post(path("configmaps"), {
    metadata: {
      name: "owned",
      ownerReferences: [
        { apiVersion: "unknown.example.com/v1", kind: "Other", name: "s", uid: "0b9b0c9e-0000-4000-8000-000000000000" },
      ],
      finalizers: ["example.com/f", "example.com/g"],
      annotations: { "example.com/a": "1" },
    },
  }),
  patch(path("configmaps", "/owned?fieldManager=m"), { metadata: { finalizers: ["example.com/g", "example.com/h"] } }),
  remove(path("configmaps", "/owned")),
  patch(path("configmaps", "/owned?fieldManager=n"), { metadata: { finalizers: ["example.com/h"] } }),
  patch(path("configmaps", "/owned?fieldManager=n"), { metadata: { finalizers: null } }),
]);

/** Ownership among appliers of one ConfigMap. */
const appliedMaps = inNamespace("apply", (path) => [
  apply(path("configmaps", "/a"), "one", configMap({ a: "1", b: "2" }, { labels: { x: "y" } })),
  apply(path("configmaps", "/a"), "one", configMap({ a: "1", b: "2" }, { labels: { x: "y" } })),
  apply(path("configmaps", "/a"), "two", configMap({ b: "2", c: "3" })),
  apply(path("configmaps", "/a"), "two", configMap({ a: "9", b: "8" })),
  apply(path("configmaps", "/a"), "two", configMap({ a: "9" })),
  apply(path("configmaps", "/a"), "two&force=true", configMap({ a: "9", b: "2" })),
  apply(path("configmaps", "/a"), "one", configMap({ b: "2" })),
  apply(path("configmaps", "/a"), "one", configMap(undefined)),
  apply(path("configmaps", "/a"), "two", configMap({ a: "9" })),
  as("updater/1", patch(path("configmaps", "/a"), { data: { a: "7", u: "1" } })),
  apply(path("configmaps", "/a"), "two", configMap({ a: "9", u: "2" })),
  apply(path("configmaps", "/a"), "two", configMap({ a: "7", u: "1" })),
  apply(path("configmaps", "/a"), "two&force=true", configMap({ a: "8", u: "1" })),
  as("updater/1", patch(path("configmaps", "/a"), { data: { u: null } })),
  apply(path("configmaps", "/a"), "two", configMap({}, { annotations: { n: "m" } })),
  apply(path("configmaps", "/a"), "two", configMap({})),
  apply(path("configmaps", "/a"), "three&dryRun=All", configMap({ q: "1" })),
  get(path("configmaps", "/a")),
  apply(path("configmaps", "/fresh"), "three&dryRun=All", configMap({ q: "1" }, { name: "fresh" })),
  get(path("configmaps", "/fresh")),
  apply(path("configmaps", "/a"), "two", configMap(null)),
  apply(path("configmaps", "/a"), "two", configMap({ x: null })),
  apply(path("configmaps", "/a"), "two", configMap({ x: "1" }, { finalizers: ["example.com/f"] })),
  apply(path("configmaps", "/a"), "one", configMap({ x: "1" }, { finalizers: ["example.com/g"] })),
  apply(path("configmaps", "/a"), "two", configMap({ x: "1" }, { finalizers: [] })),
  apply(path("configmaps", "/a"), "two", configMap({ x: "1" })),
  remove(path("configmaps", "/a")),
  apply(path("configmaps", "/a"), "two", configMap({ y: "1" })),
  apply(path("configmaps", "/a"), "one", configMap({})),
  apply(path("configmaps", "/c"), "one", configMap({ a: "1", b: "1" }, { name: "c" })),
  as("updater/1", patch(path("configmaps", "/c"), { data: { c: "1", d: "1" } })),
  apply(path("configmaps", "/c"), "two", configMap({ a: "2", c: "2", d: "1" }, { name: "c" })),
  apply(path("configmaps", "/c"), "two", configMap({ a: "2", c: "2", d: "2", b: "2" }, { name: "c" })),
  // kubectl replace: the new object has no list, which keeps the old one.
  put(path("configmaps", "/c?fieldManager=kubectl-replace"), { metadata: { name: "c" }, data: { a: "1", c: "3" } }),
  remove(path("configmaps", "/c?dryRun=All")),
  get(path("configmaps", "/c")),
  put(path("configmaps", "/c?dryRun=All"), { metadata: { name: "c" }, data: { z: "1" } }),
  apply(path("configmaps", "/c"), "one&dryRun=All", configMap({ "bad key": "1" }, { name: "c" })),
  apply(path("configmaps", "/c"), "two&dryRun=All&force=true", configMap({ a: "9" }, { name: "c" })),
  apply(path("configmaps", "/c"), "two&dryRun=Some", configMap({}, { name: "c" })),
  get(path("configmaps", "/c")),
]);

/** Appliers of a map that is left empty by one of them. */
const emptiedMaps = inNamespace("apply to emptied maps", (path) => [
  apply(path("configmaps", "/a"), "one", configMap({})),
  apply(path("configmaps", "/a"), "two", configMap({ a: "1" })),
  apply(path("configmaps", "/a"), "two", configMap({})),
  apply(path("configmaps", "/a"), "one", configMap({})),
  apply(path("configmaps", "/a"), "one", configMap(undefined)),
  apply(path("configmaps", "/a"), "two", configMap(undefined)),
  apply(path("configmaps", "/b"), "one", configMap({ a: "1" }, { name: "b" })),
  apply(path("configmaps", "/b"), "one", configMap({}, { name: "b" })),
  apply(path("configmaps", "/b"), "two", configMap({}, { name: "b" })),
  apply(path("configmaps", "/b"), "one", configMap({ b: "1" }, { name: "b" })),
]);

/** What is refused, and what a body may say of the object. */
const refusedApplies = inNamespace("refused applies", (path) => [
  { ...apply(path("configmaps", "/a"), "", configMap({})), path: path("configmaps", "/a") },
  apply(path("configmaps", "/a"), "m", configMap({ a: "1" })),
  apply(path("configmaps", "/a"), "m", { ...(configMap({}) as object), apiVersion: "v2" }),
  apply(path("configmaps", "/a"), "m", { ...(configMap({}) as object), kind: "Secret" }),
  apply(path("configmaps", "/a"), "m", { metadata: { name: "a" } }),
  apply(path("configmaps", "/a"), "m", { apiVersion: "v1", kind: "ConfigMap" }),
  apply(path("configmaps", "/none"), "m", { apiVersion: "v1", kind: "ConfigMap" }),
  apply(path("configmaps", "/a"), "m", configMap({}, { name: "b" })),
  apply(path("configmaps", "/a"), "m", configMap({}, { namespace: "other" })),
  apply(path("configmaps", "/a"), "m", configMap({}, { namespace: "parity-refused-applies" })),
  apply(path("configmaps", "/a"), "m", configMap({ a: 1 })),
  apply(path("configmaps", "/a"), "m", configMap({ a: { b: "c" } })),
  apply(path("configmaps", "/a"), "m", configMap(["x"])),
  apply(path("configmaps", "/a"), "m", { ...(configMap({}) as object), dat: {} }),
  apply(path("configmaps", "/a"), "m", configMap({}, { managedFields: [] })),
  apply(path("configmaps", "/a"), "m", configMap({}, { managedFields: [{ manager: "x" }] })),
  apply(path("configmaps", "/a"), "m", configMap({ a: "1" }, { resourceVersion: "1" })),
  apply(path("configmaps", "/a"), "m", configMap({ a: "1" }, { uid: "0b9b0c9e-0000-4000-8000-000000000000" })),
  apply(path("configmaps", "/none"), "m", configMap({ a: "1" }, { name: "none", resourceVersion: "1" })),
  apply(
    path("configmaps", "/none"),
    "m",
    configMap({ a: "1" }, { name: "none", uid: "0b9b0c9e-0000-4000-8000-000000000000" }),
  ),
  apply(path("configmaps", "/a"), "m", configMap({ a: "1" }, { creationTimestamp: null, generation: 7 })),
  apply(path("configmaps", "/a"), "m", configMap({ "bad key": "1" })),
  apply(path("configmaps", "/a"), "m", ["x"]),
  apply(path("configmaps", "/a"), "m", "text"),
  apply(path("configmaps", "/a"), "m", Buffer.from("a: b: c")),
  apply(path("configmaps", "/a"), "m", Buffer.from("{")),
  apply(path("configmaps", "/a"), "m", Buffer.from("")),
  apply(
    path("configmaps", "/a"),
    "m",
    Buffer.from("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {y: x}\n"),
  ),
  apply(path("configmaps", "/a"), "m&force=maybe", configMap({})),
  apply(path("configmaps", "/a"), "m".repeat(129), configMap({})),
  apply(path("configmaps", "/a"), "m&fieldValidation=Strict", configMap({})),
  patch(path("configmaps", "/a?force=true"), { data: { a: "1" } }),
  patch(path("configmaps", "/a?force=false&fieldManager=x"), { data: { a: "1" } }),
  apply(path("configmaps", "/a/status"), "m", configMap({})),
  apply("/api/v1/namespaces/none/configmaps/a", "m", configMap({})),
  apply(path("nothings", "/a"), "m", configMap({})),
  apply(path("secrets", "/s"), "m", {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "s" },
    stringData: { a: "b" },
  }),
  apply(path("secrets", "/s"), "m", {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "s" },
    stringData: { a: "b" },
  }),
]);

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

/** From client-side apply and other writers to appliers. */
const migration = inNamespace("migration to apply", (path) => {
  const said = JSON.stringify({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { annotations: {}, name: "a", namespace: "parity-migration-to-apply" },
    data: { a: "1", b: "2" },
  });
  const reset = [{ op: "replace", path: "/metadata/managedFields", value: [{}] }];
  return [
    post(
      path("configmaps?fieldManager=kubectl-client-side-apply"),
      configMap({ a: "1", b: "2" }, { annotations: { [lastApplied]: said } }),
    ),
    apply(path("configmaps", "/a"), "someone", configMap({ a: "2" })),
    apply(path("configmaps", "/a"), "kubectl", configMap({ a: "2" })),
    apply(path("configmaps", "/a"), "kubectl", configMap({ a: "2", c: "1" })),
    as("updater/1", patch(path("configmaps", "/a"), { data: { c: "2", b: "5" } })),
    apply(path("configmaps", "/a"), "kubectl", configMap({ a: "2", c: "3" })),
    apply(path("configmaps", "/a"), "kubectl", configMap({ a: "2", b: "3" })),
    patch(path("configmaps", "/a"), { metadata: { managedFields: null } }),
    patch(path("configmaps", "/a"), reset, json),
    as("updater/1", patch(path("configmaps", "/a"), { data: { d: "2" } })),
    apply(path("configmaps", "/a"), "someone", configMap({ a: "2", e: "1" })),
    apply(path("configmaps", "/a"), "someone", configMap({ a: "3", e: "1" })),
    as("updater/1", patch(path("configmaps", "/a"), { data: { d: "3" } })),
    // A client takes over what an Update manager owned by writing the list itself.
    post(path("configmaps?fieldManager=old"), configMap({ a: "1", b: "2" }, { name: "m" })),
    patch(path("configmaps", "/m"), {
      metadata: {
        managedFields: [
          {
            manager: "new",
            operation: "Apply",
            apiVersion: "v1",
            time: "2026-01-01T00:00:00Z",
            fieldsType: "FieldsV1",
            fieldsV1: { "f:data": { "f:a": {}, "f:b": {} } },
          },
        ],
      },
    }),
    apply(path("configmaps", "/m"), "new", configMap({ a: "1" }, { name: "m" })),
    patch(path("configmaps", "/m"), { metadata: { managedFields: [{ manager: "new", operation: "Apply" }] } }),
    patch(path("configmaps", "/m"), {
      metadata: { managedFields: [{ manager: "n", operation: "Update", fieldsType: "FieldsV2", apiVersion: "v1" }] },
    }),
    patch(path("configmaps", "/m"), {
      metadata: { managedFields: [{ manager: "n", operation: "Odd", fieldsType: "FieldsV1", apiVersion: "v1" }] },
    }),
    patch(path("configmaps", "/m"), {
      metadata: {
        managedFields: [
          {
            manager: "n",
            operation: "Apply",
            fieldsType: "FieldsV1",
            apiVersion: "v9",
            fieldsV1: { "f:data": { "f:a": {} } },
          },
        ],
      },
    }),
    apply(path("configmaps", "/m"), "new", configMap({ a: "2" }, { name: "m" })),
    put(path("configmaps", "/a"), configMap({ a: "2" }, { managedFields: [] })),
    post(
      path("configmaps"),
      configMap(
        { a: "1", b: "2" },
        {
          name: "claimed",
          managedFields: [
            {
              manager: "claimer",
              operation: "Apply",
              apiVersion: "v1",
              time: "2026-01-01T00:00:00Z",
              fieldsType: "FieldsV1",
              fieldsV1: { "f:data": { ".": {}, "f:a": {} } },
            },
          ],
        },
      ),
    ),
    post(path("configmaps"), configMap({ a: "1" }, { name: "unclaimed", managedFields: [{}] })),
    patch(path("configmaps", "/unclaimed"), { metadata: { managedFields: [{}] } }),
    // More than ten Update managers: the oldest are put together.
    post(path("configmaps?fieldManager=many-a"), configMap({ a: "1" }, { name: "many" })),
    ...Array.from("bcdefghijklm").map((letter) =>
      patch(path("configmaps", `/many?fieldManager=many-${letter}`), { data: { [letter]: "v" } }),
    ),
  ];
});

export const applyCases: readonly ParityCase[] = [trackedWrites, appliedMaps, emptiedMaps, refusedApplies, migration];
