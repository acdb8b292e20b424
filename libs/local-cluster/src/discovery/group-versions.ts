import type { ResourceDefinition } from "../resources/resource-definition.ts";

export interface ServedVersion {
  readonly version: string;
  readonly definitions: readonly ResourceDefinition[];
}

export interface ServedGroup {
  readonly name: string;
  /** Preferred first. */
  readonly versions: readonly ServedVersion[];
}

/** Resources that store nothing and therefore have no definition: reviews. */
export function groupDefinitions(definitions: readonly ResourceDefinition[]): readonly ServedGroup[] {
  const groups = new Map<string, Map<string, ResourceDefinition[]>>();
  for (const definition of definitions) {
    const versions = groups.get(definition.group) ?? new Map<string, ResourceDefinition[]>();
    groups.set(definition.group, versions);
    versions.set(definition.version, [...(versions.get(definition.version) ?? []), definition]);
  }
  return [...groups].map(([name, versions]) => ({
    name,
    versions: [...versions]
      .map(([version, definitions]) => ({ version, definitions }))
      .toSorted((a, b) => compareVersions(a.version, b.version)),
  }));
}

/** Kubernetes' order of versions: v10, v2, v1, v2beta1, v1alpha3, then anything else by name. */
export function compareVersions(a: string, b: string): number {
  const left = priorityOf(a);
  const right = priorityOf(b);
  if (left === undefined && right === undefined) return a < b ? -1 : a > b ? 1 : 0;
  if (left === undefined) return 1;
  if (right === undefined) return -1;
  return right.stage - left.stage || right.major - left.major || right.minor - left.minor;
}

function priorityOf(version: string): { stage: number; major: number; minor: number } | undefined {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (match === null) return undefined;
  const [, major, stage, minor] = match;
  return { stage: stage === undefined ? 2 : stage === "beta" ? 1 : 0, major: Number(major), minor: Number(minor ?? 0) };
}
