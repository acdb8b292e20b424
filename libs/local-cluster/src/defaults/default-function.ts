/** Completes a struct that has just been read; it may change its argument, which nobody else has seen yet. */
export type DefaultFunction = (value: Record<string, unknown>) => void;

/** Defaults by the name of the Go struct, or undefined. */
export type DefaultsTable = Readonly<Record<string, DefaultFunction>>;

/** Sets the fields that are not there. */
export function fill(fields: Readonly<Record<string, unknown>>): DefaultFunction {
  return (value) => {
    for (const [name, field] of Object.entries(fields)) {
      if (value[name] === undefined || value[name] === null || value[name] === "") value[name] = structuredClone(field);
    }
  };
}
