import type { Cell } from "../value/cell.ts";
import type { Value } from "../value/value.ts";
import { stepInto } from "./step-into.ts";

/** The node at a path of the first stub that has it. Stubs are complete values. */
export function findInStubs(stubs: readonly Value[], path: readonly string[]): Cell | undefined {
  for (const stub of stubs) {
    const found = findIn(stub, path);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findIn(root: Value, path: readonly string[]): Cell | undefined {
  let value = root;
  let cell: Cell | undefined;
  for (const name of path) {
    cell = stepInto(value, name);
    if (cell === undefined) return undefined;
    value = cell.value;
  }
  return cell;
}
