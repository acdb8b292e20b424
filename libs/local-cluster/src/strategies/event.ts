import type { UnstructuredObject } from "@landscaper/api";
import { equalJson, fieldAt, recordAt, stringAt } from "../objects/json.ts";
import { pathSegmentProblems, qualifiedNameProblems } from "../objects/validate-names.ts";
import type { Strategy } from "../resources/resource-definition.ts";
import type { FieldError } from "../status/field-error.ts";
import { invalidField, requiredField } from "../status/field-error.ts";

/** Events, through either group. */
export const eventStrategy: Strategy = {
  allowsBareFinalizers: true,
  validateName: pathSegmentProblems,
  validate: validatePlace,
};

/** Events through their own group: more is required, and almost nothing changes. */
export const currentEventStrategy: Strategy = {
  validate: (event, old) => [
    ...(stringAt(event, "involvedObject", "namespace") === "" ? validatePlace(event) : []),
    ...(stringAt(event, "eventTime") === "" && old !== undefined ? [] : validateCurrent(event, old === undefined)),
    ...(old === undefined || stringAt(old, "eventTime") === "" ? [] : validateUnchanged(event, old)),
  ],
};

/** An event is in the namespace of its object; those of objects without one are in the default one. */
function validatePlace(event: UnstructuredObject): FieldError[] {
  const involved = stringAt(event, "involvedObject", "namespace");
  const { namespace = "" } = event.metadata;
  const isRight = involved === "" ? ["default", "kube-system", ""].includes(namespace) : involved === namespace;
  return isRight ? [] : [invalidField("involvedObject.namespace", involved, "does not match event.namespace")];
}

/** Text fields in the words of the stored form and of the error. */
const texts = [
  ["reportingInstance", 128],
  ["action", 128],
  ["reason", 128],
] as const;

const longestNote = 1024;

function validateCurrent(event: UnstructuredObject, isNew: boolean): FieldError[] {
  const errors: FieldError[] = [];
  if (isNew && stringAt(event, "eventTime") === "") errors.push(requiredField("eventTime"));
  const controller = stringAt(event, "reportingComponent");
  if (controller === "") errors.push(requiredField("reportingController"));
  errors.push(
    ...qualifiedNameProblems(controller).map((problem) => invalidField("reportingController", controller, problem)),
  );
  for (const [field, limit] of texts) {
    const value = stringAt(event, field);
    if (value === "") errors.push(requiredField(field));
    if (value.length > limit) errors.push(invalidField(field, "", `can have at most ${limit} characters`));
  }
  if (Buffer.byteLength(stringAt(event, "message")) > longestNote) {
    errors.push(invalidField("message", "", `can have at most ${longestNote} characters`));
  }
  const type = stringAt(event, "type");
  if (!["Normal", "Warning"].includes(type)) errors.push(invalidField("type", "", `has invalid value: ${type}`));
  const series = fieldAt(event, "series");
  if (series !== undefined) {
    const { lastObservedTime, count } = recordAt({ series }, "series");
    if (typeof count !== "number" || count < 2) errors.push(invalidField("series.count", "", "should be at least 2"));
    if (typeof lastObservedTime !== "string") errors.push(requiredField("series.lastObservedTime"));
  }
  for (const field of ["count", "firstTimestamp", "lastTimestamp"]) {
    if (isNew && (fieldAt(event, field) ?? 0) !== 0) errors.push(invalidField(field, "", "needs to be unset"));
  }
  return errors;
}

/** Fields of the stored form, and how the real server prints them. */
const immutable: readonly (readonly [field: string, printed: string])[] = [
  ["involvedObject", "involvedObject"],
  ["reason", "reason"],
  ["message", "message"],
  ["source", "source"],
  ["firstTimestamp", "firstTimestamp"],
  ["lastTimestamp", "lastTimestamp"],
  ["count", "count"],
  ["type", "type"],
  ["eventTime", "eventTime"],
  ["action", "action"],
  ["related", "related"],
  ["reportingComponent", "reportingController"],
  ["reportingInstance", "reportingInstance"],
];

function validateUnchanged(event: UnstructuredObject, old: UnstructuredObject): FieldError[] {
  return immutable
    .filter(([field]) => !equalJson(event[field], old[field]))
    .map(([field, printed]) => invalidField(printed, event[field] ?? null, "field is immutable"));
}
