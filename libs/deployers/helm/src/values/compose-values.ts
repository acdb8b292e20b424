import { LandscaperError, type JsonPath } from "@landscaper/api";
import { fromPlain, GoInt, isMap, isSlice, toPlain, type GoMap, type Value } from "@landscaper/golang";
import { toFloat64, type Float64Object } from "@landscaper/json";
import { YamlError } from "@landscaper/goyaml";
import { ChartError, mergeValues, parseValues, setValues, type SetKind } from "@landscaper/helm";
import type { HelmConfig } from "../helm-config.ts";
import { hasTooManyValues, maxSourceLength, maxValues } from "./limit-values.ts";
import { isOfSecret, type ValuesSource } from "./read-values.ts";
import { leafPaths } from "./secret-paths.ts";

/** Values, and what is secret of them. It comes from another thread: what stands in it twice costs twice as much. */
export interface ComposedValues extends Pick<HelmConfig, "values" | "given" | "secrets"> {
  /** What Secrets set. */
  readonly fromSecrets: readonly JsonPath[];
}

/**
 * Merges what `valuesFrom` has led to, in its order, below `values`. Throws LandscaperError (InvalidValues) that names entry, object and
 * key, and nothing of the content.
 */
export function composeValues(sources: readonly ValuesSource[], values: HelmConfig["values"]): ComposedValues {
  const all = mergeValues(merged(sources), asMap(fromPlain(values)));
  const secrets = sources.map(({ content }) => (content.type === "text" ? secretsOf(content.text) : content.data));
  const plain = toFloat64(toPlain(all)) as Float64Object; // of a map
  if (hasTooManyValues(plain))
    throw invalidValues(`values and valuesFrom: expected at most ${maxValues} values, found more`);
  return {
    values: plain,
    given: (hasIntegers(all) ? withIntegers(all) : plain) as HelmConfig["given"],
    secrets,
    fromSecrets: leafPaths(toPlain(merged(sources.filter(isOfSecret)))),
  };
}

function merged(sources: readonly ValuesSource[]): GoMap {
  return sources.reduce<GoMap>((below, source) => withSource(below, source), new Map());
}

/** Characters of what the sources give; composing a MiB takes some hundred milliseconds. */
export function lengthOf(sources: readonly ValuesSource[]): number {
  return sources.reduce(
    (sum, { content }) => sum + (content.type === "text" ? content.text : JSON.stringify(content.data)).length,
    0,
  );
}

/** Throws LandscaperError (InvalidValues) for more than a job may compose. */
export function checkLength(sources: readonly ValuesSource[]): void {
  if (lengthOf(sources) <= maxSourceLength) return;
  throw invalidValues(
    `valuesFrom: expected at most ${maxSourceLength / 1024} Ki characters in all objects, found more`,
  );
}

function withSource(below: GoMap, { reference, content }: ValuesSource): GoMap {
  const { kind, name, key, field, targetPath } = reference;
  const place = content.type === "text" ? `${field}: ${kind} ${name}: key ${key}` : `${field}: ${kind} ${name}`;
  if (targetPath === undefined) return mergeValues(below, mapOf(content, place));
  const [kindOfSet, text] =
    content.type === "text" ? setText(content.text) : (["json", JSON.stringify(content.data)] as const);
  // Setting changes the map.
  const changed = asMap(fromPlain(below));
  try {
    setValues(changed, `${targetPath}=${text}`, { kind: kindOfSet });
  } catch (error) {
    if (!(error instanceof ChartError)) throw error;
    throw invalidValues(`${place}: targetPath ${targetPath}: ${error.message}`);
  }
  return changed;
}

function mapOf(content: ValuesSource["content"], place: string): GoMap {
  if (content.type === "data") {
    const value = fromPlain(content.data);
    if (isMap(value)) return value;
    throw invalidValues(`${place}: expected a map of values, or a targetPath for the value`);
  }
  try {
    return parseValues(content.text);
  } catch (error) {
    if (error instanceof YamlError) {
      const { problem, line } = error;
      throw invalidValues(`${place}: expected YAML: ${line === undefined ? "" : `line ${line}: `}${problem}`);
    }
    if (!(error instanceof ChartError)) throw error;
    throw invalidValues(`${place}: expected a YAML map of values, or a targetPath for the value`);
  }
}

/** One value, whatever characters it has: typed as --set does, and in quotes a text. */
function setText(text: string): readonly [SetKind, string] {
  const quoted = /^(["'])(.*)\1$/s.exec(text)?.[2];
  // More digits than a number keeps.
  const isLarge = /^[+-]?\d+$/.test(text) && !Number.isSafeInteger(Number(text));
  return quoted !== undefined || isLarge ? ["string", escaped(quoted ?? text)] : ["set", escaped(text)];
}

function escaped(text: string): string {
  return text.replace(/[\\,{}]/g, String.raw`\$&`);
}

function withIntegers(value: Value): unknown {
  if (value instanceof GoInt) return value.value;
  if (isMap(value)) return Object.fromEntries([...value].map(([key, item]) => [key, withIntegers(item)]));
  return isSlice(value) ? value.map(withIntegers) : toPlain(value);
}

function hasIntegers(value: Value): boolean {
  if (isMap(value)) return [...value.values()].some(hasIntegers);
  return isSlice(value) ? value.some(hasIntegers) : value instanceof GoInt;
}

/** The text as a whole, and every value in it. */
function secretsOf(text: string): unknown {
  try {
    return [text, ...leavesOf(toPlain(parseValues(text)))];
  } catch {
    return text;
  }
}

/** A list is copied in a tenth of the time of a map. */
function leavesOf(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [value];
  return Object.values(value).flatMap(leavesOf);
}

function asMap(value: Value): GoMap {
  return isMap(value) ? value : new Map();
}

/** Only a change of the object helps. */
function invalidValues(message: string): LandscaperError {
  return new LandscaperError({
    message,
    reason: "InvalidValues",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    retry: "never",
  });
}
