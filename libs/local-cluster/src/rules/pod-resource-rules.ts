import { parseQuantity } from "../builtin-types/quantity.ts";
import { listAt, recordAt } from "../objects/json.ts";
import type { FieldError } from "../status/field-error.ts";
import { invalidField, unsupportedField } from "../status/field-error.ts";
import type { Owner } from "./field-rules.ts";
import { textOf } from "./field-rules.ts";

type Amounts = (name: string) => bigint;

/** Returns the resource names of `compared` whose amount exceeds the maximum. */
function exceeding(compared: Owner, amounts: Amounts, most: Amounts): readonly string[] {
  return Object.keys(compared).filter((name) => amounts(name) > most(name));
}

/** Returns a function that reads a quantity by name; an absent one is 0. */
function amountsOf(amounts: Owner): Amounts {
  return (name) => parseQuantity(textOf(amounts[name] ?? "0"));
}

/** Compares the resources of a pod with those of its containers. */
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
  // Summed up once: a lookup per name and container would take quadratic time.
  const asked = new Map<string, bigint>();
  for (const each of containers) {
    const own = { ...recordAt(each, "limits"), ...recordAt(each, "requests") };
    const amounts = amountsOf(own);
    for (const name of Object.keys(own)) asked.set(name, (asked.get(name) ?? 0n) + amounts(name));
  }
  const askedOf: Amounts = (name) => asked.get(name) ?? 0n;
  const refuse = (place: string, value: unknown, detail: string): void => {
    errors.push(invalidField(place, value, detail));
  };
  for (const name of exceeding(requests, askedOf, amountsOf(requests)))
    refuse(
      `${place}.requests[${name}]`,
      requests[name],
      "must be greater than or equal to aggregate container requests",
    );
  for (const [i, each] of containers.entries()) {
    const own = recordAt(each, "limits");
    for (const name of exceeding(limits, amountsOf(own), amountsOf(limits)))
      refuse(`${place}.containers[${i}][${name}].limits`, own[name], "must be less than or equal to the pod limit");
  }
  // Without requests, the pod requests what its containers request.
  for (const name of exceeding(limits, askedOf, amountsOf(limits))) {
    if (requests[name] === undefined)
      refuse(`${place}.requests`, String(askedOf(name)), `must be less than or equal to ${name} limit`);
  }
  return errors;
}
