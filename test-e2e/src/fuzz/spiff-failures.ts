import type { GoldenCase, GoldenResult } from "@landscaper/spiff/testing";

/** A case with the results of the two engines. */
export interface DifferentCase {
  readonly item: GoldenCase;
  readonly real: GoldenResult;
  readonly ours: GoldenResult | { readonly crash: string };
}

/** Runs both engines with a case. */
export type CompareAgain = (item: GoldenCase) => DifferentCase;

/** A node without a value, as messages list them. */
export interface FailedNode {
  /** The document that it stands in, as messages call it. */
  readonly document: string;
  readonly path: string;
  readonly tag: string;
  readonly words: string;
  /** It is wrong by itself. Whether nodes that depend on others are listed follows from the passes that the original makes. */
  readonly isCause: boolean;
}

/** The nodes that a message lists. */
export function failedNodes(error: string): FailedNode[] {
  return error.split("\n").flatMap((line) => {
    const node = /^\t\S.*\tin (\S+)\t(\S*)\t\([^\t]*\)\t?([*@-]?)(.*)$/;
    const [, document = "", path, tag = "", words = ""] = node.exec(line) ?? [];
    const isCause = tag !== "@" && tag !== "-" && !/ (unresolved|not complete)$|^parse error/.test(words);
    // Some mistakes of the original have neither words nor tag.
    return path === undefined ? [] : [{ document, path, tag: tag === "" ? "*" : tag, words, isCause }];
  });
}

/** A loop that fails, with the nodes that fail in its body, also in that of a loop there. */
export interface FailedLoop {
  readonly node: FailedNode;
  readonly below: readonly FailedNode[];
}

/** The loops that a message lists. */
export function failedLoops(error: string): FailedLoop[] {
  return error.split(/\n(?=\t\S)/).flatMap((text) => {
    const [node] = failedNodes(text);
    if (node?.words !== "error evaluating body") return [];
    const below = [...text.matchAll(/^(\t{6,})(\S.*\tin \S+\t\S*\t\([^\t)]*\))(.*)$/gm)].flatMap(
      ([, indent = "", place = "", issue = ""]) =>
        failedNodes(`\t${place}\t${issue}`)
          .filter(({ words }) => words !== "error evaluating body")
          .map((one) => ({ ...one, path: `${node.path}${".<<do".repeat(Math.floor(indent.length / 6))}.${one.path}` })),
    );
    return [{ node, below }];
  });
}

/** A single node has the same path and tag; of several, what is wrong by itself in one engine has failed in the other. */
export function isSameFailure(real: readonly FailedNode[], ours: readonly FailedNode[]): boolean {
  if (real.length === 1 && ours.length === 1) return real[0]?.path === ours[0]?.path && real[0]?.tag === ours[0]?.tag;
  const covers = (all: readonly FailedNode[], some: readonly FailedNode[]): boolean =>
    some.every(({ path, isCause }) => !isCause || all.some((node) => node.path === path));
  return real.length > 0 === ours.length > 0 && covers(real, ours) && covers(ours, real);
}

/** Whether the engines agree: on the output, or on which nodes have no value and why. */
export function isSameResult({ real, ours }: DifferentCase): boolean {
  if ("crash" in ours) return false;
  if ("output" in real) return "output" in ours && real.output === ours.output;
  // What kills the original is an ordinary result or error here.
  if (real.error.startsWith("panic")) return true;
  return "error" in ours && isSameFailure(failedNodes(real.error), failedNodes(ours.error));
}

/** The documents of an output; null for one without content. */
export function documentsOf(output: string): unknown[] {
  return output.split("\n").map((text): unknown => (text === "" ? null : JSON.parse(text)));
}

/** The documents of a generated text, which is JSON, or several of it. */
export function documentsIn(text: string): unknown[] {
  return text.split("\n---\n").map((part): unknown => JSON.parse(part));
}
