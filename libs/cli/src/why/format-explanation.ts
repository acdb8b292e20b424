import type { Explanation } from "./explanation.ts";

/** Ends here, however much waits: who wants all of it asks `landscaper tree`. */
const maxSiblings = 10;

/** One line for each object on the way to the leaves, indented, and what can be done below. */
export function formatExplanation(explanation: Explanation): string {
  return `${format(explanation, "").join("\n")}\n`;
}

function format(explanation: Explanation, indent: string): readonly string[] {
  const { object, phase, message, hints, because } = explanation;
  const [first = "", ...rest] = message.split("\n");
  const shown = because.slice(0, maxSiblings);
  const missing = because.length - shown.length;
  return [
    `${indent}${object} (${phase === "" ? "not started" : phase}): ${first}`,
    ...rest.map((line) => `${indent}  ${line}`),
    ...hints.map((hint) => `${indent}  hint: ${hint}`),
    ...shown.flatMap((cause) => format(cause, `${indent}  `)),
    ...(missing > 0 ? [`${indent}  ... ${missing} more`] : []),
  ];
}
