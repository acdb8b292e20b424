import type { Installation } from "@landscaper/api";
import { exportedNames, importedNames, type ScopedName, type Siblings } from "@landscaper/blueprint";
import type { IndexFunctions, Lister } from "@landscaper/controller-runtime";
import { nameOf, namespaceOf, parentOf, uidOf } from "../../object-reading.ts";

const byParent = "parent";
const byExport = "export";
const byImport = "import";

/** A parent is of the same namespace: a reference that names the uid of an Installation elsewhere makes no child of it. */
function parentKey(namespace: string, uid: string): string {
  return `${namespace}/${uid}`;
}

function scopeKey(installation: Installation): string {
  return parentKey(namespaceOf(installation), parentOf(installation)?.uid ?? "");
}

function flowKey(installation: Installation, { type, name }: ScopedName): string {
  return `${scopeKey(installation)}/${type}/${name}`;
}

/** Indexes that make looking up children and siblings independent of the number of Installations. */
export const installationIndexes: IndexFunctions<Installation> = {
  [byParent]: (installation) => {
    return parentOf(installation) === undefined ? [] : [scopeKey(installation)];
  },
  [byExport]: (installation) => exportedNames(installation.spec.exports).map((name) => flowKey(installation, name)),
  [byImport]: (installation) => importedNames(installation.spec.imports).map((name) => flowKey(installation, name)),
};

/** Subinstallations of an Installation, sorted by name. */
export function listSubinstallations(lister: Lister<Installation>, parent: Installation): readonly Installation[] {
  const children = lister.byIndex(byParent, parentKey(namespaceOf(parent), uidOf(parent)));
  return children.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

/** Siblings as the informer knows them; an Installation is never its own sibling here. */
export function createSiblings(lister: Lister<Installation>): Siblings {
  const others = (index: string, installation: Installation, name: ScopedName) =>
    lister.byIndex(index, flowKey(installation, name)).filter((other) => uidOf(other) !== uidOf(installation));
  return {
    exportersOf: (installation, name) => others(byExport, installation, name),
    importersOf: (installation, name) => others(byImport, installation, name),
  };
}
