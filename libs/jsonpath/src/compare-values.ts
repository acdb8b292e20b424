type Comparison = { readonly result: boolean } | { readonly problem: string };

/** Compares two scalars as Go templates do: only values of the same type, order only for numbers and strings. */
export function compareValues(left: unknown, operator: string, right: unknown): Comparison {
  if (!isScalar(left) || !isScalar(right)) {
    return { problem: "invalid type for comparison" };
  }
  if (operator === "==" || operator === "!=") {
    return typeof left === typeof right
      ? { result: (left === right) === (operator === "==") }
      : { problem: "incompatible types for comparison" };
  }
  if (typeof left === "boolean" && typeof right === "boolean") {
    return { problem: "invalid type for comparison" };
  }
  if (typeof left !== typeof right) {
    return { problem: "incompatible types for comparison" };
  }
  switch (operator) {
    case "<":
      return { result: left < right };
    case "<=":
      return { result: left <= right };
    case ">":
      return { result: left > right };
    case ">=":
      return { result: left >= right };
    default:
      return { problem: `unrecognized filter operator ${operator}` };
  }
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
