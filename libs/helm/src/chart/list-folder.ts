import { compareStrings } from "@landscaper/goyaml";
import { decodeUtf8 } from "@landscaper/golang";
import { withoutByteOrderMark } from "./byte-order-mark.ts";
import { ChartError } from "./chart-error.ts";
import type { ChartFile } from "./chart.ts";
import type { ChartFolder, FolderEntry } from "./chart-folder.ts";
import { followLink, inFolder } from "./folder-links.ts";
import { type IsIgnored, parseIgnoreRules } from "./ignore-rules.ts";
import type { LoadBudget } from "./load-budget.ts";

export interface ListOptions {
  readonly budget: LoadBudget;
  readonly warn?: ((text: string) => void) | undefined;
}

/**
 * The files of a chart's folder without those that its .helmignore names, in the order of their paths; links are followed
 * inside the folder. Throws ChartError.
 */
export function listChartFiles(folder: ChartFolder, options: ListOptions): ChartFile[] {
  const ignoreFile = folder.entries("").find(({ name, kind }) => name === ".helmignore" && kind === "file");
  const rules = ignoreFile === undefined ? "" : decodeUtf8(withoutByteOrderMark(folder.read(".helmignore")));
  return new FolderLister(folder, parseIgnoreRules(rules), options).list();
}

/** A folder under way. */
interface Visit {
  /** Its path in the chart. */
  readonly path: string;
  /** Its path without links. */
  readonly real: string;
  /** Such paths of the folders around it. */
  readonly around: readonly string[];
}

class FolderLister {
  readonly #folder: ChartFolder;
  readonly #isIgnored: IsIgnored;
  readonly #options: ListOptions;
  readonly #files: ChartFile[] = [];

  constructor(folder: ChartFolder, isIgnored: IsIgnored, options: ListOptions) {
    this.#folder = folder;
    this.#isIgnored = isIgnored;
    this.#options = options;
  }

  list(): ChartFile[] {
    this.#visit({ path: "", real: "", around: [] });
    return this.#files;
  }

  #visit(visit: Visit): void {
    this.#options.budget.checkNesting(visit.around.length);
    const entries = this.#folder.entries(visit.real).toSorted((a, b) => compareStrings(a.name, b.name));
    for (const entry of entries) this.#take(entry, visit);
  }

  #take(found: FolderEntry, { path: folderPath, real: realFolder, around }: Visit): void {
    const path = below(folderPath, found.name);
    const { entry, real } = this.#resolve(found, { path, real: below(realFolder, found.name) });
    if (this.#isIgnored(path, entry.kind === "folder")) return;
    switch (entry.kind) {
      case "folder": {
        const inside = [...around, realFolder];
        if (inside.includes(real)) {
          throw new ChartError(`${inFolder(this.#folder, path)}: the symbolic link leads to a folder around it`, {
            file: path,
          });
        }
        this.#visit({ path, real, around: inside });
        break;
      }
      case "file":
        this.#options.budget.takeStored(entry.name, entry.bytes);
        this.#files.push({ name: path, data: withoutByteOrderMark(this.#folder.read(real)) });
        break;
      case "irregular":
        throw new ChartError(
          `cannot load irregular file ${inFolder(this.#folder, path)} as it has file mode type bits set`,
          { file: path },
        );
    }
  }

  #resolve(
    entry: FolderEntry,
    { path, real }: { readonly path: string; readonly real: string },
  ): { entry: Exclude<FolderEntry, { kind: "link" }>; real: string } {
    if (entry.kind !== "link") return { entry, real };
    const target = followLink(this.#folder, real);
    const [from, to] = [inFolder(this.#folder, path), inFolder(this.#folder, target.path)];
    this.#options.warn?.(
      `found symbolic link in path: ${from} resolves to ${to}. Contents of linked file included and used`,
    );
    return { entry: target.entry, real: target.path };
  }
}

function below(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}
