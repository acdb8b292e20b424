import type { JsonPath } from "@landscaper/api";
import { parseJson } from "@landscaper/json";

/** What a comparison must not show because of where it came from. */
export interface PlanSecrets {
  /** Values that the objects have from secrets now. */
  readonly values: readonly unknown[];
  /** JSON Pointers into objects whose values were secret in an earlier specification; a number stands for any position. "" hides all. */
  readonly former: readonly JsonPath[];
  /** Nobody says what is secret: no value is shown. */
  readonly isUnknown?: boolean | undefined;
}

export const noSecrets: PlanSecrets = { values: [], former: [] };
export const unknownSecrets: PlanSecrets = { values: [], former: [""], isUnknown: true };

/** Whether the value of a field (`FieldChange.path`) may have been secret: one of the two paths leads to the other. */
export function isFormerSecret(field: string, former: readonly JsonPath[]): boolean {
  const steps = stepsOf(field);
  return former.some((path) => {
    const others = path.split("/").slice(1);
    const length = Math.min(steps.length, others.length);
    return steps.slice(0, length).every((step, index) => isSameStep(step, others[index] ?? ""));
  });
}

const anyItem = Symbol("an item of a list");
type Step = string | typeof anyItem;

function stepsOf(field: string): Step[] {
  const parts = field.matchAll(/\.([A-Za-z_][\w-]*)|\[name=[^\]]*\]|\[("(?:[^"\\]|\\.)*")\]/g);
  return [...parts].map(
    ([, word, quoted]) => word ?? (quoted === undefined ? anyItem : String(parseJson(quoted) as unknown)),
  );
}

function isSameStep(step: Step, escaped: string): boolean {
  const key = escaped.replaceAll("~1", "/").replaceAll("~0", "~");
  return step === anyItem ? /^\d+$/.test(key) : step === key;
}
