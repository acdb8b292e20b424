import { parentOf, type Installation } from "@landscaper/api";
import { exportedNames, importedNames, type ScopedName, type Siblings } from "@landscaper/blueprint";

/** The siblings among Installations of one namespace. */
export function siblingsOf(installations: readonly Installation[]): Siblings {
  const exporters = groupByKey(installations, ({ spec }) => exportedNames(spec.exports));
  const importers = groupByKey(installations, ({ spec }) => importedNames(spec.imports));
  const others = (groups: ReadonlyMap<string, readonly Installation[]>, of: Installation, name: ScopedName) =>
    (groups.get(keyOf(of, name)) ?? []).filter(({ metadata }) => metadata.uid !== of.metadata.uid);
  return {
    exportersOf: (installation, name) => others(exporters, installation, name),
    importersOf: (installation, name) => others(importers, installation, name),
  };
}

function keyOf(installation: Installation, { type, name }: ScopedName): string {
  return `${parentOf(installation)?.uid ?? ""}/${type}/${name}`;
}

function groupByKey(
  installations: readonly Installation[],
  namesOf: (installation: Installation) => readonly ScopedName[],
): ReadonlyMap<string, readonly Installation[]> {
  const groups = new Map<string, Installation[]>();
  for (const installation of installations) {
    for (const name of namesOf(installation)) {
      const key = keyOf(installation, name);
      groups.set(key, [...(groups.get(key) ?? []), installation]);
    }
  }
  return groups;
}
