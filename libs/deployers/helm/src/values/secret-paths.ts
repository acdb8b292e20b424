import {
  annotations,
  boundPaths,
  joinPath,
  parsePaths,
  valuesAt,
  type DeployItem,
  type JsonPath,
} from "@landscaper/api";
import { createBreather } from "@landscaper/controller-runtime";
import { isJsonObject } from "@landscaper/resources";
import type { HelmConfig } from "../helm-config.ts";
import type { HelmStatus } from "../helm-status.ts";

const field = "/values";

/** Paths of an annotation of the item as those into the values of the chart; undefined when there is none. */
function valuePathsOf({ metadata }: DeployItem, annotation: string): readonly JsonPath[] | undefined {
  const paths = parsePaths(metadata.annotations?.[annotation]);
  return paths?.flatMap((path) => {
    if (path === "" || path === field) return [""];
    return path.startsWith(`${field}/`) ? [path.slice(field.length)] : [];
  });
}

/** What of the values derives from secrets: what the core has called so, and what Secrets set (`read`). */
export function secretPathsOf(item: DeployItem, read: readonly JsonPath[]): readonly JsonPath[] | undefined {
  const known = valuePathsOf(item, annotations.sensitiveConfig);
  return known === undefined && read.length === 0 ? undefined : [...(known ?? []), ...read];
}

export function leafPaths(value: unknown, path: JsonPath = ""): readonly JsonPath[] {
  if (!isJsonObject(value)) return path === "" ? [] : [path];
  return Object.entries(value).flatMap(([key, member]) => leafPaths(member, joinPath(path, key)));
}

/** For the status: what the values of this and of all earlier revisions had from secrets. */
export function allSecretPaths(status: HelmStatus, { secretPaths = [] }: HelmConfig): readonly JsonPath[] {
  return boundPaths([...(status.secretValues ?? []), ...secretPaths]);
}

/** Paths that were secret before, and may be in what is deployed now. */
export function formerSecretPaths(item: DeployItem, status: HelmStatus): readonly JsonPath[] {
  return [...(valuePathsOf(item, annotations.formerSensitiveConfig) ?? []), ...(status.secretValues ?? [])];
}

/** What the values of revisions have at paths that are, or once were, secret. */
export async function storedAt(revisions: readonly unknown[], paths: readonly JsonPath[]): Promise<unknown[]> {
  const breathe = createBreather();
  const found: unknown[] = [];
  for (const values of revisions) {
    await breathe();
    for (const value of valuesAt(values, paths)) found.push(value);
  }
  return found;
}
