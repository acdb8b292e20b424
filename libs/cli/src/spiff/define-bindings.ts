import { PrintedError } from "../usage-error.ts";

/** A definition of `-D`: path and value, an int where the text is one. */
export interface Definition {
  readonly key: string;
  readonly value: string | bigint;
}

/** `a.b=value`; exactly one "=". Throws PrintedError with the words of the original, for its log. */
export function parseDefinition(text: string): Definition {
  const parts = text.split("=");
  const [key = "", value = ""] = parts;
  if (parts.length !== 2) throw new PrintedError(`invalid value definition "${text}"\n\n`);
  if (key === "") throw new PrintedError(`empty key in value definition "${text}"\n\n`);
  return { key, value: intOrText(value) };
}

function intOrText(text: string): string | bigint {
  if (!/^[+-]?[0-9]+$/.test(text)) return text;
  const value = BigInt(text.replace(/^\+/, ""));
  return BigInt.asIntN(64, value) === value ? value : text;
}

/** The bindings with the definitions, later ones win. Throws PrintedError. */
export function defineBindings(
  bindings: ReadonlyMap<string, unknown>,
  definitions: readonly Definition[],
): Map<string, unknown> {
  let result = new Map(bindings);
  for (const { key, value } of definitions) result = defineAt(result, key.split("."), { key, value, depth: 0 });
  return result;
}

function defineAt(
  map: ReadonlyMap<string, unknown>,
  path: readonly string[],
  { key, value, depth }: Definition & { readonly depth: number },
): Map<string, unknown> {
  const [field = "", ...rest] = path;
  if (rest.length === 0) return new Map([...map, [field, value]]);
  if (field === "") throw definitionError(`empty path component in "${key}"`);
  const inner = map.get(field) ?? new Map<string, unknown>();
  if (!(inner instanceof Map)) {
    const shown = key
      .split(".")
      .slice(0, depth + 1)
      .join(".");
    throw definitionError(`field "${shown}" in ${key} is no map`);
  }
  return new Map([...map, [field, defineAt(inner, rest, { key, value, depth: depth + 1 })]]);
}

function definitionError(problem: string): PrintedError {
  return new PrintedError(`error in value definitions (-D): ${problem}\n`);
}
