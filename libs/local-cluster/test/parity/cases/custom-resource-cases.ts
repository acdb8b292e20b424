import { fieldAt } from "../../../src/objects/json.ts";
import type { Exchange, ParityCase } from "../exchange.ts";
import { get, patch, post, put, remove } from "../exchange.ts";
import { crds, isEstablished, isGone } from "./crd-exchanges.ts";
import { inNamespace } from "./namespaced-case.ts";

const name = "parityitems.parity.example.com";
const table = "application/json;as=Table;v=v1;g=meta.k8s.io";

const schema = {
  type: "object",
  required: ["spec"],
  properties: {
    spec: {
      type: "object",
      required: ["size"],
      properties: {
        size: { type: "integer", minimum: 1, maximum: 10 },
        color: { type: "string", enum: ["red", "green"], default: "red" },
        names: { type: "array", items: { type: "string", pattern: "^[a-z]+$" }, maxItems: 3 },
        open: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        note: { type: "string", nullable: true, maxLength: 5 },
      },
      "x-kubernetes-validations": [
        { rule: "!has(self.note) || self.note != 'no'", message: "note may not be no" },
        { rule: "self.size >= oldSelf.size", message: "size may not shrink" },
      ],
    },
    status: { type: "object", properties: { phase: { type: "string" }, count: { type: "integer" } } },
  },
};

const crd = (spec: Readonly<Record<string, unknown>> = {}): unknown => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name },
  spec: {
    group: "parity.example.com",
    scope: "Namespaced",
    names: { kind: "ParityItem", plural: "parityitems", shortNames: ["pi"], categories: ["all"] },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: schema },
        subresources: { status: {} },
        selectableFields: [{ jsonPath: ".spec.color" }],
        additionalPrinterColumns: [
          { name: "Size", type: "integer", jsonPath: ".spec.size" },
          { name: "Names", type: "string", jsonPath: ".spec.names", priority: 1 },
          { name: "Phase", type: "string", jsonPath: ".status.phase" },
          { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
        ],
      },
    ],
    ...spec,
  },
});

const item = (itemName: string, spec: unknown, rest: Readonly<Record<string, unknown>> = {}): unknown => ({
  apiVersion: "parity.example.com/v1",
  kind: "ParityItem",
  metadata: { name: itemName },
  ...(spec === undefined ? {} : { spec }),
  ...rest,
});

function writes(at: (rest?: string) => string): readonly Exchange[] {
  return [
    post(
      at(),
      item("a", { size: 2, unknown: 1, open: { any: { thing: [1] } } }, { status: { phase: "New" }, other: 1 }),
    ),
    post(at("?fieldValidation=Strict"), item("b", { size: 2, unknown: 1 }, { other: 1 })),
    post(at(), item("b", undefined)),
    post(at(), item("b", {})),
    post(at(), item("b", { size: 11 })),
    post(at(), item("b", { size: "2" })),
    post(at(), item("b", { size: 2, color: "blue", names: ["A", "b"] })),
    post(at(), item("b", { size: 2, names: ["a", "b", "c", "d"] })),
    post(at(), item("b", { size: 2, note: "toolong" })),
    post(at(), item("b", { size: 2, note: "no" })),
    post(at(), item("B", { size: 2 })),
    post(at(), { kind: "ParityItem", metadata: { name: "b" }, spec: { size: 2 } }),
    post(at(), { apiVersion: "parity.example.com/v1", metadata: { name: "b" }, spec: { size: 2 } }),
    post(at(), { apiVersion: "parity.example.com/v2", kind: "ParityItem", metadata: { name: "b" } }),
    post(at(), { apiVersion: "parity.example.com/v1", kind: "Other", metadata: { name: "b" } }),
    post(at(), item("b", { size: 3, note: null })),
    put(at("/b"), item("b", { size: 4 })),
    patch(at("/b"), { spec: { size: 5 }, status: { phase: "Ignored" } }),
    patch(at("/b"), { spec: { size: 4 } }),
    patch(at("/b"), { metadata: { labels: { x: "y" } } }),
    patch(at("/b"), { other: { x: "y" } }),
    patch(at("/b/status"), { spec: { size: 9 }, status: { phase: "Done" }, metadata: { labels: { z: "y" } } }),
    patch(at("/b/status"), { status: { count: "many" } }),
    patch(at("/b/status"), { status: null }),
    patch(at("/b"), { spec: null }),
    patch(at("/b"), {}, "application/strategic-merge-patch+json"),
    patch(at("/b"), [{ op: "add", path: "/metadata/annotations", value: { a: "b" } }], "application/json-patch+json"),
    patch(at("/b"), { metadata: { annotations: { "a b": "c" }, labels: { l: 1 } } }),
    patch(at("/b"), { metadata: { finalizers: ["bare"] } }),
    patch(at("/b"), { metadata: { finalizers: null } }),
    post(at(), item("c", { size: 1 }, { metadata: { name: "c", labels: { l: 1 } } })),
    post(at("?fieldValidation=Strict"), item("c", { size: 1 }, { metadata: { name: "c", lables: { l: 1 } } })),
  ];
}

