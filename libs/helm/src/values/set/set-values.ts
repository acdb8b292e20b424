import { type GoMap, type GoSlice, type Value, isMap, isSlice, quote, typeName } from "@landscaper/golang";
import { JsonError, quoteRune } from "@landscaper/goyaml";
import { ChartError } from "../../chart/chart-error.ts";
import { jsonGrammar, listGrammar, literalGrammar, type SetGrammar, SetSyntaxError, typedItem } from "./set-grammar.ts";
import { SetReader } from "./set-reader.ts";

/** Names below each other. */
const maxNesting = 30;

const maxIndex = 65_536;

/** Lists in each other; Helm has no bound. */
const maxListNesting = 1000;

/** Whether there may be more to read, or the text ended in the middle of a key, which Helm takes for the end. */
type Outcome = "more" | "ended";

export type SetKind = "set" | "string" | "json" | "file" | "literal";

/** Which flag a text is from. */
export interface SetOptions {
  readonly kind: SetKind;
  /** For "file": the text of a file; what it throws is passed on. */
  readonly readFile?: (name: string) => string;
  /** Whether the text may end within an index (see ValueRules). Default: false. */
  readonly mayEndInIndex?: boolean;
}

/**
 * Puts what the text of a --set flag says into a map, which is changed, as Helm's strvals does. Throws ChartError in its
 * words.
 */
export function setValues(into: GoMap, text: string, { kind, readFile, mayEndInIndex = false }: SetOptions): void {
  const setter = new ValueSetter(new SetReader(text), { grammar: grammarOf(kind, readFile), mayEndInIndex });
  try {
    while (setter.setNext(into, 0) === "more");
  } catch (error) {
    throw error instanceof SetSyntaxError || error instanceof JsonError ? new ChartError(error.message) : error;
  }
}

function grammarOf(kind: SetKind, readFile: SetOptions["readFile"]): SetGrammar {
  switch (kind) {
    case "set":
      return listGrammar(typedItem);
    case "string":
      return listGrammar((item) => item);
    case "json":
      return jsonGrammar;
    case "literal":
      return literalGrammar;
    case "file":
      return listGrammar((name) => readFile?.(name) ?? "");
  }
}

class ValueSetter {
  readonly #reader: SetReader;
  readonly #grammar: SetGrammar;
  readonly #mayEndInIndex: boolean;
  #listNesting = 0;

  constructor(
    reader: SetReader,
    { grammar, mayEndInIndex }: { readonly grammar: SetGrammar; readonly mayEndInIndex: boolean },
  ) {
    this.#reader = reader;
    this.#grammar = grammar;
    this.#mayEndInIndex = mayEndInIndex;
  }

  /** Reads "key=value" and sets it. */
  setNext(map: GoMap, depth: number): Outcome {
    const { keyEnds, hasEscapes } = this.#grammar;
    const { text: key, end } = this.#reader.until(keyEnds, hasEscapes);
    switch (end) {
      case "":
        if (key === "") return "ended";
        throw new SetSyntaxError(`key ${quote(key)} has no value`);
      case ",":
        throw new SetSyntaxError(`key ${quote(key)} has no value (cannot end with ,)`);
      case "[":
        return this.#setItem(map, key, depth);
      case ".":
        return this.#setBelow(map, key, depth);
      default: {
        const { value, isMissing } = this.#grammar.readValue(this.#reader);
        put(map, key, value);
        return isMissing === true ? "ended" : "more";
      }
    }
  }

