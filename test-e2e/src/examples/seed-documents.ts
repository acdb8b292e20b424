import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { UnstructuredObject } from "@landscaper/api";
import { parseAllDocuments } from "yaml";
import { samplePath } from "./sample-folder.ts";

const folder = join(import.meta.dirname, "../../documents");

/** Our own, completed versions of the snippets of seed-000 and seed-001, and what becomes of them. */
export interface SeedDocument {
  readonly name: string;
  readonly text: string;
  /** The comments at its top: which lines of which seed, what is completed, what corrected. */
  readonly header: string;
  readonly objects: readonly UnstructuredObject[];
  readonly expected: Expectation;
}

/** The last document of the file; names of Installations are keys. */
export interface Expectation {
  readonly phases: Readonly<Record<string, "Succeeded" | "Failed">>;
  /** Part of `status.lastError.message`. */
  readonly messages?: Readonly<Record<string, string>>;
  /** Specifications of deploy items, in part. */
  readonly deployItems?: Readonly<Record<string, Readonly<Record<string, object>>>>;
  /** Objects, in part. */
  readonly objects?: readonly UnstructuredObject[];
}

function readDocument(file: string): SeedDocument {
  const text = readFileSync(join(folder, file), "utf8");
  const values = parseAllDocuments(text).map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw new Error(`${file}: ${error.message}`);
    return document.toJS() as unknown;
  });
  const last = values.pop() as { readonly expect: Expectation };
  const objects = values as UnstructuredObject[]; // the API server checks them
  const header = text.slice(0, text.indexOf("apiVersion")).replaceAll(/^# ?/gm, "");
  return { name: file.replace(".yaml", ""), text, header, objects, expected: last.expect };
}

export function readSeedDocuments(): SeedDocument[] {
  return readdirSync(folder).toSorted().map(readDocument);
}

/** A part of a seed that a document stands for; lines from 1, both ends included. */
export interface SeedRange {
  readonly seed: string;
  readonly from: number;
  readonly to: number;
}

/** "seed-000 35-121, 130-140: title" in a header. */
export function rangesOf(header: string): SeedRange[] {
  return [...header.matchAll(/^(seed-\d+) ([\d, -]+):/gm)].flatMap(([, seed = "", ranges = ""]) =>
    ranges.split(",").map((range) => {
      const [from = Number.NaN, to = Number.NaN] = range.split("-").map(Number);
      return { seed, from, to };
    }),
  );
}

/** The lines of a seed that LANDSCAPER_SAMPLES hands over; their indentation is lost. */
export function readSeed(seed: string): string[] {
  const seedFolder = samplePath("specification");
  const file = readdirSync(seedFolder).find((name) => name.startsWith(seed));
  if (file === undefined) throw new Error(`${seedFolder}: expected ${seed}, found no such file`);
  return readFileSync(join(seedFolder, file), "utf8").split("\n");
}

/** Key of a line of YAML, if it is one: `- name: x`, `"$ref": "y"`. Comments are none. */
export function yamlKey(line: string): string | undefined {
  return /^(?:- )?"?([$\w][\w./-]*)"?:(?: |$)/.exec(line)?.[1];
}
