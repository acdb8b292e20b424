import type { UnstructuredObject } from "@landscaper/api";
import { emptyFieldSet, isDeepEqual, parseFieldsV1, takeFields, unionSets, type FieldSet } from "@landscaper/patch";
import type { ApplyDecision } from "../apply/decide-apply.ts";
import { fieldAt, isJsonObject, type JsonObject } from "../json-value.ts";

/**
 * What is left of a dry run of an apply, when the fields that the decision hands over to it first are pruned: a dry run forgets the hand-over. Undefined
 * when nothing is handed over, or nothing goes by it.
 */
export function foreseePruning(
  applied: UnstructuredObject,
  { prepare = [] }: Extract<ApplyDecision, { readonly type: "apply" }>,
  manager: string,
): UnstructuredObject | undefined {
  const handOver = prepare.find(({ path }) => path === "/metadata/managedFields");
  if (handOver === undefined || !("value" in handOver)) return undefined;
  const isOwn = (entry: JsonObject): boolean => entry["operation"] === "Apply" && entry["manager"] === manager;
  const entries = entriesOf(handOver.value);
  const last = fieldsOf(entries.filter(isOwn));
  const now = entriesOf(fieldAt(applied, "metadata", "managedFields")).filter(isOwn);
  const owned = fieldsOf([...now, ...entries.filter((entry) => !isOwn(entry))]);
  // Sets of fields know nothing of what identifies an object.
  const left = takeFields(applied, { last, owned }) as UnstructuredObject;
  return isDeepEqual(left, applied) ? undefined : left;
}

function entriesOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function fieldsOf(entries: readonly JsonObject[]): FieldSet {
  return entries.reduce<FieldSet>(
    (fields, entry) => unionSets(fields, parseFieldsV1(entry["fieldsV1"]) ?? emptyFieldSet),
    emptyFieldSet,
  );
}