  #setItem(map: GoMap, key: string, depth: number): Outcome {
    const index = this.#index();
    if (index === undefined) return "ended";
    const list = map.has(key) ? asList(map.get(key)) : [];
    const result = this.#setAt(list, index, depth);
    put(map, key, result.list);
    return result.outcome;
  }

  #setBelow(map: GoMap, key: string, depth: number): Outcome {
    checkDepth(depth + 1);
    const inner = map.has(key) ? asMap(map.get(key)) : new Map<string, Value>();
    const outcome = this.setNext(inner, depth + 1);
    if (inner.size > 0) put(map, key, inner);
    else if (outcome === "more") throw new SetSyntaxError(`key map ${quote(key)} has no value`);
    return outcome;
  }

  /** Returns undefined if the text ends within the index and may do so. */
  #index(): number | bigint | undefined {
    const { text, end } = this.#reader.until("]", this.#grammar.hasEscapes);
    if (end !== "") return readIndex(text);
    if (this.#mayEndInIndex) return undefined;
    throw new SetSyntaxError("error parsing index: EOF");
  }

  /** What follows "[index]". A list gets no new item when the text ends on the way to it: Helm has this so. */
  #setAt(list: GoSlice, index: number | bigint, depth: number): { list: GoSlice; outcome: Outcome } {
    if (index < 0) throw new SetSyntaxError(`negative ${index} index not allowed`);
    const { text, end } = this.#reader.until("[.=", this.#grammar.hasEscapes);
    if (text !== "") {
      throw new SetSyntaxError(
        `unexpected data at end of array index: [${Array.from(text, (rune) => quoteRune(rune)).join(" ")}]`,
      );
    }
    switch (end) {
      case "":
        return { list, outcome: "ended" };
      case "[": {
        if (++this.#listNesting > maxListNesting) {
          throw new SetSyntaxError(`lists are nested deeper than ${maxListNesting}`);
        }
        const next = this.#index();
        if (next === undefined) return { list, outcome: "ended" };
        const existing = list[Number(index)] ?? null;
        const inner = this.#setAt(existing === null ? [] : asList(existing), next, depth);
        this.#listNesting--;
        return { list: inner.outcome === "ended" ? list : withItem(list, index, inner.list), outcome: inner.outcome };
      }
      case ".": {
        checkDepth(depth + 1);
        const existing = list[Number(index)];
        const inner = isMap(existing) ? existing : new Map<string, Value>();
        if (index < list.length) list[Number(index)] = inner;
        const outcome = this.setNext(inner, depth + 1);
        return { list: outcome === "ended" ? list : withItem(list, index, inner), outcome };
      }
      default: {
        const { value } = this.#grammar.readValue(this.#reader);
        return { list: withItem(list, index, value), outcome: "more" };
      }
    }
  }
}

/** A key without a name is read, and means nothing. */
function put(map: GoMap, key: string, value: Value): void {
  if (key !== "") map.set(key, value);
}

function withItem(list: GoSlice, index: number | bigint, value: Value): GoSlice {
  if (index > maxIndex) {
    throw new SetSyntaxError(`index of ${index} is greater than maximum supported index of ${maxIndex}`);
  }
  while (list.length <= index) list.push(null);
  list[Number(index)] = value;
  return list;
}

function checkDepth(depth: number): void {
  if (depth <= maxNesting) return;
  throw new SetSyntaxError(`value name nested level is greater than maximum supported nested level of ${maxNesting}`);
}

function readIndex(text: string): number | bigint {
  const problem = (words: string): SetSyntaxError =>
    new SetSyntaxError(`error parsing index: strconv.Atoi: parsing ${quote(text)}: ${words}`);
  if (!/^[+-]?\d+$/.test(text)) throw problem("invalid syntax");
  const index = BigInt(text.startsWith("+") ? text.slice(1) : text);
  if (BigInt.asIntN(64, index) !== index) throw problem("value out of range");
  return Number.isSafeInteger(Number(index)) ? Number(index) : index;
}

function asMap(value: Value): GoMap {
  if (isMap(value)) return value;
  throw wrongType(value, "map[string]interface {}");
}

function asList(value: Value): GoSlice {
  if (isSlice(value)) return value;
  throw wrongType(value, "[]interface {}");
}

function wrongType(value: Value, wanted: string): SetSyntaxError {
  const found = value === null || value === undefined ? "nil" : typeName(value);
  return new SetSyntaxError(`unable to parse key: interface conversion: interface {} is ${found}, not ${wanted}`);
}
