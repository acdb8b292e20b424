import * as fc from "fast-check";
import {
  expressionCase,
  questionOf,
  resultOf,
  runOurs,
  type GoldenCase,
  type GoldenResult,
} from "@landscaper/spiff/testing";
import { askSpiff } from "../../oracles/spiff/recording.ts";
import type { FuzzTarget } from "./run-fuzz.ts";
import { oneText, repeated } from "./text-arbitrary.ts";

/** No generated text contains the value x: only computed text can mention it. */
const surroundings = "d: x\na: 7";

/** Text with brackets, quotes and marks at any place, and with whole expressions. */
const interpolation = repeated(
  fc.oneof(
    { weight: 3, arbitrary: oneText("(", "((", ")", "))") },
    { weight: 2, arbitrary: oneText("d", " ", "a", "!", '"', "\\", "(( d ))", '(( "s" d ))', "((! a ))", "(( ))") },
  ),
  { min: 2, max: 12 },
).filter((text) => text.includes("(("));

/** The real spiff beside libs/spiff: where expressions within text begin and end. Of errors only that there is one. */
export const spiffInterpolationTarget: FuzzTarget<string> = {
  cases: interpolation,
  compare: (texts) => {
    const cases = texts.map(caseOf);
    const answers = askSpiff(cases.map(questionOf));
    return cases.map((item, index) => {
      const [real, ours] = [resultOf(answers[index] ?? {}, item), runOurs(item)];
      const known = isSame(real, ours) ? undefined : knownDifference(item.name, real, ours);
      if (known !== undefined) return { known };
      return isSame(real, ours)
        ? undefined
        : `${item.name}\nspiff: ${JSON.stringify(real)}\nours:  ${JSON.stringify(ours)}`;
    });
  },
};

function caseOf(text: string): GoldenCase {
  const template = `${surroundings}\nRES: ${JSON.stringify(text)}\n`;
  return { ...expressionCase(surroundings, text), template, features: ["interpolation"] };
}

function isSame(real: GoldenResult, ours: GoldenResult): boolean {
  return "output" in real && "output" in ours ? real.output === ours.output : "error" in real && "error" in ours;
}

/** The reason in libs/spiff/README.md for a difference. */
function knownDifference(text: string, real: GoldenResult, ours: GoldenResult): string | undefined {
  // A text before an expression is a string literal of the expression.
  if (/\\(?:\(\(|"|$)/.test(text) && isText(real, text)) return "string literals may end with a backslash";
  if (!("output" in ours)) return undefined;
  return isComputedAgain(text, real, ours.output) ? "computed text is inert" : undefined;
}

/** The original reads computed text again: it evaluates expressions and removes marks, unless brackets in front of them do not close. */
function isComputedAgain(text: string, real: GoldenResult, output: string): boolean {
  if ("error" in real && /'x' not found/.test(real.error)) return true;
  if ("output" in real && withoutMarks(real.output) === withoutMarks(output)) return true;
  const computed = caseOf(withMarksOf(text, JSON.parse(output) as string));
  const [answer = {}] = askSpiff([questionOf(computed)]);
  return isSame(real, resultOf(answer, computed));
}

function withoutMarks(text: string): string {
  return text.replaceAll("((!", "((");
}

/** The output with the marks that the text had, as the original reads it again. */
function withMarksOf(text: string, output: string): string {
  const marked = [...text.matchAll(/\(\(!([^()"]*)\)\)/g)];
  return marked.reduce((result, [mark]) => result.replace(withoutMarks(mark), () => mark), output);
}

function isText(real: GoldenResult, text: string): boolean {
  return "output" in real && real.output === JSON.stringify(text);
}
