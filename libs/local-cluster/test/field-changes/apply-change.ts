import { isRecord } from "../../src/objects/json.ts";
import type { Fields } from "./combinations.ts";
import type { Step } from "./generate-changes.ts";

/** A copy of `value` with another value at a path; undefined removes the field. Missing structs on the way are made. */
export function withChange(value: unknown, path: readonly Step[], to: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return to;
  if (typeof step === "number") {
    const items: readonly unknown[] = Array.isArray(value) ? value : [];
    return items.map((item, i) => (i === step ? withChange(item, rest, to) : item));
  }
  const record = isRecord(value) ? value : {};
  const { [step]: old, ...others } = record;
  const next = withChange(old, rest, to);
  return next === undefined ? others : { ...record, [step]: next };
}

/** A copy of `value` with several fields changed. */
export function withFields(value: unknown, fields: Fields): unknown {
  return Object.entries(fields).reduce<unknown>(
    (object, [path, to]) => withChange(object, stepsOf(path), to ?? undefined),
    value,
  );
}

/** `spec.ports[0].port` as its steps. */
function stepsOf(path: string): readonly Step[] {
  return path.split(/[.[]/).map((step) => (step.endsWith("]") ? Number(step.slice(0, -1)) : step));
}
