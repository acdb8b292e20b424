import { fieldAt } from "../../../src/objects/json.ts";
import type { Exchange, ParityCase } from "../exchange.ts";
import { apply, as, get, patch, post, put, remove } from "../exchange.ts";
import { crds, isEstablished, isGone } from "./crd-exchanges.ts";
import { inNamespace } from "./namespaced-case.ts";
import { randomApplies } from "./random-applies.ts";

const group = "applied.example.com";
const name = `widgets.${group}`;
const text = { type: "string" };
const strings = { type: "array", items: text };
const pairs = { type: "object", properties: { key: text, zone: { type: "string", default: "all" }, value: text } };

const schema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        size: { type: "integer" },
        color: { type: "string", default: "red" },
        plain: strings,
        atomic: { ...strings, "x-kubernetes-list-type": "atomic" },
        set: { ...strings, "x-kubernetes-list-type": "set" },
        keyed: {
          type: "array",
          items: { ...pairs, required: ["key"] },
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["key", "zone"],
        },
        whole: { type: "object", properties: { a: text, b: text }, "x-kubernetes-map-type": "atomic" },
        labels: { type: "object", additionalProperties: text },
        wholeMap: { type: "object", additionalProperties: text, "x-kubernetes-map-type": "atomic" },
        open: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        any: { "x-kubernetes-preserve-unknown-fields": true },
        known: { type: "object", properties: { a: text }, "x-kubernetes-preserve-unknown-fields": true },
        port: { "x-kubernetes-int-or-string": true },
        embedded: {
          type: "object",
          "x-kubernetes-embedded-resource": true,
          "x-kubernetes-preserve-unknown-fields": true,
        },
        maybe: { type: "string", nullable: true },
        rows: { type: "array", items: { type: "array", items: text } },
        flag: { type: "boolean" },
        ratio: { type: "number" },
      },
    },
    status: {
      type: "object",
      properties: {
        phase: text,
        conditions: {
          type: "array",
          items: { type: "object", required: ["type"], properties: { type: text, status: text } },
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["type"],
        },
      },
    },
  },
};

const older = {
  type: "object",
  properties: {
    spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  },
};

const crd = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name },
  spec: {
    group,
    scope: "Namespaced",
    names: { kind: "Widget", plural: "widgets" },
    versions: [
      { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema }, subresources: { status: {} } },
      {
        name: "v1alpha1",
        served: true,
        storage: false,
        schema: { openAPIV3Schema: older },
        subresources: { status: {} },
      },
    ],
  },
};

const widget = (spec: unknown, rest: Readonly<Record<string, unknown>> = {}): unknown => ({
  apiVersion: `${group}/v1`,
  kind: "Widget",
  metadata: { name: "w" },
  ...(spec === undefined ? {} : { spec }),
  ...rest,
});

function defined(exchanges: (at: (rest?: string, version?: string) => string) => readonly Exchange[]) {
  return (path: (resource: string, rest?: string) => string): readonly Exchange[] => {
    const at = (rest = "", version = "v1"): string => path(`widgets.${group}/${version}`, rest);
    return [
      apply(`${crds}/${name}`, "definer", crd),
      get(`${crds}/${name}`, isEstablished),
      // Discovery and the schemas follow a moment later.
      get(`/apis/${group}/v1`, (body) => fieldAt(body, "kind") === "APIResourceList"),
      get(at(), (body) => fieldAt(body, "kind") === "WidgetList"),
      get(at("", "v1alpha1"), (body) => fieldAt(body, "kind") === "WidgetList"),
      ...exchanges(at),
      remove(`${crds}/${name}`),
      get(`${crds}/${name}`, isGone),
    ];
  };
}

