import { annotations } from "../objects/annotations.ts";
import { conditionTypes, setCondition } from "../objects/conditions.ts";
import { LandscaperError } from "../errors/error.ts";
import type { Condition } from "../schema/schema-fields.ts";
import { describeIgnoredField, type IgnoredField } from "../schema/ignored-fields.ts";

/** What becomes of fields that nobody knows: nothing, a warning, or the end of the job before its first write. As the API server has it. */
export const fieldValidations = ["Ignore", "Warn", "Strict"] as const;
export type FieldValidation = (typeof fieldValidations)[number];

/** Something that is accepted although it may not be meant so. */
export interface Warning {
  /** A word for machines: `UnknownField`, or what else there is to say. */
  readonly reason: string;
  /** Names the place and what was found, without values. */
  readonly message: string;
}

const unknownField = "UnknownField";
/** Reason: a List within a List. */
export const nestedList = "NestedList";
/** Reason: an object that is given twice with different content. */
export const duplicateObject = "DuplicateObject";
/** Reason: an execution renders more than one YAML document. */
export const furtherDocument = "FurtherDocument";
/** Reason: a mapping of a YAML file has a key more than once. */
export const repeatedKey = "RepeatedKey";
/** Reasons of warnings that `Strict` makes errors. */
const refusedReasons: ReadonlySet<string> = new Set([
  unknownField,
  nestedList,
  duplicateObject,
  furtherDocument,
  repeatedKey,
]);
const withoutEffect = "WithoutEffect";
/** More do not fit into a message that is read. */
const maxListed = 10;

/** `where` names the object that the fields are in, such as "blueprint/blueprint.yaml". */
export function warnOfIgnoredFields(where: string, fields: readonly IgnoredField[]): readonly Warning[] {
  return fields.map((field) => ({
    reason: field.why === undefined ? unknownField : withoutEffect,
    message: `${where}: ${describeIgnoredField(field)}`,
  }));
}

/** What an object says, or else the configuration; a word that is none of the three is a warning, and counts as if it were not there. */
export function fieldValidationOf(
  { annotations: own = {} }: { readonly annotations?: Readonly<Record<string, string>> | undefined },
  configured: FieldValidation,
): { readonly fieldValidation: FieldValidation; readonly warnings: readonly Warning[] } {
  const wanted = own[annotations.fieldValidation];
  const known = fieldValidations.find((each) => each === wanted);
  if (wanted === undefined || known !== undefined) return { fieldValidation: known ?? configured, warnings: [] };
  const message = `annotation ${annotations.fieldValidation}: expected ${fieldValidations.join(", ")}, found ${JSON.stringify(wanted.slice(0, 20))}`;
  return { fieldValidation: configured, warnings: [{ reason: "InvalidAnnotation", message }] };
}

/**
 * The warnings that are to be told. Where they are refused, throws a LandscaperError for unknown fields (`UnknownFields`), and for manifests that may not be
 * meant so (`StrictValidation`).
 */
export function judgeWarnings(warnings: readonly Warning[], fieldValidation: FieldValidation): readonly Warning[] {
  const refused = warnings.filter(({ reason }) => refusedReasons.has(reason));
  if (fieldValidation === "Strict" && refused.length > 0) {
    throw new LandscaperError({
      message: listMessages(refused),
      reason: refused.some(({ reason }) => reason === unknownField) ? "UnknownFields" : "StrictValidation",
      codes: ["ERR_CONFIGURATION_PROBLEM"],
      retry: "never",
      hint: `correct what the message names, or set the annotation ${annotations.fieldValidation}: Warn on the root Installation`,
    });
  }
  return fieldValidation === "Ignore" ? warnings.filter(({ reason }) => reason !== unknownField) : warnings;
}

function listMessages(warnings: readonly Warning[]): string {
  const messages = [...new Set(warnings.map(({ message }) => message))];
  const more = messages.length - maxListed;
  return [...messages.slice(0, maxListed), ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}

/** Conditions with one of the type `Warnings` that lists them; without any, there is none. The list itself when nothing changes. */
export function setWarnings(
  conditions: readonly Condition[] | undefined,
  warnings: readonly Warning[],
  now: Date,
): readonly Condition[] {
  const type = conditionTypes.warnings;
  const list = conditions ?? [];
  if (warnings.length === 0)
    return list.some((each) => each.type === type) ? list.filter((each) => each.type !== type) : list;
  const reasons = new Set(warnings.map(({ reason }) => reason));
  const [reason = "Warnings"] = reasons.size === 1 ? reasons : ["Warnings"];
  return setCondition(list, { type, status: "True", reason, message: listMessages(warnings) }, now);
}

/** Whether the condition lists them, perhaps among others. */
export function hasWarnings(conditions: readonly Condition[], warnings: readonly Warning[]): boolean {
  const { message = "" } = conditions.find(({ type }) => type === conditionTypes.warnings) ?? {};
  return warnings.slice(0, maxListed).every((warning) => message.includes(warning.message));
}

/** What is to be told of a status: the warnings that the one before did not have. undefined for nothing. */
export function findNewWarnings(
  current: readonly Condition[] | undefined,
  previous: readonly Condition[] | undefined,
): Warning | undefined {
  const find = (conditions: readonly Condition[] = []) =>
    conditions.find(({ type }) => type === conditionTypes.warnings);
  const found = find(current);
  if (found === undefined || found.message === find(previous)?.message) return undefined;
  return { reason: found.reason, message: found.message };
}
