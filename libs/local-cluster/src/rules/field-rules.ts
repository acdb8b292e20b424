import { equalJson, isNumeric, isRecord, listAt, recordAt } from "../objects/json.ts";
import {
  dnsLabelProblems,
  dnsSubdomainProblems,
  labelValueProblems,
  qualifiedNameProblems,
} from "../objects/validate-names.ts";
import { parseQuantity } from "../builtin-types/quantity.ts";
import type { FieldError } from "../status/field-error.ts";
import { duplicateField, invalidField, requiredField, unsupportedField } from "../status/field-error.ts";

export type Owner = Readonly<Record<string, unknown>>;

/** Checks one field of a struct. `value` is undefined if the field is absent; `owner` is the struct that has it. */
export type FieldRule = (value: unknown, at: string, owner: Owner) => readonly FieldError[];

/** Whether a decoded value counts as absent. An empty string, list or map does. */
export function isAbsent(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0;
}

/** Returns a decoded scalar as a string; "" if the value is absent or not a scalar. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return isNumeric(value) || typeof value === "boolean" ? `${value}` : "";
}

export function required(detail = ""): FieldRule {
  return (value, at) => (isAbsent(value) ? [requiredField(at, detail)] : []);
}

/** Applies all rules, in order. */
export function all(...rules: readonly FieldRule[]): FieldRule {
  return (value, at, owner) => rules.flatMap((rule) => rule(value, at, owner));
}

/** Applies the rules in order, and stops after the first one that finds an error. */
export function firstOf(...rules: readonly FieldRule[]): FieldRule {
  return (value, at, owner) => {
    for (const rule of rules) {
      const errors = rule(value, at, owner);
      if (errors.length > 0) return errors;
    }
    return [];
  };
}

/** Applies the rule only to fields that are set. */
export function optional(rule: FieldRule): FieldRule {
  return (value, at, owner) => (isAbsent(value) ? [] : rule(value, at, owner));
}

/** Applies the rule to each item of a list. */
export function each(rule: FieldRule): FieldRule {
  return (value, at, owner) =>
    Array.isArray(value) ? value.flatMap((item: unknown, i) => rule(item, `${at}[${i}]`, owner)) : [];
}

/** Requires a string that is set to be one of the values. */
export function oneOf(...values: readonly string[]): FieldRule {
  return (value, at) =>
    typeof value !== "string" || value === "" || values.includes(value) ? [] : [unsupportedField(at, value, values)];
}

/** Requires one of the values. An absent string is an unsupported value, too. */
export function exactlyOneOf(...values: readonly string[]): FieldRule {
  return (value, at) => {
    const text = typeof value === "string" ? value : "";
    return values.includes(text) ? [] : [unsupportedField(at, text, values)];
  };
}

export function requiredOneOf(...values: readonly string[]): FieldRule {
  return firstOf(required(), oneOf(...values));
}

export function atLeast(least: number): FieldRule {
  return (value, at) =>
    isNumeric(value) && value < least ? [invalidField(at, value, `must be greater than or equal to ${least}`)] : [];
}

export function moreThan(least: number): FieldRule {
  return (value, at) =>
    isNumeric(value) && value <= least ? [invalidField(at, value, `must be greater than ${least}`)] : [];
}

export function between(least: number, most: number): FieldRule {
  return (value, at) =>
    isNumeric(value) && (value < least || value > most)
      ? [invalidField(at, value, `must be between ${least} and ${most}, inclusive`)]
      : [];
}

/** A port number; an absent one is 0. */
export const port: FieldRule = (value, at, owner) => between(1, 65_535)(value ?? 0, at, owner);

function byProblems(find: (value: string) => readonly string[]): FieldRule {
  return (value, at) =>
    typeof value === "string" ? find(value).map((problem) => invalidField(at, value, problem)) : [];
}

export const dnsLabel = byProblems(dnsLabelProblems);
export const dnsSubdomain = byProblems(dnsSubdomainProblems);
export const qualifiedName = byProblems(qualifiedNameProblems);
export const labelValue = byProblems(labelValueProblems);

/** A port number, or the name of a port. */
export const portOrName: FieldRule = (value, at, owner) =>
  typeof value === "string" ? byProblems(portNameProblems)(value, at, owner) : port(value, at, owner);

/** Models apimachinery/pkg/util/validation IsValidPortName. */
export function portNameProblems(name: string): string[] {
  const problems: string[] = [];
  if (name.length > 15) problems.push("must be no more than 15 characters");
  if (!/^[-a-z0-9]+$/.test(name))
    problems.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  if (!/[a-z]/.test(name)) problems.push("must contain at least one letter (a-z)");
  if (name.includes("--")) problems.push("must not contain consecutive hyphens");
  if (name.startsWith("-") || name.endsWith("-")) problems.push("must not begin or end with a hyphen");
  return problems;
}

export const portName = byProblems(portNameProblems);

/** Keys and values of labels, as a map. */
export const labels: FieldRule = (value, at) =>
  isRecord(value)
    ? Object.entries(value).flatMap(([key, label]) => [
        ...qualifiedNameProblems(key).map((problem) => invalidField(at, key, problem)),
        ...labelValueProblems(textOf(label)).map((problem) => invalidField(at, label, problem)),
      ])
    : [];

/** Requires unique items of a list, or unique values of `field` in its items. */
export function unique(field?: string): FieldRule {
  return (value, at) => {
    const seen: unknown[] = [];
    return listAt(value).flatMap((item, i) => {
      const key = field === undefined ? item : isRecord(item) ? item[field] : undefined;
      const place = field === undefined ? `${at}[${i}]` : `${at}[${i}].${field}`;
      const isNew = isAbsent(key) || !seen.some((other) => equalJson(other, key));
      seen.push(key);
      return isNew ? [] : [duplicateField(place, key)];
    });
  };
}

/** Applies rules to the fields of a struct that has no entry in the rule table. */
export function struct(fields: Readonly<Record<string, FieldRule>>): FieldRule {
  const entries = Object.entries(fields);
  return (value, at) => {
    const owner = recordAt(value);
    return entries.flatMap(([field, rule]) => rule(owner[field], `${at}.${field}`, owner));
  };
}

/** Moves the errors of a rule: `to` replaces the last field of their path. */
export function printedAs(to: string, rule: FieldRule): FieldRule {
  return (value, at, owner) => rule(value, at.replace(/[^.]*$/, to), owner);
}

export function matches(pattern: RegExp, detail: string): FieldRule {
  return (value, at) => (typeof value === "string" && !pattern.test(value) ? [invalidField(at, value, detail)] : []);
}

/** A number, or a percentage as "25%"; `most` limits percentages. */
export function numberOrPercent(most = Number.POSITIVE_INFINITY): FieldRule {
  return (value, at) => {
    if (isNumeric(value)) {
      return value < 0 ? [invalidField(at, value, "must be greater than or equal to 0")] : [];
    }
    if (typeof value !== "string") return [];
    const percent = /^([0-9]+)%$/.exec(value)?.[1];
    if (percent === undefined) {
      const text =
        "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
      return [invalidField(at, value, text)];
    }
    return Number(percent) > most ? [invalidField(at, value, `must not be greater than ${most}%`)] : [];
  };
}

/** Requires a quantity that is not negative. `toError` creates the error. */
export function amountAs(toError: (at: string, detail: string) => FieldError, detail: string): FieldRule {
  return (value, at) => (typeof value === "string" && parseQuantity(value) < 0n ? [toError(at, detail)] : []);
}
