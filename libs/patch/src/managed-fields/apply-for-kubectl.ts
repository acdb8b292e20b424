import { parseJson } from "@landscaper/json";
import type { JsonObject } from "../json-object.ts";
import { isJsonObject, setField } from "../json-object.ts";
import type { AppliedConfig, AppliedResult } from "./apply-config.ts";
import { applyConfig } from "./apply-config.ts";
import { ApplyConflict } from "./apply-conflict.ts";
import { appliedFields } from "./applied-fields.ts";
import { compareFields, writtenFields } from "./compare-fields.ts";
import type { FieldSet } from "./field-set.ts";
import { emptyFieldSet, isEmptySet, subtractSets, unionSets } from "./field-set.ts";

/** The manager of `kubectl apply --server-side`, for which the server keeps client-side apply going. */
const kubectl = "kubectl";
const lastAppliedAnnotation = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * `applyConfig` as the API server does it: for the manager "kubectl" fields that client-side apply has set and nobody changed since are no conflict, and
 * the annotation of client-side apply, where there is one, follows.
 */
export function applyAsServer(applied: AppliedConfig): AppliedResult {
  if (applied.writer.manager !== kubectl) return applyConfig(applied);
  return withLastApplied(applyOverClientSide(applied), applied);
}

function applyOverClientSide(applied: AppliedConfig): AppliedResult {
  try {
    return applyConfig(applied);
  } catch (error) {
    if (!(error instanceof ApplyConflict)) throw error;
    const allowed = clientSideFields(applied);
    const conflicts = error.conflicts
      .map(({ entry, fields }) => ({ entry, fields: subtractSets(fields, allowed) }))
      .filter(({ fields }) => !isEmptySet(fields));
    if (conflicts.length > 0) throw new ApplyConflict(conflicts);
    return applyConfig({ ...applied, force: true });
  }
}

/** The fields that the annotation says and that still have its values. */
function clientSideFields({ kind, live = {} }: AppliedConfig): FieldSet {
  const said = parseObject(lastAppliedOf(live));
  if (said === undefined) return emptyFieldSet;
  const { schema } = kind.version;
  const changes = compareFields(schema, said, live);
  return subtractSets(appliedFields(schema, said), unionSets(writtenFields(changes), changes.removed));
}

function withLastApplied(result: AppliedResult, { live = {}, config }: AppliedConfig): AppliedResult {
  const { metadata } = result.object;
  if (lastAppliedOf(live) === undefined || !isJsonObject(metadata)) return result;
  const annotations = isJsonObject(metadata["annotations"]) ? metadata["annotations"] : {};
  const value = `${JSON.stringify(sortKeys(withoutLastApplied(config)))}\n`;
  if (annotations[lastAppliedAnnotation] === value) return result;
  const next = { ...metadata, annotations: { ...annotations, [lastAppliedAnnotation]: value } };
  return { ...result, object: { ...result.object, metadata: next }, hasChanged: true };
}

function lastAppliedOf({ metadata }: JsonObject): string | undefined {
  const annotations = isJsonObject(metadata) ? metadata["annotations"] : undefined;
  const value = isJsonObject(annotations) ? annotations[lastAppliedAnnotation] : undefined;
  return typeof value === "string" ? value : undefined;
}

function withoutLastApplied(config: JsonObject): JsonObject {
  const { metadata } = config;
  if (!isJsonObject(metadata) || !isJsonObject(metadata["annotations"])) return config;
  const { [lastAppliedAnnotation]: _said, ...annotations } = metadata["annotations"];
  return { ...config, metadata: { ...metadata, annotations } };
}

function parseObject(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = parseJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isJsonObject(value)) return value;
  const sorted: JsonObject = {};
  for (const key of Object.keys(value).toSorted()) setField(sorted, key, sortKeys(value[key]));
  return sorted;
}
