import { groupName, kubernetesClusterTargetType, type ExportDefinition, type ImportDefinition } from "@landscaper/api";
import { blueprintError } from "../blueprint-error.ts";
import type { ParameterType } from "./parameter-value.ts";

/** Type of an import or export: declared, or inferred from `schema` and `targetType` (core.md §3.4). */
export function parameterType(definition: ImportDefinition | ExportDefinition, where: string): ParameterType {
  const type = definition.type ?? inferType(definition);
  if (type === undefined) {
    throw blueprintError("InvalidInput", `${where}: expected a type, a schema or a targetType, found none`);
  }
  if (type !== "data" && (definition.targetType ?? "") === "") {
    throw blueprintError(
      "InvalidInput",
      `${where}: expected a targetType such as ${kubernetesClusterTargetType}, because its type is ${type}`,
    );
  }
  return type;
}

function inferType(definition: ImportDefinition | ExportDefinition): ParameterType | undefined {
  if (definition.schema !== undefined) return "data";
  return definition.targetType === undefined ? undefined : "target";
}

/** A target type without "/" is one of ours (seed-000; core.md §1.5 D11). */
export function qualifyTargetType(type: string): string {
  return type.includes("/") ? type : `${groupName}/${type}`;
}
