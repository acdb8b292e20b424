/** Paths of errors as apimachinery's field.Path prints them; "" is the object itself. */

export function childOf(path: string, field: string): string {
  return path === "" ? field : `${path}.${field}`;
}

/** An index of a list or a key of a map. */
export function elementOf(path: string, key: string | number): string {
  return `${path}[${key}]`;
}

/** The name for an error: the API server has no path for what concerns the whole object. */
export function printPath(path: string): string {
  return path === "" ? "<nil>" : path;
}
