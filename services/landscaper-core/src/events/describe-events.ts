import type { TransitionStats } from "@landscaper/events";

/** Usual age (s) of an event before it is published. */
const usualSeconds = 10;

/** Returns the line of `/readyz?verbose`: why events are not published. Undefined while they are. */
export function describeEvents({ problem, waiting, lagSeconds }: TransitionStats): string | undefined {
  const oldest = `the oldest for ${Math.round(lagSeconds)} s`;
  const behind =
    waiting === 0 ? "no event waits" : `${waiting} ${waiting === 1 ? "event waits" : "events wait"}, ${oldest}`;
  if (problem !== undefined) return `events are not published (${behind}): ${problem}`;
  return lagSeconds > usualSeconds && waiting > 0 ? `events are behind: ${behind}` : undefined;
}
