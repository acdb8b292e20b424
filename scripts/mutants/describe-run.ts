import type { Explanation, Judgement, PlacedMutant } from "./explanations.ts";

export interface Figures {
  /** All mutants that were chosen. */
  readonly mutants: number;
  readonly killed: number;
  readonly timedOut: number;
  /** Mutants that no test notices, but that do not compile. */
  readonly refused: number;
  /** Mutants that the time limit left out. */
  readonly notRun: number;
}

const inline = (text: string): string => `\`${text}\``;

function describeMutant(folder: string, { file, line, original, mutated, isUncovered }: PlacedMutant): string {
  const note = isUncovered === true ? "  (not covered)" : "";
  return `${folder}/${file}:${line}  ${inline(original)} → ${inline(mutated)}${note}`;
}

/** Returns the line of an outdated explanation. */
function describeOutdated(folder: string, { file, original, mutated }: Explanation): string {
  return `${folder}/mutants.json: no survivor of ${file} is ${inline(original)} → ${inline(mutated)}: remove the explanation`;
}

/** Returns the report of a run: the figures, and what makes it fail. Pure. */
export function describeRun(
  folder: string,
  { mutants, killed, timedOut, refused, notRun }: Figures,
  { unexplained, explained, outdated }: Judgement,
): readonly string[] {
  const left = notRun === 0 ? "" : `, ${notRun} not run for lack of time`;
  const notCovered = unexplained.filter(({ isUncovered }) => isUncovered === true).length;
  const survived = `${unexplained.length} survived (${notCovered} not covered)`;
  return [
    ...unexplained.map((mutant) => describeMutant(folder, mutant)),
    ...outdated.map((explanation) => describeOutdated(folder, explanation)),
    `${folder}: ${mutants} mutants: ${killed} killed, ${timedOut} timed out, ${refused} refused by the compiler, ${survived}, ${explained.length} explained${left}`,
  ];
}
