import { questionOf, resultOf, runOurs, type GoldenCase, type GoldenResult } from "@landscaper/spiff/testing";
import { askSpiff } from "../../oracles/spiff/recording.ts";
import { spiffWords, wordsIn } from "./count-spiff-words.ts";
import { knownDifference } from "./known-spiff-differences.ts";
import type { Agreement, FuzzTarget } from "./run-fuzz.ts";
import { spiffCase, type SpiffCase } from "./spiff-documents.ts";
import { failedNodes, isSameFailure } from "./spiff-failures.ts";
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
    if (isSame(real, ours)) return "output" in real ? { words: wordsIn(item) } : {};
    const known = knownDifference({ item, real, ours });
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

function ourResult(item: GoldenCase): GoldenResult | { readonly crash: string } {
  try {
    return runOurs(item);
  } catch (error) {
    return { crash: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function isSame(real: GoldenResult, ours: ReturnType<typeof ourResult>): boolean {
  if ("crash" in ours) return false;
  if ("output" in real) return "output" in ours && real.output === ours.output;
  // What kills the original is an ordinary result or error here.
  if (real.error.startsWith("panic")) return true;
  return "error" in ours && isSameFailure(failedNodes(real.error), failedNodes(ours.error));
}

function show(result: object): string {
  return Object.entries(result)
    .map(([kind, text]) => `${kind} ${String(text)}`)
    .join("\n");
}
