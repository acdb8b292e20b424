import type { TransitionStats } from "@landscaper/events";

/** Events that are younger are on their way (s). */
const usualSeconds = 10;

/** Returns what keeps events from being published, for `/readyz?verbose`. Undefined: nothing does. */
export function describeEvents({ problem, waiting, lagSeconds }: TransitionStats): string | undefined {
  const oldest = `the oldest for ${Math.round(lagSeconds)} s`;
  const behind =
    waiting === 0 ? "no event waits" : `${waiting} ${waiting === 1 ? "event waits" : "events wait"}, ${oldest}`;
  if (problem !== undefined) return `events are not published (${behind}): ${problem}`;
  return lagSeconds > usualSeconds && waiting > 0 ? `events are behind: ${behind}` : undefined;
}
