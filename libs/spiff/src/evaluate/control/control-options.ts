import type { Cell } from "../../value/cell.ts";
import { undefinedValue, type Value } from "../../value/value.ts";
import type { Control } from "./control.ts";
import { EvaluationFailure } from "../failure.ts";
import { force, requireDeep } from "../force.ts";

/** The value of a field of a control; when it fails, the failure is the field's own. */
export function ownValue(cell: Cell): Value {
  force(cell);
  if (cell.state === "done") return cell.value;
  throw new EvaluationFailure(cell.failure ?? { tag: "@", issue: { text: "", safeText: "", nested: [] } }, cell);
}

/** The complete value of an option. */
export function optionValue(control: Control, name: string): Value {
  const cell = control.options.get(name);
  if (cell === undefined) return undefinedValue;
  control.isStuck = true;
  const value = requireDeep(ownValue(cell), `<<${name}`);
  control.isStuck = false;
  return value;
}
