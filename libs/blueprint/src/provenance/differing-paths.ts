import { joinPath, type JsonPath } from "@landscaper/api";
import { isRecord } from "../parameter/describe-value.ts";

/** Where two values differ: at leaves, and at maps and lists whose keys or lengths differ. */
export function differingPaths(actual: unknown, shadow: unknown): readonly JsonPath[] {
  const paths: JsonPath[] = [];
  collect({ actual, shadow }, "", paths);
  return paths;
}

interface Pair {
  readonly actual: unknown;
  readonly shadow: unknown;
}

function collect({ actual, shadow }: Pair, path: JsonPath, paths: JsonPath[]): void {
  if (actual === shadow) return;
  if (Array.isArray(actual) && Array.isArray(shadow) && actual.length === shadow.length) {
    for (const [index, item] of actual.entries()) {
      collect({ actual: item, shadow: shadow[index] }, joinPath(path, index), paths);
    }
    return;
  }
  if (isRecord(actual) && isRecord(shadow) && hasSameKeys(actual, shadow)) {
    for (const key of Object.keys(actual)) {
      collect({ actual: actual[key], shadow: shadow[key] }, joinPath(path, key), paths);
    }
    return;
  }
  paths.push(path);
}

function hasSameKeys(actual: Readonly<Record<string, unknown>>, shadow: Readonly<Record<string, unknown>>): boolean {
  const keys = Object.keys(actual);
  return keys.length === Object.keys(shadow).length && keys.every((key) => Object.hasOwn(shadow, key));
}
