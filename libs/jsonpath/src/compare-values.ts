type Comparison = { readonly result: boolean } | { readonly problem: string };

/** Compares two scalars as Go templates do: only values of the same type, order only for numbers and strings. */
export function compareValues(left: unknown, operator: string, right: unknown): Comparison {
  if (!isScalar(left) || !isScalar(right)) {
    return { problem: "invalid type for comparison" };
  }
  if (operator === "==" || operator === "!=") {
    return kindOf(left) === kindOf(right)
      ? { result: areEqual(left, right) === (operator === "==") }
      : { problem: "incompatible types for comparison" };
  }
  if (typeof left === "boolean" && typeof right === "boolean") {
    return { problem: "invalid type for comparison" };
  }
  if (kindOf(left) !== kindOf(right)) {
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

type Scalar = string | number | bigint | boolean;

function isScalar(value: unknown): value is Scalar {
  return ["string", "number", "bigint", "boolean"].includes(typeof value);
}

function kindOf(value: Scalar): string {
  return typeof value === "bigint" ? "number" : typeof value;
}

function areEqual(left: Scalar, right: Scalar): boolean {
  // eslint-disable-next-line eqeqeq -- compares number and bigint by value
  return typeof left === typeof right ? left === right : left == right;
}
