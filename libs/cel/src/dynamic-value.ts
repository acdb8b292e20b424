import { isRecord, limitToInt64 } from "@landscaper/json";

/** JSON data as expressions without schema see it: integers are int, others double. */
export function toDynamicValue(value: unknown): unknown {
  if (typeof value === "number") {
    return Number.isSafeInteger(value) ? BigInt(value) : value;
  }
  if (typeof value === "bigint") {
    return limitToInt64(value);
  }
  if (Array.isArray(value)) {
    return value.map(toDynamicValue);
  }
  if (!isRecord(value)) {
    return value ?? null;
  }
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return new Map(fields.map(([key, field]) => [key, toDynamicValue(field)]));
}
