import { findIgnoredFields, type DeployItemTemplate, type IgnoredField } from "@landscaper/api";
import { foldKeys } from "@landscaper/goyaml";
import { blueprintError } from "../blueprint-error.ts";
import { describeType, isRecord } from "../parameter/describe-value.ts";

/** Which imported target a deploy item is for; exactly one form. */
export type TargetReference =
  | { readonly import: string; readonly key: string | undefined; readonly index: number | undefined }
  /** Deprecated: name of the Target object. */
  | { readonly name: string };

/** An entry of a rendered `deployItems` list, read (seed-000 "DeployItems"). */
export interface DeployItemSpecification {
  readonly name: string;
  readonly type: string;
  readonly target: TargetReference | undefined;
  readonly config: Record<string, unknown>;
  readonly labels: Record<string, string> | undefined;
  readonly dependsOn: string[] | undefined;
  readonly timeout: string | undefined;
  readonly updateOnChangeOnly: boolean | undefined;
  readonly skipUninstallIfClusterRemoved: boolean | undefined;
  /** Names the item in messages. */
  readonly where: string;
}

const anything = {};
const targetFields = { import: anything, key: anything, index: anything, name: anything, namespace: anything };
type Fields<T> = Record<keyof Required<T>, object>;
const onDeleteFields: Fields<NonNullable<DeployItemTemplate["onDelete"]>> = { skipUninstallIfClusterRemoved: anything };
/** `configuration` is another name of `config`. */
const itemFields: Fields<DeployItemTemplate & { configuration: unknown }> = {
  name: anything,
  type: anything,
  target: { properties: targetFields },
  labels: anything,
  config: anything,
  configuration: anything,
  dependsOn: anything,
  timeout: anything,
  updateOnChangeOnly: anything,
  onDelete: { properties: onDeleteFields },
};
const itemKeys = Object.keys(itemFields);

/** What `parseDeployItemSpecification` passes over, with paths from the entry on. */
export function findIgnoredItemFields(value: unknown): readonly IgnoredField[] {
  const item = foldKeys(value, itemKeys);
  if (!isRecord(item)) return [];
  const { target, onDelete } = item;
  const folded = {
    ...item,
    target: foldKeys(target, Object.keys(targetFields)),
    onDelete: foldKeys(onDelete, Object.keys(onDeleteFields)),
  };
  return findIgnoredFields({ properties: itemFields }, folded);
}

/** Reads one rendered entry; `where` is its place in the list. Unknown fields are ignored. Throws LandscaperError. */
export function parseDeployItemSpecification(value: unknown, where: string): DeployItemSpecification {
  const item = requireMap(foldKeys(value, itemKeys), where);
  const name = requireText(item["name"], `${where}.name`);
  const at = `${where}, item "${name}"`;
  const onDelete = item["onDelete"] ?? undefined;
  return {
    name,
    type: requireText(item["type"], `${at}: type`),
    target: parseTarget(item["target"], `${at}: target`),
    config: requireMap(item["config"] ?? item["configuration"], `${at}: config`),
    labels: optionalTextMap(item["labels"], `${at}: labels`),
    dependsOn: optionalTextList(item["dependsOn"], `${at}: dependsOn`),
    timeout: optionalTimeout(item["timeout"], `${at}: timeout`),
    updateOnChangeOnly: optionalFlag(item["updateOnChangeOnly"], `${at}: updateOnChangeOnly`),
    skipUninstallIfClusterRemoved: onDelete === undefined ? undefined : parseOnDelete(onDelete, `${at}: onDelete`),
    where: at,
  };
}

function parseOnDelete(value: unknown, where: string): boolean {
  const onDelete = requireMap(foldKeys(value, Object.keys(onDeleteFields)), where);
  const field = "skipUninstallIfClusterRemoved";
  return optionalFlag(onDelete[field], `${where}.${field}`) ?? false;
}

function parseTarget(value: unknown, where: string): TargetReference | undefined {
  if (value === undefined || value === null) return undefined;
  const target = requireMap(foldKeys(value, Object.keys(targetFields)), where);
  const { import: importName, key, index, name } = target;
  if (importName === undefined || importName === null || importName === "") {
    if (name === undefined || name === null)
      throw unexpected(where, "the name of an import in target.import", undefined);
    return { name: requireText(name, `${where}.name`) };
  }
  if (index !== undefined && index !== null && !(typeof index === "number" && Number.isInteger(index) && index >= 0)) {
    throw unexpected(`${where}.index`, "an integer from 0 on", index);
  }
  return {
    import: requireText(importName, `${where}.import`),
    key: key === undefined || key === null ? undefined : requireText(key, `${where}.key`),
    index: typeof index === "number" ? index : undefined,
  };
}

function unexpected(where: string, expected: string, found: unknown): Error {
  return blueprintError("InvalidInput", `${where}: expected ${expected}, found ${describeType(found)}`);
}

function requireMap(value: unknown, where: string): Record<string, unknown> {
  if (!isRecord(value)) throw unexpected(where, "a map", value);
  return value;
}

function requireText(value: unknown, where: string): string {
  if (typeof value !== "string" || value === "") throw unexpected(where, "text that is not empty", value);
  return value;
}

function optionalTextMap(value: unknown, where: string): Record<string, string> | undefined {
  if (value === undefined || value === null) return undefined;
  const result: Record<string, string> = {};
  for (const [key, item] of Object.entries(requireMap(value, where))) {
    if (typeof item !== "string") throw unexpected(`${where}.${key}`, "text", item);
    result[key] = item;
  }
  return result;
}

function optionalTextList(value: unknown, where: string): string[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw unexpected(where, "a list", value);
  return value.map((item: unknown, i) => requireText(item, `${where}[${i}]`));
}

/** A duration; a bare 0 is the same as "none". */
function optionalTimeout(value: unknown, where: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (value === 0) return "none";
  return requireText(value, where);
}

function optionalFlag(value: unknown, where: string): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "boolean") throw unexpected(where, "true or false", value);
  return value;
}