function reads(at: (rest?: string) => string): readonly Exchange[] {
  return [
    get(at("/b")),
    get(at("/none")),
    get(at()),
    get(at("?fieldSelector=spec.color%3Dred")),
    get(at("?fieldSelector=spec.size%3D2")),
    get(at("?labelSelector=x%3Dy")),
    { method: "GET", path: at(), accept: table },
    { method: "GET", path: at("/b"), accept: table },
    get(at("/b/status")),
    get(at("/b/scale")),
    remove(at("/a")),
    get("/apis/parity.example.com"),
    get("/apis/parity.example.com/v1"),
  ];
}

/** Custom resources from their definition to its end. */
export const customResourceCases: readonly ParityCase[] = [
  inNamespace("custom resources", (path) => {
    const at = (rest = ""): string => path("parityitems.parity.example.com/v1", rest);
    return [
      post(crds, crd()),
      get(`${crds}/${name}`, isEstablished),
      // Discovery follows a moment later.
      get("/apis/parity.example.com/v1", (body) => fieldAt(body, "kind") === "APIResourceList"),
      get(at(), (body) => fieldAt(body, "kind") === "ParityItemList"),
      ...writes(at),
      ...reads(at),
      patch(`${crds}/${name}`, { metadata: { labels: { x: "y" } } }),
      patch(`${crds}/${name}`, { spec: { group: "other.example.com" } }),
      post(at(), item("held", { size: 1 }, { metadata: { name: "held", finalizers: ["example.com/f"] } })),
      remove(`${crds}/${name}`),
      get(at("/held"), (body) => fieldAt(body, "metadata", "deletionTimestamp") !== undefined),
      post(at(), item("late", { size: 1 })),
      patch(at("/held"), { metadata: { finalizers: null } }),
      get(`${crds}/${name}`, isGone),
      get(at(), (body) => typeof body === "string"),
    ];
  }),
  {
    name: "bad definitions",
    exchanges: [
      post(crds, { metadata: { name: "wrong" }, spec: (crd() as { spec: unknown }).spec }),
      post(crds, crd({ scope: "Galaxy" })),
      post(crds, crd({ versions: [] })),
      post(
        crds,
        crd({
          versions: [{ name: "v1", served: true, storage: false, schema: { openAPIV3Schema: { type: "object" } } }],
        }),
      ),
      post(crds, crd({ versions: [{ name: "v1", served: true, storage: true }] })),
      post(
        crds,
        crd({
          versions: [
            { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { properties: { a: {} } } } },
          ],
        }),
      ),
      post(
        crds,
        crd({
          versions: [
            {
              name: "v1",
              served: true,
              storage: true,
              schema: { openAPIV3Schema: { type: "object", "x-kubernetes-validations": [{ rule: "self.none" }] } },
            },
          ],
        }),
      ),
    ],
  },
];
