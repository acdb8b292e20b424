import { equalJson, recordAt } from "../objects/json.ts";
import type { Strategy } from "../resources/resource-definition.ts";
import type { FieldError } from "../status/field-error.ts";
import { forbiddenField, invalidField } from "../status/field-error.ts";
import { keyErrors } from "./data-keys.ts";

/** As Secrets. */
const maxBytes = 1024 * 1024;

/** ConfigMaps: legal keys, and nothing changes when `immutable` is set. */
export const configMapStrategy: Strategy = {
  validate: (object, old) => {
    const data = recordAt(object, "data");
    const binaryData = recordAt(object, "binaryData");
    const errors: FieldError[] = old === undefined ? [] : immutableErrors(object, old, ["data", "binaryData"]);
    for (const key of Object.keys(data).toSorted()) {
      errors.push(...keyErrors("data", key));
      if (Object.hasOwn(binaryData, key)) {
        errors.push(invalidField(`data[${key}]`, key, "duplicate of key present in binaryData"));
      }
    }
    for (const key of Object.keys(binaryData).toSorted()) errors.push(...keyErrors("binaryData", key));
    if (sizeOf(data, "utf8") + sizeOf(binaryData, "base64") > maxBytes) {
      errors.push({
        reason: "FieldValueTooLong",
        field: "[]",
        message: `Too long: may not be more than ${maxBytes} bytes`,
      });
    }
    return errors;
  },
};

/** Bytes of all values. */
export function sizeOf(data: Readonly<Record<string, unknown>>, encoding: "utf8" | "base64"): number {
  return Object.values(data).reduce<number>(
    (size, value) => size + (typeof value === "string" ? Buffer.byteLength(value, encoding) : 0),
    0,
  );
}

/** Changes to an object whose `immutable` was set. */
export function immutableErrors(object: unknown, old: unknown, fields: readonly string[]): FieldError[] {
  const before = recordAt({ old }, "old");
  const after = recordAt({ object }, "object");
  if (before["immutable"] !== true) return [];
  const changed = fields.filter((field) => !equalJson(before[field], after[field]));
  const all = after["immutable"] === true ? changed : ["immutable", ...changed];
  return all.map((field) => forbiddenField(field, "field is immutable when `immutable` is set"));
}