/** Custom resources: what their schema says of lists and maps decides who owns what. */
export const applyCustomCases: readonly ParityCase[] = [
  inNamespace(
    "apply of custom resources",
    defined((at) => [
      apply(at("/w"), "one", widget({ size: 1, plain: ["a"], set: ["a", "b"], keyed: [{ key: "x", value: "1" }] })),
      apply(
        at("/w"),
        "two",
        widget({
          set: ["b", "c"],
          keyed: [
            { key: "y", value: "2" },
            { key: "x", zone: "z" },
          ],
        }),
      ),
      apply(at("/w"), "two", widget({ plain: ["a"], size: 1 })),
      apply(at("/w"), "two", widget({ plain: ["b"], size: 2 })),
      apply(at("/w"), "one", widget({ keyed: [{ key: "new" }, { key: "x", value: "1" }], set: ["d", "b"] })),
      apply(
        at("/w"),
        "one",
        widget({ whole: { a: "1" }, labels: { a: "1" }, wholeMap: { a: "1" }, open: { a: { b: 1, c: [1] } } }),
      ),
      apply(
        at("/w"),
        "two",
        widget({ whole: { b: "1" }, labels: { b: "1" }, wholeMap: { b: "1" }, open: { a: { d: 2, c: [2] } } }),
      ),
      apply(
        at("/w"),
        "two&force=true",
        widget({ whole: { b: "1" }, labels: { b: "1" }, wholeMap: { b: "1" }, open: { a: { d: 2 } } }),
      ),
      apply(
        at("/w"),
        "one",
        widget({ any: { a: [{ name: "x" }] }, known: { a: "1", z: { y: 1 } }, port: 80, maybe: null }),
      ),
      apply(at("/w"), "two", widget({ any: [1, 2], known: { z: 1 }, port: "http", maybe: "x" })),
      apply(at("/w"), "two&force=true", widget({ any: [1, 2], known: { z: 1 }, port: "http", maybe: "x" })),
      apply(
        at("/w"),
        "one",
        widget({ embedded: { apiVersion: "v1", kind: "X", metadata: { name: "e", labels: { a: "b" } }, f: 1 } }),
      ),
      apply(at("/w"), "one", widget({ rows: [["a"], ["b"]], atomic: [], labels: {}, open: {} })),
      apply(at("/w"), "one", widget({ flag: true, ratio: 1.5, unknown: 1 })),
      apply(at("/w"), "one", widget({ flag: "yes" })),
      apply(at("/w"), "one", widget({ ratio: "1" })),
      apply(at("/w"), "one", widget({ port: { a: 1 } })),
      apply(at("/w"), "one", widget({ rows: ["a"] })),
      apply(at("/w"), "one", widget({ plain: "a" })),
      apply(at("/w"), "one", widget({ set: ["a", "a"] })),
      apply(at("/w"), "one", widget({ keyed: [{ zone: "a" }] })),
      apply(at("/w"), "one", widget({ keyed: [{ key: "a" }, { key: "a", zone: "all" }] })),
      apply(at("/w"), "one", widget({ flag: true, ratio: 1 }, { status: { phase: "Ignored" } })),
      apply(at("/w"), "one", widget(undefined, { other: 1 })),
      // Nothing but another order.
      apply(at("/w"), "one", widget({ set: ["a", "b", "c"], keyed: [{ key: "a" }, { key: "b" }, { key: "c" }] })),
      apply(at("/w"), "two", widget({ set: ["c", "a"] })),
      apply(at("/w"), "one", widget({ set: ["c", "b", "a"], keyed: [{ key: "c" }, { key: "b" }, { key: "a" }] })),
      get(at("/w")),
      apply(at("/w"), "one", widget(undefined)),
      apply(at("/w"), "two", widget(null)),
    ]),
  ),
  inNamespace(
    "managed fields of custom resources",
    defined((at) => [
      post(
        at("?fieldManager=maker"),
        widget({ size: 1, unknown: 1, set: ["a"], open: { a: { b: [1] } } }, { status: { phase: "x" } }),
      ),
      patch(at("/w"), { spec: { set: ["b"], keyed: [{ key: "x" }], labels: { a: "1" }, whole: { a: "1" } } }),
      patch(at("/w/status?fieldManager=controller"), { status: { phase: "Ready" }, metadata: { labels: { a: "b" } } }),
      apply(
        at("/w/status"),
        "applier",
        widget({ size: 9 }, { status: { conditions: [{ type: "Ready", status: "True" }] } }),
      ),
      apply(at("/w/status"), "applier", widget(undefined, { status: { phase: "Other" } })),
      apply(at("/w/status"), "applier&force=true", widget(undefined, { status: { phase: "Other" } })),
      apply(at("/w"), "applier", widget({ size: 1 })),
      apply(at("/w/status"), "applier", widget(undefined)),
      apply(at("/none/status"), "applier", { ...(widget(undefined) as object), metadata: { name: "none" } }),
      patch(at("/w"), { spec: { size: null, color: null, unknown: 7 } }),
      as("other/1", patch(at("/w"), { spec: { open: { a: { b: [1, 2], c: 1 }, "d.e/f": null } } })),
      patch(at("/w?fieldManager=alpha", "v1alpha1"), { spec: { size: 5 } }),
      apply(at("/w", "v1alpha1"), "alpha", {
        apiVersion: `${group}/v1alpha1`,
        kind: "Widget",
        metadata: { name: "w" },
        spec: { size: 6, set: ["q"] },
      }),
      apply(at("/w"), "alpha", widget({ size: 6 })),
      apply(at("/w"), "alpha&force=true", widget({ size: 6 })),
      apply(at("/w"), "alpha", {
        apiVersion: `${group}/v1alpha1`,
        kind: "Widget",
        metadata: { name: "w" },
      }),
      get(at("/w", "v1alpha1")),
      apply(at("/w"), "applier&dryRun=All", widget({ size: 6 })),
      patch(at("/w?dryRun=All"), { spec: { size: 7 } }),
      post(at("?dryRun=All"), { ...(widget({ size: 1 }) as object), metadata: { name: "dry" } }),
      remove(at("/w?dryRun=All")),
      get(at("/w")),
      put(at("/w?dryRun=All"), widget({ size: 1 })),
      apply(
        at("/w"),
        "applier",
        widget({ size: 7, keyed: [{ key: "a" }] }, { metadata: { name: "w", finalizers: ["example.com/f"] } }),
      ),
      patch(at("/w"), { metadata: { finalizers: null } }),
    ]),
  ),
  inNamespace(
    "random applies",
    defined((at) => randomApplies(at("/w"), `${group}/v1`, { seed: 6, count: 60 })),
  ),
];
