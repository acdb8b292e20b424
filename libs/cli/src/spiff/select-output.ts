/** A value that was found; it may be null. */
export interface Found {
  readonly value: unknown;
}

/** The part of plain data at a path (`--path`); undefined when there is none. */
export function findPath(value: unknown, path: string): Found | undefined {
  return find(value, splitPath(path));
}

/** A map of the fields at some paths, by their last steps (`--select`); undefined when one is missing. */
export function selectFields(value: unknown, paths: readonly string[]): Found | undefined {
  const fields = new Map<string, unknown>();
  for (const path of paths) {
    const steps = splitPath(path);
    const found = find(value, steps);
    if (found === undefined) return undefined;
    fields.set(steps.at(-1) ?? "", found.value);
  }
  return { value: Object.fromEntries(fields) };
}

/** `a.b[1]` as `a`, `b`, `[1]`; empty steps say nothing. */
function splitPath(path: string): string[] {
  return path
    .replaceAll("[", ".[")
    .split(".")
    .filter((step) => step !== "");
}

function find(value: unknown, steps: readonly string[]): Found | undefined {
  let current = value;
  for (const step of steps) {
    const entries: readonly (readonly [string, unknown])[] = Array.isArray(current)
      ? [[step, itemOf(current, step)]]
      : Object.entries(isMap(current) ? current : {});
    const found = entries.find(([name, entry]) => name === step && entry !== undefined);
    if (found === undefined) return undefined;
    [, current] = found;
  }
  return { value: current };
}

/** `[n]`, from the end when negative; or the entry whose name is the step. */
function itemOf(list: readonly unknown[], step: string): unknown {
  const [, index] = /^\[(-?[0-9]+)\]$/.exec(step) ?? [];
  if (index !== undefined) return list.at(Number(index));
  return list.find((item) => isMap(item) && item["name"] === step);
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
