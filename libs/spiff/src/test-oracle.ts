import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSpiff, SpiffError } from "./index.ts";
import { readYaml } from "./document/read-yaml.ts";

const folder = join(import.meta.dirname, "..", "testdata");

/** One case of the golden files: an expression with its document, or documents. */
export interface GoldenCase {
  readonly name: string;
  readonly template: string;
  readonly stubs: readonly string[];
  readonly bindings: string | undefined;
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
  return expressions
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => ({
      name: line,
      template: `${context}\nRES: |-\n  (( ${line} ))\n`,
      stubs: [],
      bindings: undefined,
      isExpression: true,
    }));
}

/** Cases begin with `---- name`; `%% stub` and `%% bindings` begin further documents. */
function documentCases(text: string): GoldenCase[] {
  return text
    .split(/^---- /m)
    .slice(1)
    .map((block) => {
      const [head = "", ...lines] = block.split("\n");
      const [template = "", ...parts] = lines.join("\n").split(/^%% *(?=stub|bindings)/m);
      const stubs = parts.filter((part) => part.startsWith("stub")).map((part) => part.replace("stub\n", ""));
      const bindings = parts.find((part) => part.startsWith("bindings"))?.replace("bindings\n", "");
      return { name: head, template, stubs, bindings, isExpression: false };
    });
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

/** Runs the cases of a file through the original (path of its program) and keeps the results. */
export function recordGolden(file: string, program: string): void {
  const results = Object.fromEntries(readCases(file).map((item) => [item.name, runOriginal(item, program)]));
  writeFileSync(join(folder, file.replace(".txt", ".golden.json")), `${JSON.stringify(results, null, 1)}\n`);
}

function runOriginal(item: GoldenCase, program: string): GoldenResult {
  const cwd = mkdtempSync(join(tmpdir(), "spiff-"));
  const args = ["merge", "--json", ...(item.isExpression ? ["--path", "RES"] : [])];
  try {
    writeFileSync(join(cwd, "template.yaml"), item.template);
    if (item.bindings !== undefined) {
      writeFileSync(join(cwd, "bindings.yaml"), item.bindings);
      args.push("--bindings", "bindings.yaml");
    }
    args.push("template.yaml");
    item.stubs.forEach((stub, index) => {
      writeFileSync(join(cwd, `stub${index + 1}.yaml`), stub);
      args.push(`stub${index + 1}.yaml`);
    });
    const output = execFileSync(program, args, { cwd, encoding: "utf8", timeout: 5000, stdio: "pipe" });
    return { output: canonical(output.trim()) };
  } catch (error) {
    const text = error instanceof Error && "stderr" in error ? String(error.stderr) : String(error);
    return { error: originalError(text) };
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

/** JSON in one form. Floats beyond 2^53 keep what a double has. */
function canonical(json: string): string {
  return json === "" ? "" : JSON.stringify(JSON.parse(json));
}

function originalError(text: string): string {
  if (text.includes("panic:")) return "panic";
  if (/path "RES" not found/.test(text)) return "undefined";
  const [, nodes] = /unresolved nodes:\n([\s\S]*?)\s*\nerror classification/.exec(text) ?? [];
  if (nodes !== undefined) return sortNodes(nodes.replaceAll("\tin template.yaml\tRES\t()\t", "\t"));
  return text.replace(/^.*(error parsing|error generating)/s, "$1").trim();
}

/** The original's order inside one class is random; its words on syntax are those of its parser generator. */
function sortNodes(text: string): string {
  const parsed = text
    .replaceAll(/parse error near symbol.*/g, "parse error")
    .replaceAll("\tin template.yaml\tRES\t()", "");
  const nodes = parsed.split(/\n(?=\t\S)/);
  return [nodes[0] ?? "", ...nodes.slice(1)]
    .map((node) => node.replace(/\s+$/, ""))
    .toSorted()
    .join("\n");
}

/** Our result in the same form. */
export function runOurs(item: GoldenCase): GoldenResult {
  try {
    const { output } = createSpiff().merge({
      template: { name: "template.yaml", text: item.template },
      stubs: item.stubs.map((text, index) => ({ name: `stub${index + 1}.yaml`, text })),
      bindings: item.bindings === undefined ? {} : parseBindings(item.bindings),
    });
    if (!item.isExpression) return { output: toJson(output) };
    const values = output as Record<string, unknown>;
    return "RES" in values ? { output: toJson(values["RES"]) } : { error: "undefined" };
  } catch (error) {
    if (!(error instanceof SpiffError)) throw error;
    const [first = "", ...rest] = error.message.split("\n");
    if (first !== "unresolved nodes:") return { error: error.message };
    return { error: sortNodes(rest.join("\n").replaceAll("\tin template.yaml\tRES\t()\t", "\t")) };
  }
}

function parseBindings(text: string): Record<string, unknown> {
  const bindings = readYaml(text, "bindings.yaml");
  return bindings instanceof Map ? Object.fromEntries(bindings) : {};
}

function toJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => {
    if (typeof item === "bigint") return Number(item);
    if (typeof item !== "object" || item === null || Array.isArray(item)) return item;
    return Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
