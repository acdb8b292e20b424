import { findBuiltinType } from "../../src/builtin-types/parse-builtin-types.ts";
import type { GoField, GoStruct, GoType } from "../../src/builtin-types/parse-builtin-types.ts";
import { isRecord } from "../../src/objects/json.ts";
import { borderValues } from "./border-values.ts";
import { enumValues } from "./enum-values.ts";
import type { Sample } from "./sample.ts";

export type Step = string | number;

/** One change of one field of a sample. */
export interface Change {
  /** E.g. `spec.replicas = -1`. */
  readonly title: string;
  readonly path: readonly Step[];
  /** Undefined: the field is removed. */
  readonly value: unknown;
  /** Value of a table; see `Sample.isFixed`. */
  readonly isListed?: boolean;
}

const badText = "Not_Valid!";

/** All changes of a sample, in a fixed order. */
export function generateChanges(sample: Sample): readonly Change[] {
  const struct = findBuiltinType(sample.apiVersion, sample.kind);
  if (struct === undefined) throw new Error(`${sample.kind}: no Go type`);
  const listed = listedChanges(struct, sample.content);
  const fields = [...listed, ...changesOfStruct(struct, sample.content, [])].filter(
    ({ path: [first] }) => first !== "metadata" && first !== "status",
  );
  const all = [...fields, ...labelChanges, ...(sample.hasMetadataChanges === true ? metadataChanges : [])];
  return [...new Map(all.map((each) => [each.title, each])).values()];
}

const labelChanges: readonly Change[] = [
  change(["metadata", "labels"], { "a/b/c": "x" }),
  change(["metadata", "labels"], { ok: badText }),
  change(["metadata", "finalizers"], ["bare"]),
];

const owner = { apiVersion: "v1", kind: "ConfigMap", name: "a", uid: "b" };

const metadataChanges: readonly Change[] = [
  change(["metadata", "labels"], { ["a".repeat(64)]: "x" }),
  change(["metadata", "labels"], { "example.com/a": "x".repeat(64) }),
  change(["metadata", "labels"], { "Example.com/a": "x" }),
  change(["metadata", "annotations"], { "a/b/c": "x" }),
  change(["metadata", "annotations"], { Upper: badText }),
  change(["metadata", "annotations"], { big: "x".repeat(300_000) }),
  change(["metadata", "finalizers"], ["example.com/fine"]),
  change(["metadata", "finalizers"], ["a b"]),
  ...["apiVersion", "kind", "name", "uid"].map((field) =>
    change(["metadata", "ownerReferences"], [{ ...owner, [field]: "" }]),
  ),
  change(
    ["metadata", "ownerReferences"],
    [
      { ...owner, controller: true },
      { ...owner, uid: "c", controller: true },
    ],
  ),
  change(["metadata", "ownerReferences"], [{ ...owner, kind: "Event" }]),
];

function change(path: readonly Step[], value: unknown, what?: string): Change {
  const place = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
  const text = what ?? (value === undefined ? "removed" : `= ${shorten(JSON.stringify(value))}`);
  return { title: `${place.slice(1)} ${text}`, path, value };
}

