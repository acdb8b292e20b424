import { isJsonObject } from "../json-value.ts";
import { groupOf } from "../cluster/resource-reference.ts";
import { describeType, type ManifestProblem } from "./check-manifest.ts";

/** Fields that hold strings, as parts of their path: "*" stands for each value of a map, "[]" for each entry of a list. */
type TextField = readonly string[];

const toField = (path: string): TextField => path.split(".");

const metadataFields = ["metadata.labels.*", "metadata.annotations.*"];
const containerFields = ["containers", "initContainers", "ephemeralContainers"].flatMap((list) =>
  ["env.[].value", "command.[]", "args.[]"].map((field) => `${list}.[].${field}`),
);
const podFields = ["nodeSelector.*", ...containerFields].map((field) => `spec.${field}`);
const templateFields = (path: string): string[] => [...metadataFields, ...podFields].map((field) => `${path}.${field}`);
const workloadFields = [...templateFields("spec.template"), "spec.selector.matchLabels.*"];

/** Kinds of Kubernetes by group: the API server refuses other values in these fields in every version. */
const fieldsByKind: Readonly<Record<string, readonly string[]>> = {
  "/ConfigMap": ["data.*", "binaryData.*"],
  "/Secret": ["data.*", "stringData.*"],
  "/Service": ["spec.selector.*"],
  "/Pod": podFields,
  "/ReplicationController": [...templateFields("spec.template"), "spec.selector.*"],
  "apps/DaemonSet": workloadFields,
  "apps/Deployment": workloadFields,
  "apps/ReplicaSet": workloadFields,
  "apps/StatefulSet": workloadFields,
  "batch/Job": workloadFields,
  "batch/CronJob": templateFields("spec.jobTemplate.spec.template"),
  "networking.k8s.io/NetworkPolicy": ["spec.podSelector.matchLabels.*"],
  "policy/PodDisruptionBudget": ["spec.selector.matchLabels.*"],
};

const textFields: ReadonlyMap<string, readonly TextField[]> = new Map(
  Object.entries(fieldsByKind).map(([kind, fields]) => [kind, [...metadataFields, ...fields].map(toField)]),
);

/** Finds values in an object of Kubernetes that must be strings and are not. null stands for an absent value. Paths begin at the root of the object. Pure. */
export function findTextProblems(object: unknown): readonly ManifestProblem[] {
  if (!isJsonObject(object)) return [];
  const { apiVersion, kind } = object;
  if (typeof apiVersion !== "string" || typeof kind !== "string") return [];
  const fields = textFields.get(`${groupOf(apiVersion)}/${kind}`) ?? [];
  return fields.flatMap((field) => findAt(object, field, ""));
}

function findAt(value: unknown, [part, ...rest]: TextField, path: string): ManifestProblem[] {
  if (value === undefined || value === null) return [];
  if (part === undefined) {
    return typeof value === "string" ? [] : [{ path, expected: "a string", found: describeType(value) }];
  }
  if (part === "[]") {
    return Array.isArray(value) ? value.flatMap((each: unknown, index) => findAt(each, rest, `${path}[${index}]`)) : [];
  }
  if (!isJsonObject(value)) return [];
  const keys = part === "*" ? Object.keys(value) : [part];
  return keys.flatMap((key) => findAt(value[key], rest, path === "" ? key : `${path}.${key}`));
}

const maxNamedProblems = 5;

/** Names problems of an object, at most five, and what the user can do. */
export function describeTextProblems(problems: readonly ManifestProblem[]): {
  readonly text: string;
  readonly hint: string;
} {
  const named = problems
    .slice(0, maxNamedProblems)
    .map(({ path, expected, found }) => `${path}: expected ${expected}, found ${found}`);
  const more = problems.length - named.length;
  const isScalar = problems.every(({ found }) => found === "a number" || found === "a boolean");
  const value = problems.length === 1 ? "value" : "values";
  return {
    text: [...named, ...(more > 0 ? [`and ${more} more`] : [])].join("; "),
    hint: isScalar ? `quote the ${value}` : `write the ${value} as text, for example behind "|"`,
  };
}
