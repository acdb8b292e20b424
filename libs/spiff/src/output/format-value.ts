import { formatFloat, toYaml } from "@landscaper/goyaml";
import type { Value } from "../value/value.ts";
import { toPlain } from "./to-plain.ts";

/** A value as part of a text: scalars as they are, lists and maps as YAML. */
export function formatValue(value: Value): string {
  if (typeof value === "number") return formatFloat(value, "g", -1);
  if (value === null) return "<nil>";
  return typeof value === "object" ? toYaml(toPlain(value)) : String(value);
}
