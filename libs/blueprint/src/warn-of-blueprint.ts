import {
  parseBlueprint,
  warnOfIgnoredFields,
  type Blueprint,
  type ExportDefinition,
  type ImportDefinition,
  type Warning,
} from "@landscaper/api";
import { isRecord } from "./parameter/describe-value.ts";
import { warnOfExecutors } from "./executors.ts";

/** What a blueprint says that has no effect, or may not be meant so. `content` is blueprint.yaml as it was read, `file` its name in messages. */
export function warnOfBlueprint(content: unknown, definition: Blueprint, file: string): readonly Warning[] {
  const { read, warnings } = splitFileEntries(content, file);
  return [
    ...warnOfIgnoredFields(file, parseBlueprint.findIgnored(read)),
    ...warnings,
    ...warnOfExecutors(definition, file),
    ...warnOfImports(definition.imports ?? [], `${file}: imports`),
    ...(definition.exports ?? []).flatMap((entry, index) => warnOfParameter(entry, `${file}: exports[${index}]`)),
  ];
}

/** Entries of `subinstallations` that name a file are read from there: what stands beside is told, and is no unknown field. */
function splitFileEntries(content: unknown, file: string): { read: unknown; warnings: readonly Warning[] } {
  const entries = isRecord(content) ? content["subinstallations"] : undefined;
  if (!isRecord(content) || !Array.isArray(entries)) return { read: content, warnings: [] };
  const warnings: Warning[] = [];
  const subinstallations = entries.map((entry: unknown, index) => {
    if (!isRecord(entry) || typeof entry["file"] !== "string") return entry;
    const beside = Object.keys(entry).filter((key) => key !== "file");
    if (beside.length > 0) {
      const fields = beside.map((key) => JSON.stringify(key)).join(", ");
      const message = `${file}: subinstallations[${index}]: ${fields} have no effect: everything is read from the file ${JSON.stringify(entry["file"])}`;
      warnings.push({ reason: "WithoutEffect", message });
    }
    return { file: entry["file"] };
  });
  return { read: { ...content, subinstallations }, warnings };
}

function warnOfImports(definitions: readonly ImportDefinition[], list: string): readonly Warning[] {
  return definitions.flatMap((definition, index) => {
    const where = `${list}[${index}]`;
    return [...warnOfParameter(definition, where), ...warnOfImports(definition.imports ?? [], `${where}.imports`)];
  });
}

/** The original accepts these, although its documentation does not allow them. */
function warnOfParameter(definition: ImportDefinition | ExportDefinition, where: string): readonly Warning[] {
  const { name, type, schema, targetType } = definition;
  const place = `${where} ${JSON.stringify(name)}`;
  if (schema !== undefined && targetType !== undefined) {
    const used = type === undefined || type === "data" ? "schema" : "targetType";
    const unused = used === "schema" ? "targetType" : "schema";
    return [{ reason: "SchemaAndTargetType", message: `${place}: has schema and targetType; ${unused} has no effect` }];
  }
  if (type !== "data" || schema !== undefined) return [];
  return [{ reason: "MissingSchema", message: `${place}: has no schema, so that every value fits` }];
}
