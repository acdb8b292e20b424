import { parseJson } from "@landscaper/json";
import { annotations } from "../objects/annotations.ts";

/** A JSON Pointer (RFC 6901) into a value; "" is the whole value. */
export type JsonPath = string;

/** All of a value. */
export const everything: readonly JsonPath[] = [""];

/** Annotations share 256 KiB, and an Execution has one for all items. */
const maxPaths = 64;
const maxLength = 4096;
/** Of paths that are too many or too long: each level that goes is a walk over all of them. */
const maxLevels = 16;

export function joinPath(path: JsonPath, key: string | number): JsonPath {
  return `${path}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

function keysOf(path: JsonPath): string[] {
  const keys = path.split("/").slice(1);
  return path.includes("~") ? keys.map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~")) : keys;
}

/** Whether the path is `ancestor` or below it. */
export function isUnderPath(path: JsonPath, ancestor: JsonPath): boolean {
  return path === ancestor || path.startsWith(`${ancestor}/`);
}

/** Each path once and none below another one; too many or too long ones become those that they start with. */
export function boundPaths(paths: readonly JsonPath[]): readonly JsonPath[] {
  if (isBounded(paths)) return outermost(paths);
  let bounded = outermost(paths.map(withoutDepths));
  while (!isBounded(bounded)) {
    const deepest = Math.max(...bounded.map((path) => keysOf(path).length));
    if (deepest === 0) return everything;
    bounded = outermost(bounded.map((path) => (keysOf(path).length === deepest ? pathAbove(path) : path)));
  }
  return bounded;
}

function withoutDepths(path: JsonPath): JsonPath {
  return path.split("/", maxLevels + 1).join("/");
}

function isBounded(paths: readonly JsonPath[]): boolean {
  return paths.length <= maxPaths && JSON.stringify(paths).length <= maxLength;
}

/** Not of the whole value. */
export function pathAbove(path: JsonPath): JsonPath {
  return path.slice(0, path.lastIndexOf("/"));
}

/** In order, an ancestor comes before what is below it. */
function outermost(paths: readonly JsonPath[]): JsonPath[] {
  const known = new Set(paths);
  return [...known].filter((path) => {
    for (let above = path; above !== "";) {
      above = pathAbove(above);
      if (known.has(above)) return false;
    }
    return true;
  });
}

/** The values at the paths; a path that leads nowhere gives nothing. */
export function valuesAt(value: unknown, paths: readonly JsonPath[]): unknown[] {
  return paths.flatMap((path) => {
    let current = value;
    for (const key of keysOf(path)) {
      if (typeof current !== "object" || current === null || !Object.hasOwn(current, key)) return [];
      current = (current as Readonly<Record<string, unknown>>)[key]; // arrays have their indexes as keys
    }
    return [current];
  });
}

/** Reads an annotation that holds a JSON list of paths, and bounds them; undefined when there is none, or when it is not such a list. */
export function parsePaths(text: string | undefined): readonly JsonPath[] | undefined {
  if (text === undefined) return undefined;
  try {
    const paths: unknown = parseJson(text);
    const isList = Array.isArray(paths) && paths.every((path) => typeof path === "string" && /^$|^\//.test(path));
    return isList ? boundPaths(paths as JsonPath[]) : undefined; // as just checked
  } catch {
    return undefined;
  }
}

type Annotations = Readonly<Record<string, string>> | undefined;

/** What of the data of a DataObject is sensitive. */
export function sensitivePathsOf(metadata: { readonly annotations?: Annotations }): readonly JsonPath[] {
  if (metadata.annotations?.[annotations.sensitive] !== "true") return [];
  return parsePaths(metadata.annotations[annotations.sensitivePaths]) ?? everything;
}

/** The annotations of a DataObject that Landscaper writes; the second one tells them from an annotation of a user. */
export function sensitiveAnnotations(paths: readonly JsonPath[]): Record<string, string> {
  if (paths.length === 0) return {};
  return { [annotations.sensitive]: "true", [annotations.sensitivePaths]: JSON.stringify(boundPaths(paths)) };
}
