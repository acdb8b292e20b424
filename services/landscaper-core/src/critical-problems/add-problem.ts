import {
  apiVersion,
  boundText,
  criticalProblemsName,
  describeFault as maskFault,
  listFrames,
  toTimestamp,
  type CriticalProblems,
} from "@landscaper/api";

/** Older ones make room (core.md §1.1 no. 24). */
const maxProblems = 10;
const maxLength = 2_000;

export interface Problem {
  readonly podName: string;
  readonly at: Date;
  readonly description: string;
}

/** The object with one more problem, the latest last. */
export function addProblem(
  existing: CriticalProblems | undefined,
  namespace: string,
  { podName, at, description }: Problem,
): CriticalProblems {
  const problem = { podName, creationTime: toTimestamp(at), description: boundText(description, maxLength) };
  const object = existing ?? {
    apiVersion,
    kind: "CriticalProblems",
    metadata: { name: criticalProblemsName, namespace },
    spec: {},
  };
  const problems = [...(object.spec.criticalProblem ?? []), problem];
  return { ...object, spec: { ...object.spec, criticalProblem: problems.slice(-maxProblems) } };
}

/**
 * Whether an error is a fault of our code, not of its input: the kinds that JavaScript throws where Go panics. SyntaxErrors are not
 * among them: parsers throw them, and they quote what they parse.
 */
export function isFault(error: unknown): error is Error {
  return error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
}

/** Describes a fault for operators and maintainers: its place, its message without what that quotes, and its stack. A quoted text may be a secret value. */
export function describeFault(error: Error, { controller, object }: { controller: string; object: string }): string {
  return [`${controller} ${object}: ${maskFault(error)}`, ...listFrames(error)].join("\n");
}
