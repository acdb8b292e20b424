/** A measured figure and the most that it may be, in the same unit. */
export type Figure = readonly [name: string, found: number, budget: number];

/** Returns one line per figure over its budget, in the order of `figures`. NaN, a figure that was not measured, is over each budget. */
export function listOverBudget(figures: readonly Figure[]): string[] {
  return figures
    .filter(([, found, budget]) => !(found <= budget))
    .map(([name, found, budget]) => `${name}: ${found.toFixed(2)}, the budget is ${budget}`);
}

/** Returns the last lines of a report: each miss, or that there is none, and the figures of `unjudged`, each with the reason why this run could not judge it. */
export function formatVerdict(misses: readonly string[], unjudged: readonly string[] = []): readonly string[] {
  const judged = unjudged.length === 0 ? "all" : "all judged figures";
  return [
    ...(misses.length === 0 ? [`${judged} within the budgets`] : misses.map((miss) => `missed: ${miss}`)),
    ...unjudged.map((figure) => `not judged: ${figure}`),
  ];
}
