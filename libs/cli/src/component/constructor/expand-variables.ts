import { UsageError } from "../../usage-error.ts";

export interface Expansion {
  readonly text: string;
  /** Variables without a value, in the order of the text, each once with its first line. */
  readonly undefinedNames: readonly { readonly name: string; readonly line: number }[];
}

/** Value of a variable; undefined for one without a value. */
export type Lookup = (name: string) => string | undefined;

const operators = /^(?::=|:-|=|:|\^\^?|,,?|##?|%%?|\/\/|\/#|\/%|\/)/;
/** Of the result. */
const maxLength = 64 * 1024 * 1024;
const maxDepth = 20;

/**
 * Replaces `${NAME}` and its forms, as `ocm` does by default (docs/reference/components.md#variables-of-constructor-files). `$${` stands for `${`; a dollar sign
 * before anything else stays. `file` begins messages. Throws UsageError for a form that does not exist.
 */
export function expandVariables(text: string, lookup: Lookup, file: string): Expansion {
  const undefinedNames = new Map<string, number>();
  const expander = new Expander(text, file, {
    find: lookup,
    require: (name, line) => {
      const value = lookup(name);
      if (value === undefined && !undefinedNames.has(name)) undefinedNames.set(name, line);
      return value ?? "";
    },
  });
  return {
    text: expander.expandAll(),
    undefinedNames: [...undefinedNames].map(([name, line]) => ({ name, line })),
  };
}

interface Variables {
  readonly find: Lookup;
  /** Records a variable without a value, which is "". */
  readonly require: (name: string, line: number) => string;
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
      if (length > maxLength) throw this.#invalid(`the text with its variables has more than ${maxLength} characters`);
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
    if (depth > maxDepth) throw this.#invalid(`more than ${maxDepth} variables inside each other`);
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
    return this.#variables.require(name, this.#line(start));
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
        return trim(this.#require(variable), operator, pattern);
      }
      default: {
        const pattern = this.#readUntil("/}", depth);
        const replacement = this.#take("/") ? this.#readUntil("}", depth) : "";
        this.#close(start);
        return replace(this.#require(variable), operator, { pattern, replacement });
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

  #line(at: number): number {
    return this.#text.slice(0, at).split("\n").length;
  }

  #invalid(problem: string, at = this.#at): Error {
    return new UsageError(
      `${this.#file}: line ${this.#line(at)}: ${problem}. Write $\${ for text that is not a variable, or use --templater none`,
    );
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

/** Removes what the pattern matches at the beginning (#) or end (%): the shortest, or with a doubled operator the longest part. */
function trim(value: string, operator: string, pattern: string): string {
  const isLongest = operator.length === 2;
  const atStart = operator.startsWith("#");
  const lengths = Array.from({ length: value.length + 1 }, (_, length) => length);
  for (const length of isLongest ? lengths.toReversed() : lengths) {
    const part = atStart ? value.slice(0, length) : value.slice(value.length - length);
    if (matches(part, pattern)) return atStart ? value.slice(length) : value.slice(0, value.length - length);
  }
  return value;
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

/** A shell pattern with `*` and `?`. Linear in the product of both lengths. */
function matches(text: string, pattern: string): boolean {
  let at = 0;
  let inPattern = 0;
  let star: { readonly at: number; readonly inPattern: number } | undefined;
  while (at < text.length) {
    const wanted = pattern[inPattern];
    if (wanted === "*") {
      star = { at, inPattern };
      inPattern += 1;
    } else if (wanted === "?" || wanted === text[at]) {
      at += 1;
      inPattern += 1;
    } else if (star !== undefined) {
      star = { ...star, at: star.at + 1 };
      at = star.at;
      inPattern = star.inPattern + 1;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(inPattern));
}
