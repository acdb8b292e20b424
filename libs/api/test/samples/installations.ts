import type { ObjectMeta, UnstructuredObject } from "../../src/objects/kube-object.ts";
import { denied, sample, type BadObject, type GoodObject } from "./sample-object.ts";

const blueprint = { inline: { filesystem: { "blueprint.yaml": "kind: Blueprint\n" } } };

function installation(spec: Record<string, unknown>, metadata?: ObjectMeta): UnstructuredObject {
  return sample("Installation", { spec: { blueprint, ...spec } }, metadata);
}

function refused(name: string, object: UnstructuredObject, message: string): BadObject {
  return { name, object, code: 422, message: denied("installations", object.metadata.name ?? "sample", message) };
}

function withData(...data: unknown[]): UnstructuredObject {
  return installation({ imports: { data } });
}

function withTargets(...targets: unknown[]): UnstructuredObject {
  return installation({ imports: { targets } });
}

const dataSource = "exactly one of dataRef, secretRef and configMapRef must be set";
const targetSource = "exactly one of target, targets, targetListRef, targetMap and targetMapRef must be set";
const refName = "the name of secretRef and configMapRef must not be empty";
const mapKeys =
  "targetMap must have keys of at most 63 lower-case letters, digits, - and . that begin and end with a letter or digit, and names that are not empty";

const badNames: readonly BadObject[] = [
  refused(
    "a name of 59 characters",
    installation({}, { name: "a".repeat(59) }),
    "metadata.name: must have at most 58 characters",
  ),
  refused(
    "a name with dots",
    installation({}, { name: "a.b" }),
    "metadata.name: must be a DNS label: lower-case letters, digits and -, with a letter or digit at both ends",
  ),
  refused(
    "a generateName of 54 characters beside a name",
    installation({}, { name: "sample", generateName: "a".repeat(54) }),
    "metadata.generateName: must have at most 53 characters",
  ),
];

const badSources: readonly BadObject[] = [
  refused(
    "a blueprint that is neither inline nor referenced",
    installation({ blueprint: {} }),
    "spec.blueprint: exactly one of inline and ref must be set",
  ),
  refused(
    "a blueprint that is inline and referenced",
    installation({ blueprint: { ...blueprint, ref: { resourceName: "blueprint" } } }),
    "spec.blueprint: exactly one of inline and ref must be set",
  ),
  refused(
    "a component descriptor that is neither inline nor referenced",
    installation({ componentDescriptor: {} }),
    "spec.componentDescriptor: exactly one of inline and ref must be set",
  ),
  refused(
    "a component descriptor that is inline and referenced",
    installation({ componentDescriptor: { inline: {}, ref: { componentName: "a", version: "v1" } } }),
    "spec.componentDescriptor: exactly one of inline and ref must be set",
  ),
  {
    name: "no blueprint at all",
    object: sample("Installation", { spec: {} }),
    code: 422,
    message: 'Installation.landscaper.gardener.cloud "sample" is invalid: spec.blueprint: Required value',
  },
];

const badDataImports: readonly BadObject[] = [
  refused("a data import without source", withData({ name: "a" }), `spec.imports.data[a]: ${dataSource}`),
  refused(
    "a data import with an empty dataRef",
    withData({ name: "a", dataRef: "" }),
    `spec.imports.data[a]: ${dataSource}`,
  ),
  refused(
    "a data import with two sources",
    withData({ name: "a", dataRef: "x" }, { name: "b", dataRef: "x", secretRef: { name: "y" } }),
    `spec.imports.data[b]: ${dataSource}`,
  ),
  refused(
    "a data import from a Secret without name",
    withData({ name: "a", secretRef: { name: "" } }),
    `spec.imports.data[a]: ${refName}`,
  ),
  refused(
    "a data import from a ConfigMap without name",
    withData({ name: "a", configMapRef: { name: "", key: "k" } }),
    `spec.imports.data[a]: ${refName}`,
  ),
  refused(
    "a data import without name",
    withData({ name: "", dataRef: "x" }),
    "spec.imports: every data and target import must have a name",
  ),
  refused(
    "two data imports of one name",
    withData({ name: "a", dataRef: "x" }, { name: "b", dataRef: "x" }, { name: "b", dataRef: "y" }),
    "spec.imports: the name b must be unique among data and target imports",
  ),
];

