/** Result of one bench in a run. */
export type Outcome =
  | { readonly type: "ran"; readonly name: string; readonly misses: readonly string[] }
  | { readonly type: "skipped" | "failed"; readonly name: string; readonly reason: string };

/** Returns the line of a bench in the summary of `all`. */
export function describeOutcome(outcome: Outcome): string {
  if (outcome.type !== "ran") return `${outcome.type}: ${outcome.name}: ${outcome.reason}`;
  const { name, misses } = outcome;
  return misses.length === 0 ? `ran: ${name}: within the budgets` : `ran: ${name}: missed: ${misses.join("; ")}`;
}

/** Returns 0 for success, 1 for a missed budget, 3 for a bench that could not run or failed. */
export function exitStatusOf(
  outcomes: readonly Outcome[],
  { isAll, isSmallest }: { readonly isAll: boolean; readonly isSmallest: boolean },
): 0 | 1 | 3 {
  const isStopped = ({ type }: Outcome): boolean => type === "failed" || (type === "skipped" && !isAll);
  if (outcomes.some(isStopped)) return 3;
  const hasMisses = outcomes.some((outcome) => outcome.type === "ran" && outcome.misses.length > 0);
  return hasMisses && !isSmallest ? 1 : 0;
}
