import type { GoldenCase } from "@landscaper/spiff/testing";
import { failedNodes, type FailedNode } from "./spiff-failures.ts";

/** Where a dynamic expression has found itself, or another one, in a stub. */
export function mergesOfItself(error: string): ReadonlySet<string> {
  const inTemplate =
    /\tin \S+\t(\S*)\t.*\*resolution of template '\S*' failed\n\t+\(\( .*\*dynamic marker for non-template value node$/gm;
  const inStub = /\tin <substitute>\t(\S*)\t.*\n\t+\(\( .*\*dynamic marker for non-template value node$/gm;
  const inDocument = /\(\( .*merge.* \)\)\tin \S+\t(\S*)\t.*\*dynamic marker for non-template value node$/gm;
  const nodes = [inTemplate, inStub, inDocument].flatMap((node) => [...error.matchAll(node)]);
  return new Set(nodes.map(([, path = ""]) => path.replace(/\.<<<?$/, "")));
}

/** With the path of the innermost dynamic map that fails for each failed one from a stub that has others in it. */
export function withInnermostMaps(error: string): FailedNode[] {
  const inner = /^\t{3,}\(\( \*\(<template .*\tin <substitute>\t\S*\t\(([^\t)]+)\)\*/gm;
  return error.split(/\n(?=\t\S)/).flatMap((text) => {
    const path = [...text.matchAll(inner)].at(-1)?.[1];
    return failedNodes(text).map((node) => (path === undefined ? node : { ...node, path }));
  });
}

/** Where a dynamic map from a stub has no value, and no reason. */
export function undefinedTemplates(error: string): ReadonlySet<string> {
  const node = /^\t\(\( \*\(<template .*\tin <substitute>\t(\S*)\t\(\)$/gm;
  return new Set([...error.matchAll(node)].map(([, path = ""]) => path));
}

/** The same in the stub. */
export function dynamicMaps(error: string): ReadonlySet<string> {
  const node = /^\t\(\( \*\(<template .*\tin \S+\t(\S*)\t\(\)$/gm;
  return new Set([...error.matchAll(node)].map(([, path = ""]) => path));
}

/** Where an insertion of a dynamic map from a stub has no value, and no reason. */
export function dynamicInsertions(error: string): ReadonlySet<string> {
  const node = /^\t\(\( \*\(<template .*\tin \S+\t(\S*\.<<<?)\t\(\)$/gm;
  return new Set([...error.matchAll(node)].map(([, path = ""]) => path));
}

/** The case with dynamic expressions of stubs that are the alternatives of their merges. */
export function withoutMergesOfItself(item: GoldenCase): GoldenCase {
  const without = (text: string): string =>
    text
      .replaceAll(/(&dynamic &template \( ?)merge[^)|]*\|\| /g, "$1")
      .replaceAll(/(&dynamic &template \( ?)merge[^)|]*/g, "$1~ ");
  return { ...item, stubs: item.stubs.map(without) };
}

/** The case without dynamic maps of stubs that have an undefined insertion. */
export function withoutUndefinedTemplates(item: GoldenCase): GoldenCase {
  const isUndefined = (node: unknown): boolean =>
    typeof node === "object" &&
    node !== null &&
    /"<<<?":"\(\( (?:&\S+ )*&dynamic &template \(~~\) \)\)"/.test(JSON.stringify(node));
  const without = (text: string): string => {
    const stub = JSON.parse(text) as Readonly<Record<string, unknown>>;
    return JSON.stringify(Object.fromEntries(Object.entries(stub).filter(([, node]) => !isUndefined(node))));
  };
  return { ...item, stubs: item.stubs.map(without) };
}

/** The case with maps that are not dynamic. */
export function withoutDynamicMaps(item: GoldenCase): GoldenCase {
  const without = (text: string): string =>
    text.replaceAll(/("<<<?":"\(\( (?:&\S+ )*)&dynamic &template \)\)"/g, '$1&default ))"');
  return { ...item, template: without(item.template), stubs: item.stubs.map(without) };
}
