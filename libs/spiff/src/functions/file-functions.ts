import { cleanPath } from "@landscaper/golang";
import type { Environment, HostFiles } from "../evaluate/environment.ts";
import { failLocally, quoting } from "../evaluate/failure.ts";
import { listOf } from "../value/build-value.ts";
import type { Value } from "../value/value.ts";
import type { Arguments } from "./arguments.ts";
import { defineFunctions } from "./define-functions.ts";
import { parseText } from "./text/parse-text.ts";

/** Files that the caller lends: those of a blueprint. Nothing else can be read. */
export const fileFunctions = defineFunctions({
  read,
  lookup_file: (args, environment) => lookUp(args, environment, false),
  lookup_dir: (args, environment) => lookUp(args, environment, true),
  list_files: (args, environment) => list(args, environment, false),
  list_dirs: (args, environment) => list(args, environment, true),
});

function read(args: Arguments, environment: Environment): Value {
  args.count(1, 2, "read takes a maximum of two arguments");
  const path = args.text(0, "string value required for file path");
  const mode = args.length > 1 ? args.text(1, "string value required for type") : defaultMode(path);
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(path)) {
    return failLocally("read: only files of the blueprint can be read, no URLs");
  }
  const files = filesOf(args, environment);
  const clean = cleanPath(path);
  if (!isInside(path) || !files.has(clean)) return failLocally(quoting`read: error reading [${path}]: no such file`);
  return parseText(files.readText(clean), mode, { name: path, isTrusted: true, environment });
}

function defaultMode(path: string): string {
  return /\.(?:ya?ml|json)$/.test(path) ? "yaml" : "text";
}

function filesOf({ name }: Arguments, { document }: Environment): HostFiles {
  return document.host.files ?? failLocally(`${name}: there are no files here`);
}

/** Whether a path stays below the root; a leading "/" is the root. */
function isInside(path: string): boolean {
  return path !== "" && !/^\.\.(?:\/|$)/.test(cleanPath(path.replace(/^\/+/, "")));
}

/** lookup_file(name, folders...): the paths of that name below each of the folders that have it. */
function lookUp(args: Arguments, environment: Environment, isDirectory: boolean): Value {
  const { name: own } = args;
  args.count(2, Number.POSITIVE_INFINITY, `${own} requires at least two arguments`);
  const name = args.text(0, `${own}: first argument must be a string`);
  if (name === "") return failLocally(`${own}: first argument is empty string`);
  const folders = args.values.slice(1).flatMap((value, index) => {
    if (typeof value === "string") return [value];
    if (typeof value !== "object" || value?.kind !== "list") {
      return failLocally(`${own}: argument ${index} must be a string or a list of strings`);
    }
    return value.items.map((cell) =>
      typeof cell.value === "string" ? cell.value : failLocally(`${own}: argument ${index} must be a list of strings`),
    );
  });
  const files = filesOf(args, environment);
  environment.document.budget.chargeEntries(folders.length);
  const paths = folders.filter((folder) => folder !== "").map((folder) => `${folder}/${name}`);
  return listOf(paths.filter((path) => isDirectoryAt(path, files) === isDirectory));
}

function list(args: Arguments, environment: Environment, isDirectory: boolean): Value {
  const { name } = args;
  args.count(1, 1, `${name} requires exactly one arguments`);
  const path = args.text(0, `${name}: argument must be a string`);
  if (path === "") return failLocally(`${name}: argument is empty string`);
  const files = filesOf(args, environment);
  if (isDirectoryAt(path, files) !== true) {
    return failLocally(quoting`${{ text: name, safeText: name }}: "${path}" is no directory or does not exist`);
  }
  const entries = files.readDir(cleanPath(path)).filter((entry) => entry.isDirectory === isDirectory);
  environment.document.budget.chargeEntries(entries.length);
  return listOf(entries.map((entry) => entry.name));
}

/** Whether there is a folder or something else at a path; undefined for nothing. Folders are gone through from the root. */
function isDirectoryAt(path: string, files: HostFiles): boolean | undefined {
  if (!isInside(path)) return undefined;
  const clean = cleanPath(path.replace(/^\/+/, ""));
  if (clean === ".") return true;
  let isDirectory = true;
  let folder = ".";
  for (const name of clean.split("/")) {
    if (!isDirectory) return undefined;
    const entry = files.readDir(folder).find((candidate) => candidate.name === name);
    if (entry === undefined) return undefined;
    isDirectory = entry.isDirectory;
    folder = folder === "." ? name : `${folder}/${name}`;
  }
  return isDirectory;
}
