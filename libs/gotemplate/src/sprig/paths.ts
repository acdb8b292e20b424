import { type FunctionMap, define } from "@landscaper/golang";

/** path.Clean of Go. */
export function cleanPath(path: string): string {
  if (path === "") return ".";
  const isRooted = path.startsWith("/");
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") segments.push(segment);
    else if (segments.length > 0 && segments.at(-1) !== "..") segments.pop();
    else if (!isRooted) segments.push("..");
  }
  const joined = segments.join("/");
  if (isRooted) return `/${joined}`;
  return joined === "" ? "." : joined;
}

function baseName(path: string): string {
  if (path === "") return ".";
  let end = path.length;
  while (end > 0 && path[end - 1] === "/") end--;
  if (end === 0) return "/";
  return path.slice(path.lastIndexOf("/", end - 1) + 1, end);
}

function directory(path: string): string {
  return cleanPath(path.slice(0, path.lastIndexOf("/") + 1));
}

function extension(path: string): string {
  const dot = path.lastIndexOf(".");
  return dot < 0 || dot < path.lastIndexOf("/") ? "" : path.slice(dot);
}

const base = define(["string"], ([path]) => baseName(path));
const dir = define(["string"], ([path]) => directory(path));
const clean = define(["string"], ([path]) => cleanPath(path));
const ext = define(["string"], ([path]) => extension(path));
const isAbs = define(["string"], ([path]) => path.startsWith("/"));

/** The os* variants are those of a Unix system. */
export const pathFunctions: FunctionMap = {
  base,
  dir,
  clean,
  ext,
  isAbs,
  osBase: base,
  osDir: dir,
  osClean: clean,
  osExt: ext,
  osIsAbs: isAbs,
};
