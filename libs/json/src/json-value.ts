/**
 * A JSON value with exact integers. An integer within ±(2^53-1) is a `number`. Any other integer of 64 bits is a
 * `bigint`, unless its text had a fraction or an exponent. All other numbers are float64 (`number`). So each value has
 * one form, and `===` compares two scalars of the same origin; see `equalNumbers` for values that a server has stored.
 */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** A JSON value whose numbers are all float64, as Go's json.Unmarshal makes them for an interface. */
export type Float64Value = null | boolean | number | string | readonly Float64Value[] | Float64Object;

export interface Float64Object {
  readonly [key: string]: Float64Value;
}
