import { jsonTypeName } from "../builtin-types/go-scalars.ts";
import { isRecord } from "../objects/json.ts";

const typeMetaStruct = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;

/** Returns the error with which Go refuses `apiVersion` or `kind` of a JSON value; undefined if it reads both. */
export function typeMetaProblem(value: unknown): string | undefined {
  const error = "couldn't get version/kind; json parse error: json: cannot unmarshal";
  if (!isRecord(value)) return `${error} ${jsonTypeName(value)} into Go value of type ${typeMetaStruct}`;
  for (const field of ["apiVersion", "kind"]) {
    const found = value[field] ?? "";
    if (typeof found !== "string")
      return `${error} ${jsonTypeName(found)} into Go struct field .${field} of type string`;
  }
  return undefined;
}
