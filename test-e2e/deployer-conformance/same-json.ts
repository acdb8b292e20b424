/** Whether both are the same JSON value, whatever the order of fields. A field without value is none. */
export function isSameJson(left: unknown, right: unknown): boolean {
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return left === right;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].every((key) => isSameJson(Reflect.get(left, key), Reflect.get(right, key)));
}
