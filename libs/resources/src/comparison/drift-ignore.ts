import type { UnstructuredObject } from "@landscaper/api";
import { cloneJson, cloneObject } from "@landscaper/patch";
import { defineField, isJsonObject, type JsonObject } from "../json-value.ts";

/** Fields that may differ from the manifest: somebody else sets them. */
export interface DriftIgnoreRule {
  /** Which objects; what is absent fits all. */
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** RFC 6901, e.g. `/spec/replicas`; "" is the whole object. */
  readonly jsonPointers: readonly string[];
}

/** The pointers of all rules that fit the object. */
export function ignoredPointers(live: UnstructuredObject, rules: readonly DriftIgnoreRule[]): string[] {
  return rules.filter((rule) => fits(rule, live)).flatMap(({ jsonPointers }) => jsonPointers);
}

function fits(rule: DriftIgnoreRule, { apiVersion, kind, metadata }: UnstructuredObject): boolean {
  const labels = Object.entries(rule.labels ?? {});
  return (
    (rule.apiVersion ?? apiVersion) === apiVersion &&
    (rule.kind ?? kind) === kind &&
    (rule.name ?? metadata.name) === metadata.name &&
    (rule.namespace ?? metadata.namespace) === metadata.namespace &&
    labels.every(([key, value]) => metadata.labels?.[key] === value)
  );
}

/**
 * The manifest with the fields at `pointers` as they are on the target, so that neither a comparison nor a correction touches
 * them. Pointers into lists only count where the manifest has the item.
 */
export function keepLiveFields(
  manifest: UnstructuredObject,
  live: UnstructuredObject,
  pointers: readonly string[],
): UnstructuredObject {
  const result = cloneObject(manifest);
  for (const pointer of pointers) keepField(result, live, parsePointer(pointer));
  return result;
}

function parsePointer(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function keepField(target: unknown, source: unknown, [step, ...rest]: readonly string[]): void {
  if (step === undefined) return;
  const value = memberOf(source, step);
  if (rest.length > 0) {
    if (memberOf(target, step) === undefined && isJsonObject(target) && isJsonObject(value))
      defineField(target, step, {});
    keepField(memberOf(target, step), value, rest);
  } else if (Array.isArray(target)) {
    if (memberOf(target, step) !== undefined && value !== undefined) target[Number(step)] = cloneJson(value);
  } else if (isJsonObject(target)) {
    if (value === undefined) Reflect.deleteProperty(target, step);
    else defineField(target, step, cloneJson(value));
  }
}

function memberOf(value: unknown, step: string): unknown {
  if (Array.isArray(value)) return /^\d+$/.test(step) ? (value as readonly unknown[])[Number(step)] : undefined;
  const map: JsonObject = isJsonObject(value) ? value : {};
  return Object.hasOwn(map, step) ? map[step] : undefined;
}
