type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The JSON merge patch that makes `wanted` of `former`, also where that has fields that are to go. */
export function replacingPatch(former: unknown, wanted: Fields): Fields {
  const before = isFields(former) ? former : {};
  const removed = Object.keys(before).map((key) => [key, null] as const);
  const kept = Object.entries(wanted).map(([key, value]) => [
    key,
    isFields(value) ? replacingPatch(before[key], value) : value,
  ]);
  return Object.fromEntries([...removed, ...kept]) as Fields;
}
