import { parseBlueprint, type Blueprint, type ImportDefinition, type LandscaperError } from "@landscaper/api";
import { foldEach, foldKeys, toGoJson, YamlError } from "@landscaper/goyaml";
import { blueprintError } from "./blueprint-error.ts";
import { filesFromTree } from "./blueprint-files.ts";
import type { BlueprintFiles, BlueprintSource } from "./blueprint-source.ts";
import { executorLists, settleExecutors } from "./executors.ts";
import { labelValueProblem } from "./label-rules.ts";
import { readYamlFile } from "./read-yaml-file.ts";
import type { RenderCaches } from "./render-caches.ts";
import { warnOfBlueprint } from "./warn-of-blueprint.ts";

/** The file that makes a folder a blueprint. */
export const blueprintFileName = "blueprint.yaml";

/**
 * Reads a blueprint from an inline file system: a nested map (names to texts or further maps), or its YAML text
 * (core.md §1.2 no. 30). `where` names the place in messages. With caches an equal file system is read once; the result
 * is immutable. Throws LandscaperError.
 */
export function createBlueprint(filesystem: unknown, where = "blueprint", caches?: RenderCaches): BlueprintSource {
  const key = caches === undefined ? "" : `${where}\0${toGoJson(filesystem)}`;
  const known = caches?.blueprints.get(key);
  if (known !== undefined) return known;
  const { content: tree, warnings } =
    typeof filesystem === "string" ? parseYaml(filesystem, where) : { content: filesystem, warnings: [] };
  const read = readBlueprint(filesFromTree(tree, where), where);
  const source = { ...read, warnings: [...warnings, ...read.warnings] };
  caches?.blueprints.set(key, source);
  return source;
}

const misnamedBlueprint = /^blueprint\.(ya?ml|json)$/i;

/** Reads a blueprint from files that are there already, such as those of an archive. Throws LandscaperError. */
export function readBlueprint(files: BlueprintFiles, where = "blueprint"): BlueprintSource {
  if (!files.has(blueprintFileName)) {
    const misnamed = files.readDir("").find(({ name }) => misnamedBlueprint.test(name))?.name;
    const found = misnamed === undefined ? "none" : `${misnamed}. Rename it`;
    throw blueprintError("BlueprintFileMissing", `${where}: expected a file ${blueprintFileName}, found ${found}`);
  }
  const file = `${where}/${blueprintFileName}`;
  // An empty file is a blueprint that does nothing.
  const { content, warnings } = parseYaml(files.readText(blueprintFileName), file);
  const folded = foldBlueprint(content ?? {});
  const parsed = parseBlueprint(folded, file);
  checkDefinition(parsed, file);
  const definition = settleExecutors(parsed, file);
  return { definition, files, warnings: [...warnings, ...warnOfBlueprint(folded, parsed, file)] };
}

function parseYaml(text: string, file: string): ReturnType<typeof readYamlFile> {
  try {
    return readYamlFile(text, file);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const at = [{ file, line: error.line, column: error.column }];
    throw blueprintError("InvalidInput", `${file}: ${error.explanation}`, { at, cause: error });
  }
}

const topLevelKeys = [
  "apiVersion",
  "kind",
  "annotations",
  "jsonSchemaVersion",
  "localTypes",
  "imports",
  "importExecutions",
  "exports",
  "exportExecutions",
  "subinstallations",
  "subinstallationExecutions",
  "deployExecutions",
];

function foldBlueprint(value: unknown): unknown {
  const folded = foldKeys(value, topLevelKeys);
  if (typeof folded !== "object" || folded === null) return folded;
  const result: Record<string, unknown> = { ...folded };
  if ("imports" in result) result["imports"] = foldEach(result["imports"], foldImport);
  if ("exports" in result) {
    result["exports"] = foldEach(result["exports"], (item) => foldKeys(item, ["name", "type", "schema", "targetType"]));
  }
  for (const list of executorLists) {
    if (list in result) {
      result[list] = foldEach(result[list], (item) => foldKeys(item, ["name", "type", "file", "template"]));
    }
  }
  return result;
}

function foldImport(value: unknown): unknown {
  const folded = foldKeys(value, ["name", "type", "schema", "targetType", "required", "default", "imports"]);
  if (typeof folded !== "object" || folded === null || !("imports" in folded)) return folded;
  return { ...folded, imports: foldEach(folded.imports, foldImport) };
}

function checkDefinition(definition: Blueprint, file: string): void {
  const names = new Set<string>();
  for (const entry of definition.imports ?? []) checkImport(entry, names, file);
  checkUnique(definition.exports ?? [], `${file}: exports`);
}

function checkImport(definition: ImportDefinition, names: Set<string>, file: string): void {
  const { name } = definition;
  if (name === "") throw invalid(`${file}: imports: every import must have a name`);
  const problem = labelValueProblem(name);
  if (problem !== undefined) throw invalid(`${file}: import "${name}": the name ${problem}`);
  if (names.has(name)) throw invalid(`${file}: imports: the name "${name}" must be unique`);
  names.add(name);
  const isRequired = definition.required !== false;
  if (isRequired && (definition.imports ?? []).length > 0) {
    throw invalid(`${file}: import "${name}": conditional imports need an import with required: false`);
  }
  for (const nested of definition.imports ?? []) checkImport(nested, names, file);
}

function checkUnique(entries: readonly { name: string }[], where: string): void {
  const names = new Set<string>();
  for (const { name } of entries) {
    if (name === "") throw invalid(`${where}: every entry must have a name`);
    if (names.has(name)) throw invalid(`${where}: the name "${name}" must be unique`);
    names.add(name);
  }
}

function invalid(message: string): LandscaperError {
  return blueprintError("InvalidInput", message);
}
