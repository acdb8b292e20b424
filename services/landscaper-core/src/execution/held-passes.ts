import { formatKey, keyOf, type Execution, type ObjectKey } from "@landscaper/api";
import type { Clock } from "@landscaper/controller-runtime";
import { uidOf } from "../object-reading.ts";
import type { ExecutionPass } from "./execution-pass.ts";

/** How long the status of a job that waits is kept back (ms): a job that ends within this time needs no write in between. */
const holdMs = 1_000;
/** The more jobs wait, the later each of them ends, and the more such writes would delay them: this long for each other one (ms). */
const holdMsForEach = 20;
const maxHoldMs = 10_000;

/** How long the status of a pass that waits beside `others` may still be kept back (ms), 0 when nothing of it is unstored. Pure. */
export function remainingHoldMs(
  { beganMs, isUnstored }: Pick<ExecutionPass, "beganMs" | "isUnstored">,
  { elapsedMs, others }: { readonly elapsedMs: number; readonly others: number },
): number {
  if (!isUnstored) return 0;
  const hold = Math.min(maxHoldMs, holdMs + others * holdMsForEach);
  return Math.max(0, beganMs + hold - elapsedMs);
}

/**
 * Passes whose job waits for deploy items and whose status is not stored yet (ADR 29). They are lost with the process: the next one
 * begins the job anew, which writes nothing that is there already.
 */
export class HeldPasses {
  readonly #passes = new Map<string, ExecutionPass>();

  /** A pass goes on where it stopped, unless somebody has written to the Execution since. */
  take(execution: Execution): ExecutionPass | undefined {
    const key = formatKey(keyOf(execution));
    const held = this.#passes.get(key);
    this.#passes.delete(key);
    return held !== undefined && isSameVersion(held.execution, execution) ? held : undefined;
  }

  /** Keeps the pass; answers when it has to go on at the latest (ms from now), or undefined for one that has to be stored now. */
  hold(pass: ExecutionPass, clock: Pick<Clock, "elapsed">): number | undefined {
    const leftMs = remainingHoldMs(pass, { elapsedMs: clock.elapsed(), others: this.#passes.size });
    if (leftMs === 0) return undefined;
    this.#passes.set(formatKey(keyOf(pass.execution)), pass);
    return leftMs;
  }

  forget(key: ObjectKey): void {
    this.#passes.delete(formatKey(key));
  }
}

function isSameVersion(left: Execution, right: Execution): boolean {
  return uidOf(left) === uidOf(right) && left.metadata.resourceVersion === right.metadata.resourceVersion;
}
