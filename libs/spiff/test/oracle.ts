import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSpiff, SpiffError, type SpiffFeature } from "../src/index.ts";
import { readYaml } from "../src/document/read-yaml.ts";
import type { HostFiles } from "../src/evaluate/environment.ts";

export type { Expression } from "../src/syntax/expression.ts";
export { parseExpression } from "../src/syntax/parse-expression.ts";

const folder = join(import.meta.dirname, "..", "testdata");

/** Switches of a merge, as on the command line of the original. */
type MergeFlag = "partial" | "preserve-escapes" | "preserve-temporary";

/** One case of the golden files: an expression with its document, or documents. */
export interface GoldenCase {
  readonly name: string;
  /** Row of testdata/rows.json that it is about: the last `#row: table/row` line before it; empty without one. */
  readonly row: string;
  readonly template: string;
  readonly stubs: readonly string[];
  readonly bindings: string | undefined;
  /** Files that read() finds, by name. */
  readonly files: Readonly<Record<string, string>>;
  readonly features: readonly SpiffFeature[];
  readonly flags: readonly MergeFlag[];
  /** Only the value at RES counts. */
  readonly isExpression: boolean;
}

/** JSON of the output, or the lines of the error from the first node on. */
export type GoldenResult = { readonly output: string } | { readonly error: string };

export interface Difference {
  readonly ours: GoldenResult;
  /** Why we do not follow the original. */
  readonly reason: string;
}

/** Files of cases: `NAME.expressions.txt` (a document, "=====", one expression a line) and `NAME.documents.txt`. */
export function goldenFiles(): string[] {
  return readdirSync(folder).filter((name) => /\.(expressions|documents)\.txt$/.test(name));
}

export function readCases(file: string): GoldenCase[] {
  const text = readFileSync(join(folder, file), "utf8");
  return file.includes(".expressions.") ? expressionCases(text) : documentCases(text);
}

function expressionCases(text: string): GoldenCase[] {
  const [context = "", expressions = ""] = text.split("=====\n");
  let row = "";
  return expressions.split("\n").flatMap((line): GoldenCase[] => {
    row = rowIn(line) ?? row;
    if (line === "" || rowIn(line) !== undefined) return [];
    return [{ ...expressionCase(context, line), row }];
  });
}

/** The case of an expression among the fields of a document. */
export function expressionCase(context: string, expression: string): GoldenCase {
  return {
    name: expression,
    row: "",
    template: `${context}\nRES: |-\n  (( ${expression} ))\n`,
    stubs: [],
    bindings: undefined,
    files: {},
    features: [],
    flags: [],
    isExpression: true,
  };
}

function rowIn(line: string): string | undefined {
  return /^#row: (.+)$/.exec(line)?.[1];
}

/** Cases begin with `---- name`; further parts with `%% stub`, `bindings`, `file NAME`, `features NAME...`, `flags NAME...`. */
function documentCases(text: string): GoldenCase[] {
  let row = "";
  const [before = "", ...blocks] = text.split(/^---- /m);
  let next = lastRow(before);
  return blocks.map((block) => {
    const [head = "", ...allLines] = block.split("\n");
    row = next ?? row;
    next = lastRow(block);
    const lines = allLines.filter((line) => rowIn(line) === undefined);
    const [template = "", ...rest] = lines.join("\n").split(/^%% */m);
    const parts = rest.map((part) => {
      const [title = "", ...body] = part.split("\n");
      const [kind = "", ...words] = title.trim().split(/\s+/);
      return { kind, words, body: body.join("\n") };
    });
    const ofKind = (kind: string): typeof parts => parts.filter((part) => part.kind === kind);
    return {
      name: head,
      row,
      template,
      stubs: ofKind("stub").map(({ body }) => body),
      bindings: ofKind("bindings")[0]?.body,
      files: Object.fromEntries(ofKind("file").map(({ words, body }) => [words[0] ?? "", body])),
      features: ofKind("features").flatMap(({ words }) => words as SpiffFeature[]),
      flags: ofKind("flags").flatMap(({ words }) => words as MergeFlag[]),
      isExpression: false,
    };
  });
}

function lastRow(text: string): string | undefined {
  return text
    .split("\n")
    .map(rowIn)
    .findLast((row) => row !== undefined);
}

export function readGolden(file: string): Record<string, GoldenResult> {
  return readJson(file.replace(".txt", ".golden.json"));
}

export function readDifferences(file: string): Record<string, Difference> {
  return readJson(file.replace(".txt", ".differences.json"));
}

function readJson<T>(file: string): Record<string, T> {
  const path = join(folder, file);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Record<string, T>) : {};
}

/** Keeps the original's results for the cases of a file. */
export function writeGolden(file: string, results: Readonly<Record<string, GoldenResult>>): void {
  writeFileSync(join(folder, file.replace(".txt", ".golden.json")), `${JSON.stringify(results, null, 1)}\n`);
}

/** A case as a question to the program around the original (test-e2e/oracles/spiff). */
export function questionOf(item: GoldenCase): unknown {
  return {
    template: { name: "template.yaml", text: item.template },
    stubs: item.stubs.map((text, index) => ({ name: `stub${index + 1}.yaml`, text })),
    ...(item.bindings === undefined ? {} : { bindings: { name: "bindings.yaml", text: item.bindings } }),
    files: item.files,
    features: item.features,
    partial: item.flags.includes("partial"),
    preserveEscapes: item.flags.includes("preserve-escapes"),
    preserveTemporary: item.flags.includes("preserve-temporary"),
  };
}

