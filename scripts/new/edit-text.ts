import type { NewPackage } from "./plan-addition.ts";

/** Puts a text behind the first place of another one. */
export function insertAfter(text: string, anchor: string, addition: string): string {
  const at = text.indexOf(anchor);
  if (at < 0) throw new Error(`expected ${anchor}, beside which the new package is to stand; found none`);
  return text.slice(0, at + anchor.length) + addition + text.slice(at + anchor.length);
}

/** Replaces texts one after the other; each has to be there. */
export function replaceTexts(text: string, replacements: readonly (readonly [from: string, to: string])[]): string {
  let result = text;
  for (const [from, to] of replacements) {
    if (!result.includes(from)) throw new Error(`expected the text ${JSON.stringify(from)} in the example; found none`);
    result = result.replaceAll(from, to);
  }
  return result;
}

/** The text between two markers, each a line. */
export function sectionOf(text: string, begin: string, end: string): string {
  const from = text.indexOf(`${begin}\n`);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`expected a part from ${JSON.stringify(begin)} to ${JSON.stringify(end)}`);
  return text.slice(from + begin.length + 1, to);
}

/**
 * Adds an importer to the lock file: a copy of another package's without the `dropped` dependencies. So pnpm needs no registry, and no version changes:
 * pnpm resolves dependencies that are missing in the lock file to their newest version.
 */
export function copyImporter(lock: string, { dir, name, like, dropped = [] }: NewPackage): string {
  const importers = sectionOf(lock, "importers:\n", "packages:\n");
  const blocks = importers.split(/^(?= {2}\S)/m);
  const dirOf = (block: string): string => block.trim().split(":")[0] ?? "";
  const model = blocks.find((block) => dirOf(block) === like.dir);
  if (model === undefined) throw new Error(`expected the importer ${like.dir}; found none`);
  // A dependency has three lines: its name, and its specifier and version below.
  const used = dropped.reduce(
    (text, name) => text.replace(new RegExp(`^ {6}'${name}':\n(?: {8}.*\n){2}`, "m"), ""),
    model,
  );
  const added = used
    .replace(`${like.dir}:`, `${dir}:`)
    // A service depends on the library of its own deployer.
    .replaceAll(`'${like.name}-lib'`, `'${name}-lib'`)
    .replaceAll(/link:(\S*libs\/deployers)\/\S+/g, `link:$1/${name.replace(/^@landscaper\/(.*)-deployer$/, "$1")}`);
  const next = blocks.findIndex((block) => dirOf(block) > dir);
  const sorted = next < 0 ? [...blocks, added] : blocks.toSpliced(next, 0, added);
  return lock.replace(importers, () => sorted.join(""));
}
