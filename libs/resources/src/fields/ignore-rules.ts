import type { UnstructuredObject } from "@landscaper/api";
import { fieldAt } from "../json-value.ts";
import { valueAt, type KeptField } from "./kept-field.ts";

/** Fields that other clients set. */
export interface IgnoreRule {
  /** Selects objects; an absent field matches all. */
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  /** Labels of the object on the target. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** RFC 6901, such as `/spec/replicas`; "" is the whole object. */
  readonly jsonPointers: readonly string[];
}

/** An object in the manifest and on the target. */
export interface ObjectPair {
  readonly manifest: UnstructuredObject;
  readonly live: UnstructuredObject;
}

/** Returns the fields of all rules that match the object on the target. */
export function ignoredFields({ manifest, live }: ObjectPair, rules: readonly IgnoreRule[]): KeptField[] {
  return rules
    .filter((rule) => mayFit(rule, live) && hasLabels(rule, live))
    .flatMap(({ jsonPointers }) => jsonPointers)
    .flatMap((pointer) => fieldOf({ manifest, live }, pointer) ?? []);
}

/** Whether the rule matches, except for its labels, which only the live object shows. */
export function mayFit(rule: IgnoreRule, { apiVersion, kind, metadata }: UnstructuredObject): boolean {
  return (
    (rule.apiVersion ?? apiVersion) === apiVersion &&
    (rule.kind ?? kind) === kind &&
    (rule.name ?? metadata.name) === metadata.name &&
    (rule.namespace ?? metadata.namespace) === metadata.namespace
  );
}

function hasLabels(rule: IgnoreRule, { metadata }: UnstructuredObject): boolean {
  return Object.entries(rule.labels ?? {}).every(([key, value]) => metadata.labels?.[key] === value);
}

/** Returns undefined if the manifest does not have the list item that the pointer names on the target. */
function fieldOf({ manifest, live }: ObjectPair, pointer: string): KeptField | undefined {
  const path: (string | number)[] = [];
  let [own, found]: [unknown, unknown] = [manifest, live];
  for (const text of pointer.split("/").slice(1)) {
    const isIndex = Array.isArray(found) && /^\d+$/.test(text);
    const step = isIndex ? Number(text) : text.replaceAll("~1", "/").replaceAll("~0", "~");
    const ownStep = isIndex ? indexInManifest(own, { list: found as readonly unknown[], index: Number(text) }) : step;
    if (ownStep === undefined) return undefined;
    path.push(ownStep);
    [own, found] = [valueAt(own, [ownStep]), valueAt(found, [step])];
  }
  return { path, value: found };
}

/** Admission may have added items before it: an item is the one of the same name. */
function indexInManifest(
  own: unknown,
  { list, index }: { readonly list: readonly unknown[]; readonly index: number },
): number | undefined {
  const name = fieldAt(list[index], "name");
  if (typeof name !== "string" || !Array.isArray(own)) return index;
  const found = own.findIndex((item) => fieldAt(item, "name") === name);
  return found < 0 ? undefined : found;
}
