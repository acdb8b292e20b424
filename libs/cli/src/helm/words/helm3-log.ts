/**
 * File and line of Helm's source in the lines that v3.22.0 logs, by the start of the text. Texts that are not in this table are not log lines
 * in Helm either.
 */
const places: readonly (readonly [start: RegExp, place: string])[] = [
  [/^found symbolic link in path: /, "walk.go:75"],
  [/^Warning: Dependencies are handled in /, "load.go:120"],
  [/^Warning: Dependency locking is handled in /, "load.go:138"],
  [/^Warning: Condition path /, "dependencies.go:64"],
  [/^Warning: Tag /, "dependencies.go:95"],
  [/^Warning: ImportValues missing table from chart /, "dependencies.go:270"],
  [/^Warning: ImportValues missing table: /, "dependencies.go:287"],
  [/^warning: skipping globals because destination /, "coalesce.go:138"],
  [/^warning: skipping globals because source /, "coalesce.go:145"],
  [/^Conflict: cannot merge map onto non-map /, "coalesce.go:161"],
  [/^key [^]* is table\. Skipping$/, "coalesce.go:175"],
  [/^warning: skipped value for /, "coalesce.go:237"],
  [/^warning: cannot overwrite table with non table /, "coalesce.go:316"],
  [/^warning: destination for [^]* is a table\. Ignoring /, "coalesce.go:319"],
  [/^WARNING: unresolved URN reference ignored/, "jsonschema.go:192"],
  [/^info: skipping unknown hook: /, "manifest_sorter.go:199"],
];

/** A warning as a line that Helm logs. */
export function helm3LogLine(text: string): string {
  const [, place] = places.find(([start]) => start.test(text)) ?? [];
  return place === undefined ? `${text}\n` : `${place}: ${text}\n`;
}
