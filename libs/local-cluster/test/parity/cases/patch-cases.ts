import type { ParityCase } from "../exchange.ts";
import { patch, post } from "../exchange.ts";
import { inNamespace } from "./namespaced-case.ts";

const json = "application/json-patch+json";
const strategic = "application/strategic-merge-patch+json";

/** PATCH in its forms. */
export const patchCases: readonly ParityCase[] = [
  inNamespace("patches", (path) => [
    post(path("configmaps"), { metadata: { name: "a", labels: { x: "y" } }, data: { a: "1", b: "2" } }),
    patch(path("configmaps", "/a"), { data: { a: "9", b: null } }),
    patch(path("configmaps", "/a"), { data: { a: "9" } }),
    patch(path("configmaps", "/a"), { metadata: { resourceVersion: "1" } }),
    patch(path("configmaps", "/a"), { metadata: { uid: "1" } }),
    patch(path("configmaps", "/a"), { metadata: { name: "b" } }),
    patch(path("configmaps", "/a"), { data: { a: 1 } }),
    patch(path("configmaps", "/a"), { dat: "x" }),
    patch(path("configmaps", "/a?fieldValidation=Strict"), { dat: "x" }),
    patch(path("configmaps", "/a"), ["x"]),
    patch(path("configmaps", "/none"), {}),
    patch(path("configmaps", "/a"), {}, "application/json"),
    patch(path("configmaps", "/a"), [{ op: "replace", path: "/data/a", value: "7" }], json),
    patch(path("configmaps", "/a"), [{ op: "test", path: "/data/a", value: "0" }], json),
    patch(path("configmaps", "/a"), [{ op: "remove", path: "/data/none" }], json),
    patch(path("configmaps", "/a"), [{ op: "add", path: "/x/y", value: 1 }], json),
    patch(path("configmaps", "/a"), { data: { c: "3" }, metadata: { labels: { x: null } } }, strategic),
    patch(path("configmaps", "/a?dryRun=All"), { data: { d: "4" } }, strategic),
    patch(path("configmaps", "/a"), { metadata: { labels: { b$: "x" } } }),
    patch(path("configmaps", "/a"), { metadata: { finalizers: ["example.com/f"] } }, strategic),
    patch(path("configmaps", "/a"), { metadata: { finalizers: ["example.com/g"] } }, strategic),
    patch(
      path("configmaps", "/a"),
      { metadata: { "$deleteFromPrimitiveList/finalizers": ["example.com/f", "example.com/g"] } },
      strategic,
    ),
  ]),
];
