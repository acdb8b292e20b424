import { printPath } from "../../syntax/print-expression.ts";
import { isGone, type Value } from "../../value/value.ts";
import { failLocally } from "../failure.ts";
import { completeShape, force, valueOf } from "../force.ts";
import { stepInto } from "./step-into.ts";

/** Follows a path from `start`, whose own path is `path` up to `position`. */
export function walk(start: Value, path: readonly string[], position: number): Value {
  let value = start;
  for (let i = position; i < path.length; i++) {
    if (typeof value === "object" && value !== null && (value.kind === "map" || value.kind === "list")) {
      if (value.pendingShape !== undefined) completeShape(value, printPath(path.slice(0, i)));
    }
    const cell = stepInto(value, path[i] ?? "");
    if (cell === undefined) return failLocally(`'${printPath(path.slice(0, i + 1))}' not found`);
    force(cell);
    value = cell.state === "done" ? cell.value : valueOf(cell, printPath(path.slice(0, i + 1)));
    if (isGone(value)) return failLocally(`'${printPath(path.slice(0, i + 1))}' not found`);
  }
  return value;
}
