import { Type, type Static, type TProperties, type TSchema } from "typebox";
import { zeroIsAbsentKeyword } from "./absent-fields.ts";
import { withoutEffectKeyword } from "./ignored-fields.ts";

/** Kubernetes keeps fields below such a node that no schema names. */
const preserve = { "x-kubernetes-preserve-unknown-fields": true } as const;

/** Any JSON value, kept as it is. */
export function anyJson(description: string) {
  return Type.Unknown({ ...preserve, description });
}

/** Any JSON object, kept as it is. */
export function anyObject(description: string) {
  return Type.Record(Type.String(), Type.Unknown(), { ...preserve, description });
}

/** A whole object inside another: apiVersion and kind are required, everything is kept. */
export function embeddedObject(description: string) {
  return Type.Record(Type.String(), Type.Unknown(), {
    ...preserve,
    "x-kubernetes-embedded-resource": true,
    description,
  });
}

export function text(description: string) {
  return Type.String({ description });
}

export function flag(description: string) {
  return Type.Boolean({ description });
}

/** RFC 3339. */
export function time(description: string) {
  return Type.String({ format: "date-time", description });
}

export function int64(description: string) {
  return Type.Integer({ format: "int64", description });
}

export function int32(description: string) {
  return Type.Integer({ format: "int32", description });
}

/** Go duration text such as "1h30m", or "none" for 0 (`parseDuration`). */
export function duration(description: string) {
  return Type.String({ description: `${description} Go duration such as 1h30m, or none.` });
}

export function list<T extends TSchema>(items: T, description: string) {
  return Type.Array(items, { description });
}

export function mapOf<T extends TSchema>(values: T, description: string) {
  return Type.Record(Type.String(), values, { description });
}

export function object<T extends TProperties>(fields: T, description: string) {
  return Type.Object(fields, { description });
}

export const optional = Type.Optional;

/** Reference to a namespaced object; deployers read it in their own object's namespace. */
export const objectRefSchema = object(
  { name: text("Name of the object."), namespace: optional(text("Namespace of the object.")) },
  "Reference to an object.",
);
export type ObjectRef = Static<typeof objectRefSchema>;

/** Reference into a Secret or ConfigMap of the same namespace; without key it means all entries. */
export const localRefSchema = object(
  { name: text("Name of the object."), key: optional(text("Entry to use; all entries when absent.")) },
  "Reference to an object of the same namespace.",
);
export type LocalRef = Static<typeof localRefSchema>;

/** Reference to any object of a target cluster (deployers.md §2). */
export const typedObjectRefSchema = object(
  {
    apiVersion: text("API version of the object."),
    kind: text("Kind of the object."),
    name: optional(text("Name of the object.")),
    namespace: optional(text("Namespace of the object.")),
  },
  "Reference to an object of the target cluster.",
);
export type TypedObjectRef = Static<typeof typedObjectRefSchema>;

/** Shape of lastError (core.md §2.9). */
export const errorStatusSchema = object(
  {
    operation: text("What was being done."),
    lastTransitionTime: time("When the operation changed last."),
    lastUpdateTime: time("When anything of the error changed last."),
    reason: text("One word for machines."),
    message: text("For people."),
    codes: optional(list(Type.String(), "Codes that say how to go on, innermost first.")),
  },
  "An error of the last job.",
);
export type ErrorStatus = Static<typeof errorStatusSchema>;

export const conditionSchema = object(
  {
    type: text("Type of the condition."),
    status: text("True, False, Unknown or Progressing."),
    lastTransitionTime: time("When the status changed last."),
    lastUpdateTime: time("When anything of the condition changed last."),
    reason: text("One word for machines."),
    message: text("For people."),
    codes: optional(list(Type.String(), "Error codes.")),
    observedGeneration: optional(int64("Generation of the object that the condition speaks of.")),
  },
  "A condition of the object.",
);
export type Condition = Static<typeof conditionSchema>;

export const transitionTimesSchema = object(
  {
    triggerTime: optional(time("When the job was triggered.")),
    initTime: optional(time("When the work started.")),
    waitTime: optional(time("When waiting for sub-objects started.")),
    finishedTime: optional(time("When the job ended.")),
  },
  "Times of the last job.",
);
export type TransitionTimes = Static<typeof transitionTimesSchema>;

/** Fields of status that Installation, Execution and DeployItem share. */
export const jobStatusFields = {
  phase: optional(text("Where the job stands.")),
  jobID: optional(text("The job that is to be done; work is open while it differs from jobIDFinished.")),
  jobIDFinished: optional(text("The job that ended last.")),
  transitionTimes: optional(transitionTimesSchema),
  conditions: optional(list(conditionSchema, "Conditions.")),
  lastError: optional(errorStatusSchema),
};

/** An entry of the caches in which Executions and Installations keep what they have made. */
export const cachedNameFields = {
  specName: optional(text("Name of the template.")),
  objectName: optional(text("Name of the object.")),
};

export const onDeleteSchema = object(
  { skipUninstallIfClusterRemoved: optional(flag("Skip the uninstallation when the Gardener shoot is gone.")) },
  "What happens when the item is deleted.",
);

/** An object of which the API server requires `names`, and no other field: the original's CRDs differ there from what `T` says. */
export function serverRequires<T extends TSchema>(schema: T, names: readonly string[]) {
  return Type.Unsafe<Static<T>>({ ...schema, required: [...names] });
}

/** A field that is accepted, because the original has it, and has no effect; `why` is a part of a sentence. */
export function withoutEffect<T extends TSchema>(schema: T, why: string): T {
  return { ...schema, [withoutEffectKeyword]: why };
}

/** A field that is always there after parsing, because the parser fills in `value`. */
export function withDefault<T extends TSchema>(schema: T, value: Static<T> | Record<string, never>): T {
  return { ...schema, default: value };
}

/** A count of at least one; zero stands for the default, as for the original. */
export function countOr(value: number, description: string) {
  const options = { minimum: 0, default: value, description: `${description} 0 stands for the default.` };
  return Type.Integer({ ...options, [zeroIsAbsentKeyword]: true });
}

/** Options of an object of which exactly one of the named fields must be set; the parser's message names them. */
export function exactlyOne(...fields: readonly string[]) {
  return { oneOf: fields.map((field) => ({ required: [field] })) };
}
