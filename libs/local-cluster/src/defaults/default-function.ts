import type { GoStruct } from "../builtin-types/parse-builtin-types.ts";

/** Completes a struct that has just been read. It may modify its argument, which is not shared. */
export type DefaultFunction = (value: Record<string, unknown>, struct?: GoStruct) => void;

/** Defaults by the name of the Go struct, or undefined. */
export type DefaultsTable = Readonly<Record<string, DefaultFunction>>;

/** Sets the fields that are not there. An empty text is one unless the struct has a pointer to it. */
export function fill(fields: Readonly<Record<string, unknown>>): DefaultFunction {
  return (value, struct) => {
    for (const [name, field] of Object.entries(fields)) {
      const given = value[name];
      const isEmpty = given === "" && struct?.byName.get(name)?.isPointer !== true;
      if (given === undefined || given === null || isEmpty) value[name] = structuredClone(field);
    }
  };
}

/** Sets the fields that are not there; an empty text is one. For fields that are pointers in Go. */
export function fillUnset(fields: Readonly<Record<string, unknown>>): DefaultFunction {
  return (value) => {
    for (const [name, field] of Object.entries(fields)) value[name] ??= structuredClone(field);
  };
}
