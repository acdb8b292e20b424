import { isFinal } from "../../src/kits/contract-names.ts";
import type { Write } from "../item-history.ts";

/** The write that says that somebody has the job in work. */
export function findPickup(writes: readonly Write[]): Write | undefined {
  return writes.find(({ after: { status } }) => !isFinal(status?.phase) && (status?.phase ?? "") !== "");
}

/** Writes that end a job. */
export function listEnds(writes: readonly Write[]): readonly Write[] {
  return writes.filter(
    ({ before, after }) => before.status?.jobIDFinished !== after.status?.jobIDFinished && isFinal(after.status?.phase),
  );
}
