/** Equality of JSON values whose numbers are all float64: what `isDeepEqual` of libs/patch does without a rule for numbers. */
export function compareAsFloat64(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => compareAsFloat64(item, right[index]));
  }
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left).filter((key) => left[key] !== undefined);
  const rightCount = Object.keys(right).filter((key) => right[key] !== undefined).length;
  return (
    keys.length === rightCount &&
    keys.every((key) => compareAsFloat64(left[key], Object.hasOwn(right, key) ? right[key] : undefined))
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
