import type { InstallationExports, InstallationImports, TargetImport } from "@landscaper/api";

/**
 * A name in a scope that one Installation exports and others import. Order between siblings follows from these names alone,
 * never from import names (core.md §4.9).
 */
export interface ScopedName {
  readonly type: "data" | "target";
  readonly name: string;
}

/** "#name" is the object "name" of the namespace, whatever the scope (docs/guide/blueprints.md). */
export function isOfNamespace(name: string): boolean {
  return name.startsWith("#");
}

function isScoped(name: string): boolean {
  return name !== "" && !isOfNamespace(name);
}

/** Targets that an import names by object name; references to imports of the parent are none. */
function targetNames(targetImport: TargetImport): readonly string[] {
  const { target, targets, targetMap } = targetImport;
  const entries = (targets ?? []).flatMap((entry) => (typeof entry === "string" ? [entry] : Object.values(entry)));
  return [...(target === undefined ? [] : [target]), ...entries, ...Object.values(targetMap ?? {})];
}

/** What an Installation takes from its scope, each name once. */
export function importedNames(imports: InstallationImports | undefined): readonly ScopedName[] {
  const data = (imports?.data ?? []).map(({ dataRef }) => dataRef ?? "");
  const targets = (imports?.targets ?? []).flatMap(targetNames);
  return [
    ...[...new Set(data)].filter(isScoped).map((name) => ({ type: "data" as const, name })),
    ...[...new Set(targets)].filter(isScoped).map((name) => ({ type: "target" as const, name })),
  ];
}

/** What an Installation puts into its scope, each name once. */
export function exportedNames(exports: InstallationExports | undefined): readonly ScopedName[] {
  const data = new Set((exports?.data ?? []).map(({ dataRef }) => dataRef));
  const targets = new Set((exports?.targets ?? []).flatMap(({ target }) => target ?? []));
  return [
    ...[...data].filter(isScoped).map((name) => ({ type: "data" as const, name })),
    ...[...targets].filter(isScoped).map((name) => ({ type: "target" as const, name })),
  ];
}
