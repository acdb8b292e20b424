import type { Mutant } from "./operators.ts";

/** Why no test can notice a mutant. The `mutants.json` of a package holds a list of these. */
export interface Explanation {
  /** Path relative to the package. */
  readonly file: string;
  /** The source line, without indentation. */
  readonly line: string;
  readonly original: string;
  readonly mutated: string;
  readonly reason: string;
}

/** A mutant with the path of its file, relative to the package. */
export interface PlacedMutant extends Pick<Mutant, "line" | "context" | "original" | "mutated"> {
  readonly file: string;
  /** No test of the package runs the code. */
  readonly isUncovered?: boolean;
}

const fields = ["file", "line", "original", "mutated", "reason"] as const;

function isExplanation(value: unknown): value is Explanation {
  if (typeof value !== "object" || value === null) return false;
  const entries = new Map(Object.entries(value));
  return entries.size === fields.length && fields.every((field) => typeof entries.get(field) === "string");
}

/** Parses a `mutants.json`. Throws an Error that names the path and the element. */
export function parseExplanations(path: string, text: string): readonly Explanation[] {
  const found: unknown = JSON.parse(text);
  if (!Array.isArray(found)) throw new Error(`${path}: expected a list of explanations`);
  return found.map((element: unknown, index) => {
    if (isExplanation(element)) return element;
    throw new Error(`${path}: element ${index}: expected an object with the texts ${fields.join(", ")}, and no others`);
  });
}

function explains(explanation: Explanation, { file, context, original, mutated }: PlacedMutant): boolean {
  const { line } = explanation;
  const isPlace = explanation.file === file && line === context;
  return isPlace && explanation.original === original && explanation.mutated === mutated;
}

export interface Judgement {
  readonly unexplained: readonly PlacedMutant[];
  readonly explained: readonly PlacedMutant[];
  /** Explanations of mutants that the tests notice now, or that do not exist. */
  readonly outdated: readonly Explanation[];
}

export interface JudgedRun {
  readonly survivors: readonly PlacedMutant[];
  /** Mutants that were not tested: an explanation of one of them is not outdated. */
  readonly untested: readonly PlacedMutant[];
  /** Returns true for a file whose mutants the run has listed. */
  readonly isListed: (file: string) => boolean;
}

/** Compares the survivors of a run with the explanations of the package. Pure. */
export function judgeSurvivors({ survivors, untested, isListed }: JudgedRun, known: readonly Explanation[]): Judgement {
  const isExplained = (mutant: PlacedMutant): boolean => known.some((explanation) => explains(explanation, mutant));
  const isCurrent = (explanation: Explanation): boolean =>
    [...survivors, ...untested].some((mutant) => explains(explanation, mutant));
  return {
    unexplained: survivors.filter((mutant) => !isExplained(mutant)),
    explained: survivors.filter(isExplained),
    outdated: known.filter((explanation) => isListed(explanation.file) && !isCurrent(explanation)),
  };
}
