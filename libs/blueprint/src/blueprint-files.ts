import { didYouMean, findNearestName } from "@landscaper/api";
import { toYaml } from "@landscaper/goyaml";
import { blueprintError } from "./blueprint-error.ts";
import type { BlueprintEntry, BlueprintFiles } from "./blueprint-source.ts";
import { describeType, isRecord } from "./parameter/describe-value.ts";

/** A folder: its entries by name. */
export type Folder = ReadonlyMap<string, Folder | Uint8Array>;

/** Files from a nested map: keys are names, text and bytes are files, maps are folders. Throws LandscaperError. */
export function filesFromTree(tree: unknown, where: string): BlueprintFiles {
  if (!isRecord(tree)) {
    throw blueprintError("InvalidInput", `${where}: expected a map of files and folders, found ${describeType(tree)}`);
  }
  return new FolderFiles(folderOf(tree, where));
}

/** Files by their paths, such as those of an archive. Throws LandscaperError for a file below another file. */
export function filesFromPaths(files: ReadonlyMap<string, Uint8Array>, where: string): BlueprintFiles {
  const root = new Map<string, Folder | Uint8Array>();
  for (const [path, content] of files) {
    const segments = splitPath(path);
    let folder = root;
    for (const name of segments.slice(0, -1)) {
      const next = folder.get(name) ?? new Map<string, Folder | Uint8Array>();
      if (!(next instanceof Map)) {
        throw blueprintError("InvalidInput", `${where}: ${JSON.stringify(path)} lies below a file`);
      }
      folder.set(name, next);
      folder = next;
    }
    const name = segments.at(-1) ?? "";
    if (folder.get(name) instanceof Map) {
      throw blueprintError("InvalidInput", `${where}: ${JSON.stringify(path)} is a file and a folder`);
    }
    folder.set(name, content);
  }
  return new FolderFiles(root);
}

function folderOf(tree: Readonly<Record<string, unknown>>, where: string): Folder {
  return new Map(
    Object.entries(tree).map(([name, value]) => [checkName(name, where), entryOf(value, `${where}/${name}`)]),
  );
}

function checkName(name: string, where: string): string {
  if (name === "" || name === "." || name === ".." || name.includes("/") || name.includes("\0")) {
    const hint = "write each folder as a map of its files";
    const problem = `${where}: ${JSON.stringify(name)} is not a valid name of a file or folder`;
    throw blueprintError("InvalidInput", problem, name.includes("/") ? { hint } : {});
  }
  return name;
}

function entryOf(value: unknown, where: string): Folder | Uint8Array {
  if (typeof value === "string") return new TextEncoder().encode(value);
  if (value instanceof Uint8Array) return value;
  // A file whose text was written as YAML structure instead of text: only blueprint.yaml can be told from a folder.
  if (isRecord(value)) {
    return where.endsWith("/blueprint.yaml") ? new TextEncoder().encode(toYaml(value)) : folderOf(value, where);
  }
  throw blueprintError("InvalidInput", `${where}: expected text or a map, found ${describeType(value)}`);
}

/** Path segments below the root; "/x", "./x" and "a/../x" are x. Throws LandscaperError for a path that leaves the root. */
export function splitPath(path: string): readonly string[] {
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") segments.push(segment);
    else if (segments.pop() === undefined) {
      throw blueprintError("InvalidInput", `${JSON.stringify(path)}: the path leaves the blueprint`);
    }
  }
  return segments;
}

/** Returns `: did you mean "FILE"?` with the file in the same folder that is most like the path's. Returns "" if none is like it. */
export function suggestFile(path: string, namesIn: (folder: string) => readonly string[]): string {
  const segments = splitPath(path);
  const folder = segments.slice(0, -1);
  const nearest = findNearestName(segments.at(-1) ?? "", namesIn(folder.join("/")));
  return didYouMean(nearest === undefined ? undefined : [...folder, nearest].join("/"));
}

class FolderFiles implements BlueprintFiles {
  readonly #root: Folder;

  constructor(root: Folder) {
    this.#root = root;
  }

  has(path: string): boolean {
    return this.#find(path) !== undefined;
  }

  readFile(path: string): Uint8Array {
    const found = this.#find(path);
    if (found instanceof Uint8Array) return found;
    if (found !== undefined) throw missing(path, "it is a folder, expected a file");
    throw missing(path, `the blueprint has no such file${this.#suggest(path)}`);
  }

  #suggest(path: string): string {
    return suggestFile(path, (folder) => {
      const found = this.#find(folder);
      return found instanceof Map ? [...found.keys()] : [];
    });
  }

  readText(path: string): string {
    return new TextDecoder("utf-8").decode(this.readFile(path));
  }

  readDir(path: string): readonly BlueprintEntry[] {
    const found = this.#find(path);
    if (found === undefined) throw missing(path, "the blueprint has no such folder");
    if (found instanceof Uint8Array) throw missing(path, "it is a file, expected a folder");
    return [...found]
      .map(([name, entry]) => ({
        name,
        isDirectory: !(entry instanceof Uint8Array),
        size: entry instanceof Uint8Array ? entry.length : 0,
      }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  #find(path: string): Folder | Uint8Array | undefined {
    let current: Folder | Uint8Array | undefined = this.#root;
    for (const segment of splitPath(path)) {
      if (current === undefined || current instanceof Uint8Array) return undefined;
      current = current.get(segment);
    }
    return current;
  }
}

/** Paths may come from templates, and these know them from imports: they are quoted, so that they can be masked. */
function missing(path: string, problem: string): Error {
  return blueprintError("InvalidInput", `${JSON.stringify(path)}: ${problem}`, { at: [{ file: path }] });
}
