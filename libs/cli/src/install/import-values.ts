import {
  apiVersion,
  generateDataName,
  kubernetesClusterTargetType,
  type DataExport,
  type ExportDefinition,
  type ImportDefinition,
  type InstallationExports,
  type TargetExport,
} from "@landscaper/api";
import { parameterType, type ImportedValues, type ParameterValue } from "@landscaper/blueprint";
import { fromYaml, YamlError } from "@landscaper/goyaml";
import type { NamedWord } from "./install-request.ts";

/** A word of the command line, and the text that it stands for. */
export interface GivenText extends NamedWord {
  /** The content of the file, where the word names one. */
  readonly text: string;
  readonly isFile: boolean;
}

/** What a command line gives to a blueprint. */
export interface GivenImports {
  readonly installation: string;
  readonly namespace: string;
  readonly imports: readonly GivenText[];
  /** Kubeconfigs. */
  readonly targets: readonly GivenText[];
}

/** A Target of the Installation, with the kubeconfig that its Secret gets. */
export interface NamedTarget {
  /** Of the Target and its Secret. */
  readonly name: string;
  readonly kubeconfig: string;
}

export interface ReadImports {
  readonly values: ImportedValues;
  readonly targets: readonly NamedTarget[];
  /** In words, without values. */
  readonly problems: readonly string[];
}

/** The key of the Secret of a Target. */
export const kubeconfigKey = "kubeconfig";

/** Imports of a blueprint, those below conditional ones too. */
export function flattenImports(definitions: readonly ImportDefinition[] = []): readonly ImportDefinition[] {
  return definitions.flatMap((definition) => [definition, ...flattenImports(definition.imports)]);
}

/** Reads the values of a command line by what the blueprint says of its imports. Whether they fit their schemas is not looked at. */
export function readImportValues(definitions: readonly ImportDefinition[], given: GivenImports): ReadImports {
  const known = flattenImports(definitions);
  const values: Record<string, ParameterValue> = {};
  const problems: string[] = [];
  for (const word of given.imports) {
    const definition = known.find(({ name }) => name === word.name);
    if (definition === undefined) {
      problems.push(unknownImport(word.name, known));
      continue;
    }
    const type = typeOf(definition);
    if (type !== "data")
      problems.push(`imports.${word.name}: it is a ${wordOf(type)}: --target ${word.name}=KUBECONFIG`);
    else addData({ word, definition, values, problems });
  }
  const targets = readTargets(known, given, { values, problems });
  return { values, targets, problems };
}

interface Reading {
  readonly values: Record<string, ParameterValue>;
  readonly problems: string[];
}

function addData({
  word,
  definition,
  values,
  problems,
}: Reading & { readonly word: GivenText; readonly definition: ImportDefinition }): void {
  try {
    const value = parseValue(word, definition.schema);
    if (value === null) problems.push(`imports.${word.name}: null is no value of a DataObject; leave the import out`);
    else values[word.name] = { type: "data", value };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const where = word.isFile ? word.value.slice(1) : "the value";
    problems.push(`imports.${word.name}: ${where}: expected JSON or YAML: line ${error.line}, column ${error.column}`);
  }
}

/** Text stays as it is where the schema wants text, and where YAML would only fold its lines. */
function parseValue({ text, isFile }: GivenText, schema: unknown): unknown {
  if (wantsText(schema)) return text;
  const value = fromYaml(text, { integers: "exact" }) ?? null;
  return typeof value === "string" && !isFile && !/^\s*["'|>]/.test(text) ? text : value;
}

function wantsText(schema: unknown): boolean {
  return typeof schema === "object" && schema !== null && Reflect.get(schema, "type") === "string";
}

function readTargets(
  known: readonly ImportDefinition[],
  { installation, namespace, targets: words }: GivenImports,
  { values, problems }: Reading,
): readonly NamedTarget[] {
  const named: NamedTarget[] = [];
  const create = (item: string, { text }: GivenText) => {
    const name = objectName(installation, item);
    named.push({ name, kubeconfig: text });
    const spec = { type: kubernetesClusterTargetType, secretRef: { name, key: kubeconfigKey } };
    return { apiVersion, kind: "Target", metadata: { name, namespace }, spec };
  };
  for (const word of words) {
    const place = placeOf(word.name, known);
    if (place === undefined) {
      problems.push(unknownImport(word.name, known));
      continue;
    }
    const { name, key } = place;
    const before = values[name];
    if (place.type === "data") {
      problems.push(`imports.${name}: it is data: --import ${name}=VALUE`);
    } else if (place.type === "target") {
      if (before === undefined) values[name] = { type: "target", target: create(name, word) };
      else problems.push(`imports.${name}: expected one target, found several`);
    } else if (place.type === "targetList") {
      const list = before?.type === "targetList" ? before.targets : [];
      values[name] = { type: "targetList", targets: [...list, create(`${name}-${list.length}`, word)] };
    } else if (key === undefined) {
      problems.push(`imports.${name}: it is a map of targets: --target ${name}.KEY=KUBECONFIG`);
    } else {
      const map = before?.type === "targetMap" ? before.targets : {};
      if (Object.hasOwn(map, key)) problems.push(`imports.${name}: expected the key "${key}" once`);
      values[name] = { type: "targetMap", targets: { ...map, [key]: create(`${name}-${key}`, word) } };
    }
  }
  return named;
}

/** "NAME", or "NAME.KEY" for a map of targets. */
function placeOf(word: string, known: readonly ImportDefinition[]) {
  const own = known.find(({ name }) => name === word);
  if (own !== undefined) return { name: word, type: typeOf(own), key: undefined };
  const map = known.find((one) => typeOf(one) === "targetMap" && word.startsWith(`${one.name}.`));
  return map && { name: map.name, type: "targetMap" as const, key: word.slice(map.name.length + 1) };
}

function unknownImport(name: string, known: readonly ImportDefinition[]): string {
  const names = known.map((one) => `${one.name} (${wordOf(typeOf(one))})`);
  return `imports.${name}: the blueprint has no such import, it has ${names.length === 0 ? "none" : names.join(", ")}`;
}

function typeOf(definition: ImportDefinition): ParameterValue["type"] {
  return parameterType(definition, `imports.${definition.name}`);
}

/** What of the blueprint goes where; with what is wrong, in words. */
export function readExports(
  definitions: readonly ExportDefinition[],
  { installation, words }: { readonly installation: string; readonly words: readonly NamedWord[] },
): { readonly exports: InstallationExports | undefined; readonly problems: readonly string[] } {
  const data: DataExport[] = [];
  const targets: TargetExport[] = [];
  const problems: string[] = [];
  for (const { name, value } of words) {
    const definition = definitions.find((one) => one.name === name);
    if (definition === undefined) {
      const names = definitions.map((one) => one.name);
      problems.push(`exports.${name}: the blueprint has no such export, it has ${names.join(", ") || "none"}`);
      continue;
    }
    const object = value === "" ? `${installation}-${name}` : value;
    if (parameterType(definition, `exports.${name}`) === "data") data.push({ name, dataRef: object });
    else targets.push({ name, target: object });
  }
  return { exports: words.length === 0 ? undefined : { data, targets }, problems };
}

export function wordOf(type: ParameterValue["type"]): string {
  const words = { data: "data", target: "target", targetList: "list of targets", targetMap: "map of targets" } as const;
  return words[type];
}

/** Name of an object of the Installation: what an Installation in the root scope finds under it is the object itself. */
export function objectName(installation: string, item: string): string {
  return generateDataName("", `${installation}-${item}`);
}
