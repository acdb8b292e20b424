import { fromYaml } from "@landscaper/goyaml";
import { limitToInt64, parseInt64Json, type JsonValue } from "@landscaper/json";
import { jsonTypeName } from "../builtin-types/go-scalars.ts";
import { isRecord } from "../objects/json.ts";
import { badRequest } from "../status/status-error.ts";

/** The configuration of a server-side apply: YAML, or JSON, which clients send mostly. Throws 400. */
export function parseApplyBody(body: Buffer): Readonly<Record<string, unknown>> {
  const value: unknown = parse(body.toString());
  if (value === null || value === undefined) return {};
  if (isRecord(value)) return value;
  throw badRequest(
    `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${jsonTypeName(value)} into Go value of ` +
      "type map[string]interface {}",
  );
}

function parse(text: string): JsonValue {
  try {
    return parseInt64Json(text);
  } catch {
    return parseYaml(text);
  }
}

function parseYaml(text: string): JsonValue {
  try {
    return limitToInt64(fromYaml(text, { duplicateKeys: "error", integers: "exact" }) as JsonValue); // JSON data
  } catch (error) {
    throw badRequest(`error decoding YAML: ${error instanceof Error ? error.message : String(error)}`);
  }
}
