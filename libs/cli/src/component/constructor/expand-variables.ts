import { UsageError } from "../../usage-error.ts";

export interface Expansion {
  readonly text: string;
  /** Variables without a value, in the order of the text, each once with its first place. */
  readonly undefinedNames: readonly { readonly name: string; readonly line: number; readonly column: number }[];
}

/** Returns the value of a variable; undefined if it has none. */
export type Lookup = (name: string) => string | undefined;

const operators = /^(?::=|:-|=|:|\^\^?|,,?|##?|%%?|\/\/|\/#|\/%|\/)/;
/** Of the result. */
const maxLength = 64 * 1024 * 1024;
const maxDepth = 20;
/** Characters that reading values and comparing them with patterns may visit, in the whole text. */
const maxSteps = 256 * 1024 * 1024;

/**
 * Replaces `${NAME}` and its forms, as `ocm` does by default (docs/reference/components.md#variables-of-constructor-files). `$${` stands for `${`; a dollar sign
 * before anything else stays. `file` begins messages. Throws UsageError for a form that does not exist.
 */
export function expandVariables(text: string, lookup: Lookup, file: string): Expansion {
  const places = new Map<string, number>();
  const expander = new Expander(text, file, {
    find: lookup,
    require: (name, start) => {
      const value = lookup(name);
      if (value === undefined) places.set(name, Math.min(start, places.get(name) ?? start));
      return value ?? "";
    },
  });
  return { text: expander.expandAll(), undefinedNames: withPlaces(places, text) };
}

/** Replaces offsets by lines and columns, in one pass over the text. */
function withPlaces(places: ReadonlyMap<string, number>, text: string): Expansion["undefinedNames"] {
  let line = 1;
  let lineStart = 0;
  let at = 0;
  return [...places]
    .toSorted(([, a], [, b]) => a - b)
    .map(([name, start]) => {
      const passed = text.slice(at, start);
      line += linesIn(passed);
      const lastBreak = passed.lastIndexOf("\n");
      if (lastBreak >= 0) lineStart = at + lastBreak + 1;
      at = start;
      return { name, line, column: start - lineStart + 1 };
    });
}

function linesIn(text: string): number {
  return text.split("\n").length - 1;
}

interface Variables {
  readonly find: Lookup;
  /** Records a variable without a value, which is "". `start` is the offset of the variable in the text. */
  readonly require: (name: string, start: number) => string;
}

interface Variable {
  /** Of `${`. */
  readonly start: number;
  readonly depth: number;
  readonly name: string;
}

class Expander {
  readonly #text: string;
  readonly #file: string;
  readonly #variables: Variables;
  #at = 0;
  #steps = 0;

  constructor(text: string, file: string, variables: Variables) {
    this.#text = text;
    this.#file = file;
    this.#variables = variables;
  }

  expandAll(): string {
    return this.#readUntil("", 0);
  }

  /** Reads text with variables in it up to one of the characters, or to the end of the text if there are none. */
  #readUntil(ends: string, depth: number): string {
    const parts: string[] = [];
    let length = 0;
    const add = (part: string): void => {
      parts.push(part);
      length += part.length;
      if (length > maxLength) {
        const problem = `the text with its variables has more than ${maxLength} characters`;
        throw this.#error(problem, { remedy: "Shorten the values of the variables" });
      }
    };
    while (this.#at < this.#text.length) {
      const character = this.#text.charAt(this.#at);
      if (ends.includes(character)) break;
      if (this.#text.startsWith("$${", this.#at)) {
        add("${");
        this.#at += 3;
      } else if (this.#text.startsWith("${", this.#at)) add(this.#readVariable(depth + 1));
      else {
        // Up to the next character that may mean something.
        const next = this.#nextOf(`$${ends}`);
        add(this.#text.slice(this.#at, next));
        this.#at = next;
      }
    }
    return parts.join("");
  }

  #nextOf(characters: string): number {
    let at = this.#at + 1;
    while (at < this.#text.length && !characters.includes(this.#text.charAt(at))) at += 1;
    return at;
  }

  #readVariable(depth: number): string {
    const start = this.#at;
    if (depth > maxDepth) {
      const problem = `more than ${maxDepth} variables inside each other`;
      throw this.#error(problem, { remedy: "Nest fewer variables" });
    }
    this.#at += 2;
    const isLength = this.#take("#");
    const name = /^[\p{L}_][\p{L}\p{N}_]*/u.exec(this.#text.slice(this.#at, this.#at + 256))?.[0] ?? "";
    this.#at += name.length;
    if (name === "") throw this.#invalid("expected a name after ${", start);
    const variable = { start, depth, name };
    if (isLength) {
      this.#close(start);
      return String(Array.from(this.#require(variable)).length);
    }
    const operator = operators.exec(this.#text.slice(this.#at, this.#at + 2))?.[0];
    if (operator === undefined) {
      this.#close(start);
      return this.#require(variable);
    }
    this.#at += operator.length;
    return this.#apply(operator, variable);
  }

  #require({ name, start }: Variable): string {
    const value = this.#variables.require(name, start);
    this.#count(value.length, start);
    return value;
  }

  #count(steps: number, start: number): void {
    this.#steps += steps;
    if (this.#steps <= maxSteps) return;
    const problem = `evaluating the variables takes more than ${maxSteps} steps`;
    throw this.#error(problem, { remedy: "Use shorter values or patterns, or fewer variables", at: start });
  }

  #apply(operator: string, variable: Variable): string {
    const { start, depth, name } = variable;
    switch (operator) {
      case ":=":
      case ":-":
      case "=": {
        const fallback = this.#readUntil("}", depth);
        this.#close(start);
        const found = this.#variables.find(name) ?? "";
        return found === "" ? fallback : found;
      }
      case "^":
      case "^^":
      case ",":
      case ",,":
        this.#close(start);
        return changeCase(this.#require(variable), operator);
      case ":":
        return this.#slice(variable);
      case "#":
      case "##":
      case "%":
      case "%%": {
        const pattern = this.#readUntil("}", depth);
        this.#close(start);
        const value = this.#require(variable);
        this.#count(value.length * pattern.length, start);
        return trim(value, operator, pattern);
      }
      default: {
        const pattern = this.#readUntil("/}", depth);
        const replacement = this.#take("/") ? this.#readUntil("}", depth) : "";
        this.#close(start);
        const value = this.#require(variable);
        this.#count(Math.ceil(value.length / Math.max(1, pattern.length)) * replacement.length, start);
        return replace(value, operator, { pattern, replacement });
      }
    }
  }

  #slice(variable: Variable): string {
    const { depth, start } = variable;
    const numbers = this.#readUntil("}", depth).split(":");
    this.#close(start);
    const [offset, length] = numbers.map((number) => (/^ *-?\d+ *$/.test(number) ? Number(number) : Number.NaN));
    if (offset === undefined || Number.isNaN(offset) || Number.isNaN(length ?? 0) || numbers.length > 2) {
      throw this.#invalid("expected ${NAME:OFFSET} or ${NAME:OFFSET:LENGTH} with numbers, or ${NAME:-DEFAULT}", start);
    }
    const characters = Array.from(this.#require(variable));
    const from = offset < 0 ? Math.max(0, characters.length + offset) : offset;
    return characters.slice(from, length === undefined ? undefined : from + Math.max(0, length)).join("");
  }

  #take(character: string): boolean {
    if (!this.#text.startsWith(character, this.#at)) return false;
    this.#at += character.length;
    return true;
  }

  #close(start: number): void {
    if (!this.#take("}")) throw this.#invalid("expected } or a known operator after the name of the variable", start);
  }

  #invalid(problem: string, at: number): Error {
    return this.#error(problem, {
      at,
      remedy: "Write $${ for text that is not a variable, or use --templater none",
    });
  }

  #error(problem: string, { remedy, at = this.#at }: { readonly remedy: string; readonly at?: number }): Error {
    const line = linesIn(this.#text.slice(0, at)) + 1;
    const column = at - this.#text.lastIndexOf("\n", at - 1);
    return new UsageError(`${this.#file}: line ${line}, column ${column}: ${problem}. ${remedy}`);
  }
}

function changeCase(value: string, operator: string): string {
  const [first = "", ...rest] = value;
  const others = rest.join("");
  switch (operator) {
    case "^^":
      return value.toUpperCase();
    case ",,":
      return value.toLowerCase();
    case "^":
      return first.toUpperCase() + others;
    default:
      return first.toLowerCase() + others;
  }
}

/** Removes the beginning (#) or end (%) that matches the pattern: the shortest, or with a doubled operator the longest one. */
function trim(value: string, operator: string, pattern: string): string {
  const isLongest = operator.length === 2;
  if (operator.startsWith("#")) return value.slice(matchStart(value, pattern, isLongest));
  return value.slice(0, value.length - matchStart(reversed(value), reversed(pattern), isLongest));
}

function reversed(text: string): string {
  // By UTF-16 units, of which trim needs only the number.
  return text.split("").toReversed().join("");
}

function replace(
  value: string,
  operator: string,
  { pattern, replacement }: { readonly pattern: string; readonly replacement: string },
): string {
  if (pattern === "") return value;
  switch (operator) {
    case "//":
      return value.replaceAll(pattern, () => replacement);
    case "/#":
      return value.startsWith(pattern) ? replacement + value.slice(pattern.length) : value;
    case "/%":
      return value.endsWith(pattern) ? value.slice(0, value.length - pattern.length) + replacement : value;
    default:
      return value.replace(pattern, () => replacement);
  }
}

/**
 * Returns the length of the shortest or longest beginning of the text that matches a shell pattern with `*` and `?`; 0 if none does. Time: at most the
 * product of both lengths.
 */
function matchStart(text: string, pattern: string, isLongest: boolean): number {
  const [first = "", ...others] = pattern.split("*");
  if (!matchesAt(text, first, 0)) return 0;
  let end = first.length;
  for (const [index, part] of others.entries()) {
    const isLast = index === others.length - 1;
    const at = isLast && isLongest ? lastMatch(text, part, end) : firstMatch(text, part, end);
    if (at === undefined) return 0;
    end = at + part.length;
  }
  return end;
}

function firstMatch(text: string, part: string, from: number): number | undefined {
  for (let at = from; at + part.length <= text.length; at += 1) if (matchesAt(text, part, at)) return at;
  return undefined;
}

function lastMatch(text: string, part: string, from: number): number | undefined {
  for (let at = text.length - part.length; at >= from; at -= 1) if (matchesAt(text, part, at)) return at;
  return undefined;
}

/** Whether a part of a pattern, without `*`, matches at the place. */
function matchesAt(text: string, part: string, at: number): boolean {
  if (at + part.length > text.length) return false;
  for (let offset = 0; offset < part.length; offset += 1) {
    if (part[offset] !== "?" && part[offset] !== text[at + offset]) return false;
  }
  return true;
}
