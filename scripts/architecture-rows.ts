/** A row of the table of packages in ARCHITECTURE.md. */
export interface ArchitectureRow {
  /** Text of the first column. */
  readonly title: string;
  /** Folders of the packages. */
  readonly packages: readonly string[];
}

const tableHead = "| Row | Packages |";
/** Matches the folder of a package in backticks; other folders, such as `crds/`, are part of the description of a package. */
const packageFolders = /`((?:libs|services)\/[\w/-]+|test-e2e)`/g;

/** Returns the rows of the table of packages, highest first. Throws an error if the page has no such table. Pure. */
export function readArchitectureRows(page: string): readonly ArchitectureRow[] {
  const lines = page.split("\n");
  const head = lines.indexOf(tableHead);
  if (head < 0) throw new Error(`ARCHITECTURE.md: expected a table with the head "${tableHead}", found none`);
  const rows = lines.slice(head + 2);
  const end = rows.findIndex((line) => !line.startsWith("|"));
  return rows.slice(0, end < 0 ? undefined : end).map((line) => {
    const [, title = "", packages = ""] = line.split("|");
    return { title: title.trim(), packages: [...packages.matchAll(packageFolders)].map(([, folder = ""]) => folder) };
  });
}

const describeFolders = (folders: readonly string[] = []): string => folders.toSorted().join(", ") || "no row";

/**
 * Compares the table of packages in ARCHITECTURE.md with the layers, which are folders of packages, lowest layer first. Returns the lowest difference as a
 * problem; none if both agree. Pure.
 */
export function checkArchitecture(page: string, layers: readonly (readonly string[])[]): string[] {
  const rows = readArchitectureRows(page).toReversed();
  for (let index = 0; index < Math.max(rows.length, layers.length); index++) {
    const row = rows[index];
    const [expected, found] = [describeFolders(layers[index]), describeFolders(row?.packages)];
    if (expected === found) continue;
    const place = row === undefined ? "above the first row" : `row "${row.title}"`;
    return [
      `ARCHITECTURE.md: ${place}: expected ${expected}, as in the layers of scripts/workspace.ts, found ${found}`,
    ];
  }
  return [];
}
