export {
  canonicalInteger,
  canonicalIntegers,
  equalNumbers,
  limitToInt64,
  toFloat64,
  toFloat64Object,
} from "./float64.ts";
export { isNumeric } from "./is-numeric.ts";
export { isNestedDeeper } from "./is-nested-deeper.ts";
export { isRecord } from "./is-record.ts";
export type { Float64Object, Float64Value, JsonObject, JsonValue } from "./json-value.ts";
export { parseFloat64Json, parseInt64Json, parseJson } from "./parse-json.ts";
export { typeWord } from "./type-word.ts";