const badTargetImports: readonly BadObject[] = [
  refused("a target import without source", withTargets({ name: "a" }), `spec.imports.targets[a]: ${targetSource}`),
  refused(
    "a target import with an empty list and a target",
    withTargets({ name: "a", target: "t", targets: [] }),
    `spec.imports.targets[a]: ${targetSource}`,
  ),
  refused(
    "a target import with a map and a reference to a list",
    withTargets({ name: "a", targetMap: {}, targetListRef: "l" }),
    `spec.imports.targets[a]: ${targetSource}`,
  ),
  refused(
    "a target list with an empty name",
    withTargets({ name: "a", targets: ["t", ""] }),
    "spec.imports.targets[a]: targets must be names that are not empty",
  ),
  refused(
    "a target list of numbers",
    withTargets({ name: "a", targets: [1] }),
    "spec.imports.targets[a]: targets must be names that are not empty",
  ),
  refused(
    "a target list of names and maps",
    withTargets({ name: "a", targets: ["t", { red: "u" }] }),
    "spec.imports.targets[a]: targets must be names that are not empty",
  ),
  refused(
    "a target map with an illegal key",
    withTargets({ name: "a", targetMap: { Red: "t" } }),
    `spec.imports.targets[a]: ${mapKeys}`,
  ),
  refused(
    "a target map with a key of 64 characters",
    withTargets({ name: "a", targetMap: { ["k".repeat(64)]: "t" } }),
    `spec.imports.targets[a]: ${mapKeys}`,
  ),
  refused(
    "a target map with an empty name",
    withTargets({ name: "a", targetMap: { red: "" } }),
    `spec.imports.targets[a]: ${mapKeys}`,
  ),
  refused(
    "a data import and a target import of one name",
    installation({ imports: { data: [{ name: "a", dataRef: "x" }], targets: [{ name: "a", target: "t" }] } }),
    "spec.imports: the name a must be unique among data and target imports",
  ),
];

function withExports(exports: Record<string, unknown>): UnstructuredObject {
  return installation({ exports });
}

const badExports: readonly BadObject[] = [
  refused(
    "a data export without name",
    withExports({ data: [{ name: "", dataRef: "x" }] }),
    "spec.exports.data: every export must have a name and a dataRef",
  ),
  refused(
    "a data export with an empty dataRef",
    withExports({ data: [{ name: "a", dataRef: "" }] }),
    "spec.exports.data: every export must have a name and a dataRef",
  ),
  refused(
    "a target export with an empty target",
    withExports({ targets: [{ name: "a", target: "" }] }),
    "spec.exports.targets: every export must have a name and a target",
  ),
  refused(
    "two data exports of one name",
    withExports({
      data: [
        { name: "a", dataRef: "x" },
        { name: "a", dataRef: "y" },
      ],
    }),
    "spec.exports.data: the name a must be unique",
  ),
  refused(
    "two target exports of one name",
    withExports({
      targets: [
        { name: "a", target: "x" },
        { name: "a", target: "y" },
      ],
    }),
    "spec.exports.targets: the name a must be unique",
  ),
  {
    name: "a data export without dataRef",
    object: withExports({ data: [{ name: "a" }] }),
    code: 422,
    message: 'Installation.landscaper.gardener.cloud "sample" is invalid: spec.exports.data[0].dataRef: Required value',
  },
];

const badChanges: readonly BadObject[] = [
  {
    ...refused(
      "a good Installation that becomes a bad one",
      installation({ blueprint: {} }),
      "spec.blueprint: exactly one of inline and ref must be set",
    ),
    before: installation({}),
  },
];

export const badInstallations: readonly BadObject[] = [
  ...badNames,
  ...badSources,
  ...badDataImports,
  ...badTargetImports,
  ...badExports,
  ...badChanges,
];

export const goodInstallations: readonly GoodObject[] = [
  { name: "an Installation with an inline blueprint only", object: installation({}) },
  { name: "an Installation with a name of 58 characters", object: installation({}, { name: "a".repeat(58) }) },
  { name: "an Installation with a generated name", object: installation({}, { generateName: `${"a".repeat(52)}-` }) },
  { name: "an Installation with an empty target list", object: withTargets({ name: "a", targets: [] }) },
  { name: "an Installation with an empty target map", object: withTargets({ name: "a", targetMap: {} }) },
  {
    name: "an Installation with a target map in the seed's form",
    object: withTargets({ name: "a", targets: [{ red: "t1" }, { blue: "t2" }] }),
  },
  {
    name: "an Installation with every field of the spec",
    object: installation({
      context: "default",
      verification: { signatureName: "s" },
      componentDescriptor: {
        ref: { repositoryContext: { type: "ociRegistry", baseUrl: "r" }, componentName: "c", version: "v1" },
      },
      blueprint: { ref: { resourceName: "blueprint" } },
      imports: {
        data: [
          { name: "a", dataRef: "#x", version: "v1" },
          { name: "b", secretRef: { name: "s", key: "k" } },
          { name: "c", configMapRef: { name: "m" } },
        ],
        targets: [
          { name: "d", target: "#t" },
          { name: "e", targets: ["t", "u"] },
          { name: "f", targetListRef: "l" },
          { name: "g", targetMap: { red: "t", "b.l-u.e": "u" } },
          { name: "h", targetMapRef: "m" },
        ],
      },
      importDataMappings: { a: "(( b ))", c: { d: [1, true, null] } },
      exports: { data: [{ name: "a", dataRef: "x" }], targets: [{ name: "a", target: "t" }] },
      exportDataMappings: { a: ["(( b ))"] },
      automaticReconcile: {
        succeededReconcile: { interval: "24h", cronSpec: "0 * * * *" },
        failedReconcile: { numberOfReconciles: 3, interval: "5m", cronSpec: "0 * * * *" },
      },
      optimization: { hasNoSiblingImports: true, hasNoSiblingExports: false },
    }),
  },
];
