import { type GoMap, type Value, isMap } from "@landscaper/golang";

/** The table at a path of names, or the name that is none. */
export function tableAtPath(values: GoMap, names: readonly string[]): GoMap | { readonly missing: string } {
  let table = values;
  for (const name of names) {
    const next = table.get(name);
    if (!isMap(next)) return { missing: name };
    table = next;
  }
  return table;
}

/** The value at a dotted path; undefined where there is none, and for tables. */
export function valueAtPath(values: GoMap, path: string): Value {
  const names = path.split(".");
  const key = names.pop() ?? "";
  const table = tableAtPath(values, names);
  const value = table instanceof Map ? table.get(key) : undefined;
  return isMap(value) ? undefined : value;
}