function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 60)}... (${text.length})` : text;
}

function changesOfStruct(struct: GoStruct, value: Readonly<Record<string, unknown>>, path: readonly Step[]): Change[] {
  return [...struct.byName.values()].flatMap((field) => {
    const at = [...path, field.json];
    const content = value[field.json];
    return content === undefined ? changesOfAbsent(field, at) : changesOfValue(field.type, content, at);
  });
}

/** Changes to the values of the tables, at the first place of each field: its rules are the same at all others. */
function listedChanges(root: GoStruct, content: Readonly<Record<string, unknown>>): Change[] {
  const known = new Set<string>();
  const ofStruct = (struct: GoStruct, value: Readonly<Record<string, unknown>>, path: readonly Step[]): Change[] =>
    [...struct.byName.values()].flatMap((field) => {
      const at = [...path, field.json];
      const name = `${struct.name}.${field.json}`;
      const values = known.has(name) ? [] : listedValues(struct, field, at);
      known.add(name);
      return [
        ...values.map((other) => ({ ...change(at, other), isListed: true })),
        ...ofType(field.type, value[field.json], at),
      ];
    });
  const ofType = (type: GoType, value: unknown, path: readonly Step[]): Change[] => {
    if (type.kind === "struct") return isRecord(value) ? ofStruct(type.struct, value, path) : [];
    if (type.kind !== "list" || !Array.isArray(value)) return [];
    return value.flatMap((item: unknown, i) => ofType(type.item, item, [...path, i]));
  };
  return ofStruct(root, content, []);
}

/** Templates have the fields of pods and claims, whose own samples get all values. */
const templates: ReadonlySet<Step> = new Set(["template", "jobTemplate", "volumeClaimTemplates"]);

/** Values of the tables for a field. */
function listedValues(struct: GoStruct, { json, type }: GoField, path: readonly Step[]): readonly unknown[] {
  if (path.some((step) => templates.has(step))) return [];
  const scalar = type.kind === "list" ? type.item : type;
  const values = [
    ...(scalar.kind === "scalar" ? (enumValues[scalar.name] ?? []) : []),
    ...(borderValues[`${struct.name}.${json}`] ?? []),
  ];
  return type.kind === "list" ? values.map((value) => [value]) : values;
}

/** A field that the sample does not have: a value that is mostly wrong. */
function changesOfAbsent({ type }: GoField, path: readonly Step[]): Change[] {
  return absentValues(type).map((value) => change(path, value));
}

function absentValues(type: GoType): readonly unknown[] {
  switch (type.kind) {
    case "list": {
      const [first] = absentValues(type.item);
      return first === undefined ? [] : [[first]];
    }
    case "map":
      return [{ "a/b/c": type.value.kind === "scalar" ? scalarSample(type.value.scalar) : {} }];
    case "struct":
      return [{}];
    case "scalar":
      return scalarValues(type.scalar);
  }
}

function scalarSample(scalar: string): unknown {
  return scalarValues(scalar)[0];
}

function scalarValues(scalar: string): readonly unknown[] {
  switch (scalar) {
    case "string":
      return [badText];
    case "int32":
    case "int64":
      return [-1, 7];
    case "bool":
      return [true];
    case "intOrString":
      return [-1, "150%"];
    case "quantity":
      return ["-1"];
    default:
      return [];
  }
}

function changesOfValue(type: GoType, value: unknown, path: readonly Step[]): Change[] {
  const removed = change(path, undefined);
  switch (type.kind) {
    case "scalar":
      return [removed, ...otherScalars(type.scalar, value).map((other) => change(path, other))];
    case "struct":
      return [removed, change(path, {}), ...(isRecord(value) ? changesOfStruct(type.struct, value, path) : [])];
    case "list": {
      const items: readonly unknown[] = Array.isArray(value) ? value : [];
      return [
        removed,
        change(path, [...items, items[0]], "with its first item twice"),
        ...(items.length > 1 ? [change(path, items.slice(1), "without its first item")] : []),
        ...items.flatMap((item, i) => changesOfValue(type.item, item, [...path, i])),
      ].filter(({ path: at, value: to }) => to !== undefined || typeof at.at(-1) !== "number");
    }
    case "map": {
      const entries = isRecord(value) ? Object.entries(value) : [];
      const sampleOf = entries[0]?.[1];
      return [
        removed,
        change([...path, "a/b/c"], sampleOf),
        change([...path, "other"], sampleOf),
        ...entries.flatMap(([key, item]) => changesOfValue(type.value, item, [...path, key])),
      ];
    }
  }
}

function otherScalars(scalar: string, value: unknown): readonly unknown[] {
  switch (scalar) {
    case "string":
      return ["", badText, "other"];
    case "int32":
    case "int64":
      return [-1, 0, Number(value) + 1, 100_000];
    case "bool":
      return [value !== true];
    case "intOrString":
      return [-1, 0, 100_000, "150%", "other", badText];
    case "quantity":
      return ["-1", "0", "1k"];
    case "bytes":
      return ["eHg="];
    default:
      return [];
  }
}