/** What the program around the original answers. */
export interface OracleAnswer {
  readonly documents?: readonly { readonly yaml: string; readonly json: string; readonly jsonError?: string }[];
  readonly state?: { readonly yaml: string; readonly json: string };
  readonly error?: string;
}

/** The original's answer to a case, as the recordings have it. */
export function resultOf(answer: OracleAnswer, item: GoldenCase): GoldenResult {
  if (answer.error !== undefined) return { error: originalError(answer.error) };
  const documents = answer.documents ?? [];
  const problem = documents.find(({ jsonError }) => jsonError !== undefined)?.jsonError;
  // An incomplete result has no JSON, but YAML.
  const isPartial = item.flags.includes("partial");
  if (problem !== undefined && !isPartial) return { error: `error marshalling manifest: ${problem.trim()}` };
  const jsonOf = ({ json, yaml }: (typeof documents)[number]): string =>
    isPartial ? toJson(readYaml(yaml, item.name)) : canonical(json);
  if (!item.isExpression) return { output: documents.map(jsonOf).join("\n") };
  const [document] = documents;
  const values = JSON.parse(document?.json ?? "{}") as Record<string, unknown>;
  return "RES" in values ? { output: JSON.stringify(values["RES"]) } : { error: "undefined" };
}

/** JSON in one form. Floats beyond 2^53 keep what a double has. */
function canonical(json: string): string {
  return json === "" ? "" : JSON.stringify(JSON.parse(json));
}

function originalError(text: string): string {
  if (text.startsWith("panic:")) return "panic";
  const [, nodes] = /^unresolved nodes:\n([\s\S]*)$/.exec(text) ?? [];
  return nodes === undefined ? text.trim() : sortNodes(nodes.replaceAll("\tin template.yaml\tRES\t()\t", "\t"));
}

/** The original's order inside one class is random, as are addresses of its functions and the order of controls; its words on syntax are those of its parser generator. */
function sortNodes(text: string): string {
  const parsed = text
    .replaceAll(/\b0x[0-9a-f]{5,}/g, "0xADDRESS")
    .replaceAll(/(multiple controls) (.*) and (.*)/g, (_, words: string, ...names: string[]) =>
      [words, ...names.slice(0, 2).toSorted()].join(" "),
    )
    .replaceAll(/parse error near symbol.*/g, "parse error")
    .replaceAll("\tin template.yaml\tRES\t()", "");
  const nodes = parsed.split(/\n(?=\t\S)/);
  return [nodes[0] ?? "", ...nodes.slice(1)]
    .map((node) => node.replace(/\s+$/, ""))
    .toSorted()
    .join("\n");
}

/** Bytes of a small generator: the same each time, and good enough for tests. */
function seeded(): (count: number) => Uint8Array {
  let state = 1;
  const next = (): number => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) >>> 24;
  return (count) => Uint8Array.from({ length: count }, next);
}

const clock = (): Date => new Date("2026-11-21T09:08:07.123Z");

/** Our result in the same form. */
export function runOurs(item: GoldenCase): GoldenResult {
  try {
    const { outputs } = createSpiff({ random: seeded(), clock }).merge({
      template: { name: "template.yaml", text: item.template },
      isStream: true,
      stubs: item.stubs.map((text, index) => ({ name: `stub${index + 1}.yaml`, text })),
      bindings: item.bindings === undefined ? {} : parseBindings(item.bindings),
      files: filesOf(item.files),
      features: item.features,
      partial: item.flags.includes("partial"),
      preserveEscapes: item.flags.includes("preserve-escapes"),
      preserveTemporary: item.flags.includes("preserve-temporary"),
    });
    if (!item.isExpression) return { output: outputs.map(toJson).join("\n") };
    const values = outputs[0] as Record<string, unknown>;
    return "RES" in values ? { output: toJson(values["RES"]) } : { error: "undefined" };
  } catch (error) {
    if (!(error instanceof SpiffError)) throw error;
    const [first = "", ...rest] = error.message.split("\n");
    if (first !== "unresolved nodes:") return { error: error.message };
    return { error: sortNodes(rest.join("\n").replaceAll("\tin template.yaml\tRES\t()\t", "\t")) };
  }
}

/** Files by path as a host lends them. */
function filesOf(files: GoldenCase["files"]): HostFiles {
  return {
    has: (path) => path in files,
    readText: (path) => files[path] ?? "",
    readDir: (folder) => {
      const prefix = folder === "." ? "" : `${folder}/`;
      const below = Object.keys(files).filter((path) => path.startsWith(prefix));
      const paths = below.map((path) => path.slice(prefix.length));
      const names = new Set(paths.map((path) => path.split("/", 1)[0] ?? ""));
      return [...names].toSorted().map((name) => ({ name, isDirectory: !paths.includes(name) }));
    },
  };
}

function parseBindings(text: string): Record<string, unknown> {
  const bindings = readYaml(text, "bindings.yaml");
  return bindings instanceof Map ? Object.fromEntries(bindings) : {};
}

function toJson(value: unknown): string {
  return JSON.stringify(sortedFloats(value));
}

function sortedFloats(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sortedFloats);
  const entries: [string, unknown][] = value instanceof Map ? [...value.entries()] : Object.entries(value);
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([key, item]) => [key, sortedFloats(item)]));
}
