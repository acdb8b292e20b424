import { fieldAt } from "../../../src/objects/json.ts";
import type { Exchange, ParityCase } from "../exchange.ts";
import { apply, get, patch, post, put, remove } from "../exchange.ts";
import { crds, isEstablished, isGone } from "./crd-exchanges.ts";
import { inNamespace } from "./namespaced-case.ts";

const name = "nullitems.nulls.example.com";
const apiVersion = "nulls.example.com/v1";

const text = { type: "string" };
const open = { "x-kubernetes-preserve-unknown-fields": true };
const inner = { type: "object", properties: { a: text, b: { ...text, default: "b" } } };

/** Fields that treat null in different ways. Only `data` is required. */
const properties: Readonly<Record<string, unknown>> = {
  data: open,
  openOptional: open,
  openObject: { type: "object", ...open },
  openWithField: { type: "object", properties: { a: text }, ...open },
  openNullable: { nullable: true, ...open },
  openDefault: { default: { a: 1 }, ...open },
  text,
  textDefault: { ...text, default: "filled" },
  textNullable: { ...text, nullable: true },
  textNullableDefault: { ...text, nullable: true, default: "filled" },
  number: { type: "integer" },
  intOrString: { "x-kubernetes-int-or-string": true },
  list: { type: "array", items: text },
  listDefault: { type: "array", items: { ...text, default: "filled" } },
  listNullable: { type: "array", items: { ...text, nullable: true } },
  objects: { type: "array", items: inner },
  map: { type: "object", additionalProperties: text },
  mapDefault: { type: "object", additionalProperties: { ...text, default: "filled" } },
  mapNullable: { type: "object", additionalProperties: { ...text, nullable: true } },
  mapOfObjects: { type: "object", additionalProperties: inner },
  inner,
  innerDefault: { ...inner, default: {} },
  embedded: { type: "object", "x-kubernetes-embedded-resource": true, ...open },
  demanding: { type: "object", required: ["a", "n"], properties: { a: text, n: { ...text, nullable: true } } },
};

const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name },
  spec: {
    group: "nulls.example.com",
    scope: "Namespaced",
    names: { kind: "NullItem", plural: "nullitems" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            required: ["data"],
            properties: { ...properties, status: { type: "object", properties: { phase: text, ...properties } } },
          },
        },
        subresources: { status: {} },
      },
    ],
  },
};

const item = (itemName: string, fields: object = {}): object => ({
  apiVersion,
  kind: "NullItem",
  metadata: { name: itemName },
  data: 1,
  ...fields,
});

/** Values that hold null at some depth, by field. */
const samples: readonly (readonly [field: string, value: unknown])[] = [
  ...Object.keys(properties).map((field) => [field, null] as const),
  ["data", { a: null, b: [null] }],
  ["openObject", { a: null }],
  ["openWithField", { a: null, b: null }],
  ["openDefault", { a: null }],
  ["list", [null, "x"]],
  ["listDefault", [null, "x"]],
  ["listNullable", [null, "x"]],
  ["objects", [null]],
  ["objects", [{ a: null, b: null }]],
  ["map", { k: null }],
  ["mapDefault", { k: null }],
  ["mapNullable", { k: null }],
  ["mapOfObjects", { k: null }],
  ["mapOfObjects", { k: { a: null, b: null } }],
  ["inner", { a: null, b: null }],
  ["innerDefault", { a: null, b: null }],
  ["embedded", { apiVersion: "v1", kind: "ConfigMap", metadata: null, data: null }],
  ["embedded", { apiVersion: "v1", kind: "ConfigMap", metadata: { labels: null, name: null } }],
  ["embedded", { apiVersion: "v1", kind: "ConfigMap", metadata: { labels: {}, name: "x", foo: 1 } }],
  ["embedded", { apiVersion: "v1", kind: "ConfigMap", metadata: "x" }],
  ["embedded", { apiVersion: "v1", kind: "ConfigMap", metadata: { labels: { a: 1 } } }],
  ["embedded", { apiVersion: 1, kind: "ConfigMap" }],
  ["embedded", { apiVersion: null, kind: "ConfigMap" }],
  ["demanding", { a: null, n: null }],
  ["unknown", null],
  ["status", null],
];

/**
 * Not applied: a null for `openDefault`, in which the real server sees no change, and this one a change to the same default; and a null as
 * apiVersion, which the real server refuses in the validation (422), and this one before it (400).
 */
function exchangesWithNulls(at: string, itemName: string): readonly Exchange[] {
  const path = `${at}/${itemName}`;
  return [
    ...samples.map(([field, value]) => post(`${at}?dryRun=All`, item("new", { [field]: value }))),
    post(at, item(itemName, { text: "x", textNullable: "x", inner: { a: "a" } })),
    ...samples.map(([field, value]) => ({
      ...patch(`${path}?dryRun=All`, [{ op: "add", path: `/${field}`, value }]),
      contentType: "application/json-patch+json",
    })),
    ...samples.map(([field, value]) => patch(`${path}?dryRun=All`, { [field]: value })),
    ...samples.map(([field, value]) => ({
      ...patch(`${path}/status?dryRun=All`, [{ op: "add", path: "/status", value: { [field]: value } }]),
      contentType: "application/json-patch+json",
    })),
    ...samples
      .filter(([field, value]) => (field !== "openDefault" || value !== null) && fieldAt(value, "apiVersion") !== null)
      .map(([field, value]) => apply(`${path}?dryRun=All`, "other&force=true", item(itemName, { [field]: value }))),
    post(`${at}?dryRun=All`, { ...item("new"), metadata: { name: "new", labels: null, annotations: { a: null } } }),
    put(path, item(itemName, { metadata: { name: itemName, labels: { a: null } }, text: null })),
  ];
}

/** Nulls of custom resources: dropped, replaced by defaults, kept or refused. */
export const nullCases: readonly ParityCase[] = [
  inNamespace("nulls of custom resources", (path) => {
    const at = path(`nullitems.${apiVersion}`);
    return [
      post(crds, definition),
      get(`${crds}/${name}`, isEstablished),
      ...exchangesWithNulls(at, "thing"),
      remove(`${crds}/${name}`),
      get(`${crds}/${name}`, isGone),
    ];
  }),
];
