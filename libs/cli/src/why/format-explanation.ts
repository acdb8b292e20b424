import type { Explanation } from "./explanation.ts";

/** Ends here, however much waits: who wants all of it asks `landscaper tree`. */
const maxSiblings = 10;
const maxWarnings = 10;

/** One line for each object on the way to the leaves, indented, what can be done below, and the warnings at the end. */
export function formatExplanation(explanation: Explanation): string {
  const { warnings = [] } = explanation;
  const missing = warnings.length - maxWarnings;
  const lines = [
    ...format(explanation, ""),
    ...warnings.slice(0, maxWarnings).map((warning) => `  warning: ${warning}`),
    ...(missing > 0 ? [`  ... ${missing} more warnings`] : []),
  ];
  return `${lines.join("\n")}\n`;
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
