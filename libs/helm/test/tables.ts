import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fromYaml } from "@landscaper/goyaml";

/** By group: what is shown, by which chart of testdata/renderings, and by which text that Helm prints for it. */
export type Shown = Readonly<Record<string, readonly (readonly [title: string, chart: string, text: string])[]>>;

/** testdata/tables.yaml; lists of words have spaces between. */
export interface Tables {
  readonly functions: Readonly<Record<"builtin" | "helm" | "sprig" | "removed", string>>;
  readonly verbs: string;
  readonly "more-verbs": string;
  readonly objects: string;
  readonly "more-objects": string;
  readonly traps: Shown;
  readonly rules: Shown;
  readonly flags: string;
}

export function readTables(): Tables {
  const file = join(import.meta.dirname, "../testdata/tables.yaml");
  const tables: unknown = fromYaml(readFileSync(file, "utf8"));
  return tables as Tables; // our own file
}

export function wordsOf(list: string): string[] {
  return list.split(/\s+/).filter((word) => word !== "");
}
