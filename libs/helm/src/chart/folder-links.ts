import { ChartError } from "./chart-error.ts";
import { type ChartFolder, type FolderEntry, splitPath } from "./chart-folder.ts";

/** Links that may follow each other, as on Linux. */
const maxLinks = 40;

/** Where a path leads. */
export interface ResolvedPath {
  /** Without links; "" is the chart's folder. */
  readonly path: string;
  readonly entry: Exclude<FolderEntry, { kind: "link" }>;
}

/**
 * Follows the link at a path. Helm follows links to anywhere; here one that leads out of the chart's folder is an error, as
 * is one without an end.
 */
export function followLink(folder: ChartFolder, link: string): ResolvedPath {
  const fail = (problem: string): never => {
    throw new ChartError(`error evaluating symlink ${inFolder(folder, link)}: ${problem}`, { file: link });
  };
  let links = 0;
  const walk = (start: string, path: string): ResolvedPath => {
    if (path.startsWith("/")) return fail(`it leads out of the chart, to ${path}`);
    let current: ResolvedPath = { path: start, entry: { name: splitPath(start).name, kind: "folder" } };
    for (const name of path.split("/")) {
      if (name === "" || name === ".") continue;
      if (name === "..") {
        if (current.path === "") return fail(`it leads out of the chart, to ${path}`);
        const { parent } = splitPath(current.path);
        current = { path: parent, entry: { name: splitPath(parent).name, kind: "folder" } };
        continue;
      }
      const next = current.path === "" ? name : `${current.path}/${name}`;
      const entry = folder.entries(current.path).find((found) => found.name === name);
      if (entry === undefined) return fail(`lstat ${inFolder(folder, next)}: no such file or directory`);
      if (entry.kind !== "link") current = { path: next, entry };
      else if (++links > maxLinks) return fail("EvalSymlinks: too many links");
      else current = walk(current.path, entry.target);
    }
    return current;
  };
  return walk("", link);
}

/** A path for messages. */
export function inFolder({ label }: ChartFolder, path: string): string {
  return label === "" ? path : `${label}/${path}`;
}
