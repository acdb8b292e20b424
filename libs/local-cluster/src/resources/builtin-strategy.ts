import type { UnstructuredObject } from "@landscaper/api";
import { GoDecodeError, decodeJson } from "../builtin-types/decode-json.ts";
import type { GoStruct } from "../builtin-types/parse-builtin-types.ts";
import { findBuiltinType } from "../builtin-types/parse-builtin-types.ts";
import { compileImmutable } from "../rules/immutable-fields.ts";
import { compileStructRules } from "../rules/rule-table.ts";
import { builtinColumns } from "../table/builtin-columns.ts";
import { badRequest } from "../status/status-error.ts";
import type { Decoded, ResourceDefinition } from "./resource-definition.ts";
import { groupVersionOf } from "./resource-definition.ts";

/** Completes a built-in resource with the decoding that its Go type asks for. */
export function withGoType(definition: ResourceDefinition): ResourceDefinition {
  const struct = findBuiltinType(groupVersionOf(definition), definition.kind);
  if (struct === undefined) return definition;
  const { prepareForCreate, validate, forRules } = definition.strategy;
  const check = compileStructRules(struct);
  const checkImmutable = compileImmutable(definition.storage);
  const hasStatus = struct.byName.has("status");
  return {
    ...definition,
    columns: builtinColumns(definition.storage),
    strategy: {
      ...definition.strategy,
      decode: (object) => decode(definition, struct, object),
      // The status that a create dropped is written as Go's empty one.
      prepareForCreate: (object) => {
        const whole = hasStatus ? { ...object, status: object["status"] ?? emptyStatus(struct) } : object;
        return prepareForCreate?.(whole) ?? whole;
      },
      validate: (object, old) => [
        ...(check?.({ ...(forRules?.(object, old) ?? object) }, "") ?? []),
        ...(old === undefined ? [] : (checkImmutable?.(object, old) ?? [])),
        ...(validate?.(object, old) ?? []),
      ],
    },
  };
}

function decode(definition: ResourceDefinition, struct: GoStruct, object: UnstructuredObject): Decoded {
  const { apiVersion, kind } = object;
  try {
    const { value, unknownFields } = decodeJson(struct, object);
    const metadata = value["metadata"] ?? {};
    return { object: { apiVersion, kind, metadata, ...value }, strictErrors: unknownFields };
  } catch (error) {
    if (!(error instanceof GoDecodeError)) throw error;
    throw badRequest(`${kind} in version "${definition.version}" cannot be handled as a ${kind}: ${error.message}`);
  }
}

function emptyStatus(struct: GoStruct): unknown {
  return decodeJson(struct, {}).value["status"];
}
