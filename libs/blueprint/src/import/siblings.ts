import { annotations, isJobOpen, operations, parentOf, type Installation } from "@landscaper/api";
import { exportedNames, importedNames, type ScopedName } from "./data-flow.ts";

/** The sibling Installations that a data flow can connect: same parent, or roots of the same namespace (core.md §1.1 no. 5). */
export interface Siblings {
  exportersOf(installation: Installation, name: ScopedName): readonly Installation[];
  importersOf(installation: Installation, name: ScopedName): readonly Installation[];
}

/** A name that an Installation imports, and the siblings that export it. */
export interface Dependency {
  readonly name: ScopedName;
  readonly exporters: readonly Installation[];
}

/** What the Installation takes from its scope, with the siblings that put it there. */
export function listDependencies(installation: Installation, siblings: Siblings): readonly Dependency[] {
  if (installation.spec.optimization?.hasNoSiblingImports === true) return [];
  return importedNames(installation.spec.imports).map((name) => ({
    name,
    exporters: siblings.exportersOf(installation, name),
  }));
}

function sortUnique(installations: readonly Installation[]): readonly Installation[] {
  const byUid = new Map(installations.map((one) => [one.metadata.uid ?? "", one]));
  const nameOf = ({ metadata }: Installation): string => metadata.name ?? "";
  return [...byUid.values()].toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

/** Siblings that export what this Installation imports, each once, sorted by name. */
export function listPredecessors(installation: Installation, siblings: Siblings): readonly Installation[] {
  return sortUnique(listDependencies(installation, siblings).flatMap(({ exporters }) => exporters));
}

/** Siblings that import what this Installation exports, each once, sorted by name (core.md §4.7 fixed: target maps count). */
export function listSuccessors(installation: Installation, siblings: Siblings): readonly Installation[] {
  if (installation.spec.optimization?.hasNoSiblingExports === true) return [];
  const names = exportedNames(installation.spec.exports);
  return sortUnique(names.flatMap((name) => siblings.importersOf(installation, name)));
}

/**
 * Roots wait for predecessors that have a job or are about to get one; nested ones for predecessors that have not finished
 * the same job, which all run together (core.md §4.2, §4.3).
 */
export function isPredecessorFinished(predecessor: Installation, of: Installation): boolean {
  if (parentOf(of) !== undefined) return predecessor.status?.jobIDFinished === of.status?.jobID;
  const isTriggered = predecessor.metadata.annotations?.[annotations.operation] === operations.reconcile;
  return !isTriggered && !isJobOpen(predecessor.status);
}
