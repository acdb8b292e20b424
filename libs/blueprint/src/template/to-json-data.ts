import { blueprintError } from "../blueprint-error.ts";
import { isRecord } from "../parameter/describe-value.ts";

/** Returns a value of spiff as JSON with exact integers. Throws LandscaperError for numbers that JSON does not know. */
export function toJsonData(value: unknown, where: string): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw blueprintError("TemplatingFailed", `${where}: the result has a number that is infinite or none`);
  }
  if (Array.isArray(value)) return value.map((item: unknown) => toJsonData(item, where));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toJsonData(item, where)]));
}
