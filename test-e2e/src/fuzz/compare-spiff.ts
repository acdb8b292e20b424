import { questionOf, resultOf, runOurs, type GoldenCase } from "@landscaper/spiff/testing";
import { askSpiff } from "../../oracles/spiff/recording.ts";
import { spiffWords, wordsIn } from "./count-spiff-words.ts";
import { knownDifference } from "./known-spiff-differences.ts";
import type { Agreement, FuzzTarget } from "./run-fuzz.ts";
import { spiffCase, type SpiffCase } from "./spiff-documents.ts";
import { isSameResult, type DifferentCase } from "./spiff-failures.ts";
import { wholeSpiffCase } from "./spiff-whole-documents.ts";

/** The real spiff beside libs/spiff: outputs, and which nodes have no value and why, by their tags. */
export const spiffTarget: FuzzTarget<SpiffCase> = { cases: spiffCase, compare };

/** The same for documents with all that documents can have. */
export const wholeSpiffTarget: FuzzTarget<SpiffCase> = { cases: wholeSpiffCase, words: spiffWords, compare };

function compare(cases: readonly SpiffCase[]): (string | Agreement)[] {
  const goldenCases = cases.map(goldenCaseOf);
  const answers = askSpiff(goldenCases.map(questionOf));
  return goldenCases.map((item, index) => {
    const real = resultOf(answers[index] ?? {}, item);
    const ours = ourResult(item);
    const compared = { item, real, ours };
    if (isSameResult(compared)) return "output" in real ? { words: wordsIn(item) } : {};
    const known = knownDifference(compared, compareOne);
    if (known !== undefined) return { known };
    const texts = [
      item.template,
      ...item.stubs.map((stub) => `stub: ${stub}`),
      `bindings: ${item.bindings ?? "none"}`,
      `features: ${item.features.join(" ")}`,
    ];
    return `${texts.join("\n")}\nspiff: ${show(real)}\nours:  ${show(ours)}`;
  });
}

function goldenCaseOf({ template, stubs, bindings, features = [], files = {} }: SpiffCase): GoldenCase {
  return { name: "", row: "", template, stubs, bindings, files, features, flags: [], isExpression: false };
}

function compareOne(item: GoldenCase): DifferentCase {
  const [answer = {}] = askSpiff([questionOf(item)]);
  return { item, real: resultOf(answer, item), ours: ourResult(item) };
}

function ourResult(item: GoldenCase): DifferentCase["ours"] {
  try {
    return runOurs(item);
  } catch (error) {
    return { crash: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function show(result: object): string {
  return Object.entries(result)
    .map(([kind, text]) => `${kind} ${String(text)}`)
    .join("\n");
}
