import { expressionCase, questionOf, resultOf, runOurs, type GoldenResult } from "@landscaper/spiff/testing";
import { askSpiff } from "../../oracles/spiff/recording.ts";
import type { FuzzTarget } from "./run-fuzz.ts";
import { spiffExpression, surroundings } from "./spiff-expressions.ts";

/** The functions of the original beside libs/spiff: their results; of errors only that there is one. */
export const spiffExpressionTarget: FuzzTarget<string> = {
  cases: spiffExpression,
  compare: (expressions) => {
    const cases = expressions.map((expression) => expressionCase(surroundings, expression));
    const answers = askSpiff(cases.map(questionOf));
    return cases.map((item, index) => {
      const real = resultOf(answers[index] ?? {}, item);
      const ours = ourAnswer(item);
      const isSame = isDecided(item.name, real) || isSameResult(real, ours);
      return isSame ? undefined : `${item.name}\nspiff: ${JSON.stringify(real)}\nours:  ${JSON.stringify(ours)}`;
    });
  },
};

function ourAnswer(item: Parameters<typeof runOurs>[0]): GoldenResult {
  try {
    return runOurs(item);
  } catch (error) {
    return { output: `crash: ${error instanceof Error ? (error.stack ?? "") : String(error)}` };
  }
}

/**
 * Where libs/spiff goes its own way: crashes, catch() as an argument, intersections with an empty list that a function made,
 * null as YAML, IPv6 networks, a limited number of empty matches.
 */
const decided = /\((?:\( )*catch\(|intersect\(\w+\(|replace_match\(.*"b\*", .*\)|asyaml\(none\)|num_ip\(|"fe80|"::/;
/** Their ints are of another kind in the original, and no numbers to other functions. */
const strangeInts = /[ ([](?:semvercmp|lastindex|index|integer|ceil|floor|round|roundtoeven)\(/;

function isDecided(expression: string, real: GoldenResult): boolean {
  if (decided.test(expression) || strangeInts.test(expression)) return true;
  // Whole floats that are large: here they print without an exponent.
  if ("output" in real && /e\+0/.test(real.output)) return true;
  return "error" in real && /^panic|^timeout|^reflect:/.test(real.error);
}

function isSameResult(real: GoldenResult, ours: GoldenResult): boolean {
  if ("error" in real || "error" in ours) return "error" in real && "error" in ours;
  // What catch() says of a mistake is in our words.
  const [a = "", b = ""] = [real, ours].map(({ output }) =>
    output.replaceAll(/"error":"(?:[^"\\]|\\.)+"/g, '"error":"*"'),
  );
  return a === b || isNearlySame(Number(real.output), Number(ours.output));
}

/** Mathematical libraries differ in the last digits. */
function isNearlySame(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-12 * Math.abs(a);
}
