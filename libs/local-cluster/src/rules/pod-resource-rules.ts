import { parseQuantity } from "../builtin-types/quantity.ts";
import { listAt, recordAt } from "../objects/json.ts";
import type { FieldError } from "../status/field-error.ts";
import { invalidField, unsupportedField } from "../status/field-error.ts";
import type { Owner } from "./field-rules.ts";
import { textOf } from "./field-rules.ts";

const amountOf = (amounts: Owner, name: string): bigint => parseQuantity(textOf(amounts[name] ?? "0"));

/** Resources of a whole pod, and of its containers. */
export function podResourceErrors(spec: Owner, at: string): readonly FieldError[] {
  if (spec["resources"] === undefined) return [];
  const place = `${at}.resources`;
  const containers = listAt(spec, "containers").map((container) => recordAt(container, "resources"));
  const limits = recordAt(spec, "resources", "limits");
  const requests = recordAt(spec, "resources", "requests");
  const errors: FieldError[] = [];
  for (const [field, amounts] of [
    ["limits", limits],
    ["requests", requests],
  ] as const) {
    for (const name of Object.keys(amounts)) {
      if (!["cpu", "memory"].includes(name) && !name.startsWith("hugepages-"))
        errors.push(unsupportedField(`${place}.${field}[${name}]`, name, ["cpu", "hugepages-", "memory"]));
    }
  }
  const askedOf = (name: string): bigint =>
    containers.reduce(
      (sum, each) => sum + amountOf({ ...recordAt(each, "limits"), ...recordAt(each, "requests") }, name),
      0n,
    );
  for (const name of Object.keys(requests)) {
    if (askedOf(name) > amountOf(requests, name))
      errors.push(
        invalidField(
          `${place}.requests[${name}]`,
          requests[name],
          `must be greater than or equal to aggregate container requests`,
        ),
      );
  }
  for (const name of Object.keys(limits)) {
    for (const [i, each] of containers.entries()) {
      if (amountOf(recordAt(each, "limits"), name) > amountOf(limits, name))
        errors.push(
          invalidField(
            `${place}.containers[${i}][${name}].limits`,
            recordAt(each, "limits")[name],
            "must be less than or equal to the pod limit",
          ),
        );
    }
    // A pod without requests of its own asks for what its containers ask for.
    if (requests[name] === undefined && askedOf(name) > amountOf(limits, name))
      errors.push(
        invalidField(`${place}.requests`, String(askedOf(name)), `must be less than or equal to ${name} limit`),
      );
  }
  return errors;
}
