import { canonicalInteger } from "@landscaper/json";
import { JsonPathError } from "./json-path-error.ts";
import type { ListNode, PathNode } from "./path-node.ts";
import { relaxExpression } from "./relax-expression.ts";
import { scanFilter, splitComparison } from "./scan-filter.ts";
import { unquote } from "./unquote.ts";

/**
 * Parses a Kubernetes JSONPath template, text with `{...}` actions, or a path without braces. Models client-go/util/jsonpath/parser.go.
 * Returns one node per text and per action.
 */
export function parseJsonPath(expression: string): PathNode[] {
  const { template, shift } = relaxExpression(expression);
  return new JsonPathParser(expression, { text: template, offset: shift }).parse();
}

interface Fragment {
  readonly text: string;
  /** Where the fragment starts in the expression, for messages. */
  readonly offset: number;
}

class JsonPathParser {
  readonly #expression: string;
  readonly #text: string;
  readonly #offset: number;
  #position = 0;

  constructor(expression: string, { text, offset }: Fragment) {
    this.#expression = expression;
    this.#text = text;
    this.#offset = offset;
  }

  parse(): PathNode[] {
    const nodes: PathNode[] = [];
    while (this.#position < this.#text.length) {
      const brace = this.#text.indexOf("{", this.#position);
      const end = brace < 0 ? this.#text.length : brace;
      if (end > this.#position) {
        nodes.push({ kind: "text", text: this.#text.slice(this.#position, end) });
      }
      this.#position = end;
      if (brace >= 0) {
        nodes.push(this.#parseAction());
      }
    }
    return nodes;
  }

  /** `{...}` */
  #parseAction(): ListNode {
    this.#position += 1;
    const nodes: PathNode[] = [];
    while (!this.#rest("}")) {
      nodes.push(...this.#parseStep(nodes.at(-1)));
    }
    this.#position += 1;
    return { kind: "list", nodes };
  }

  #parseStep(previous: PathNode | undefined): PathNode[] {
    if (this.#rest("[?(")) {
      return [this.#parseFilter()];
    }
    if (this.#rest("..")) {
      return this.#parseRecursive(previous);
    }
    const character = this.#text[this.#position];
    switch (character) {
      case undefined:
      case "\n":
      case "\r":
        throw this.#error("unclosed action");
      case " ":
      case "@":
      case "$":
        this.#position += 1;
        return [];
      case "[":
        return this.#parseBrackets();
      case '"':
      case "'":
        return [this.#parseQuote(character)];
      case ".":
        this.#position += 1;
        return [this.#parseField()];
      default:
        return [this.#parseWord(character)];
    }
  }

  #parseWord(character: string): PathNode {
    if (/[-+\d]/.test(character)) {
      return this.#parseNumber();
    }
    if (!isWordCharacter(this.#codePoint())) {
      throw this.#error(`unrecognized character ${JSON.stringify(this.#codePoint())} in action`);
    }
    const start = this.#position;
    while (!isTerminator(this.#text[this.#position])) {
      this.#position += 1;
    }
    const word = this.#text.slice(start, this.#position);
    return word === "true" || word === "false"
      ? { kind: "constant", value: word === "true" }
      : { kind: "identifier", name: word };
  }

  #parseNumber(): PathNode {
    const start = this.#position;
    const [text = ""] = /^[-+]?[\d.]*/.exec(this.#text.slice(start)) ?? [];
    this.#position += text.length;
    if (!/^[-+]?(?:\d+\.?\d*|\.\d+)$/.test(text)) {
      throw this.#error(`cannot parse number ${text}`, start);
    }
    return { kind: "constant", value: numberOf(text) };
  }

  #parseField(): PathNode {
    const start = this.#position;
    while (!isTerminator(this.#text[this.#position])) {
      this.#position += this.#text[this.#position] === "\\" ? 2 : 1;
    }
    const name = this.#text.slice(start, this.#position);
    return name === "*" ? { kind: "wildcard" } : { kind: "field", name: name.replaceAll("\\", "") };
  }

  #parseRecursive(previous: PathNode | undefined): PathNode[] {
    if (previous?.kind === "recursive") {
      throw this.#error("invalid multiple recursive descent");
    }
    this.#position += 2;
    return isWordCharacter(this.#codePoint()) ? [{ kind: "recursive" }, this.#parseField()] : [{ kind: "recursive" }];
  }

  #parseQuote(quote: string): PathNode {
    const start = this.#position;
    do {
      this.#position = this.#text.indexOf(quote, this.#position + 1);
    } while (this.#position > 0 && this.#text[this.#position - 1] === "\\");
    const end = this.#position;
    this.#position = end < 0 ? start : end + 1;
    const quoted = this.#text.slice(start, this.#position);
    if (end < 0 || quoted.includes("\n")) {
      throw this.#error("unterminated quoted string", start);
    }
    const text = unquote(quoted);
    if (text === undefined) {
      throw this.#error(`invalid escape sequence in ${quoted}`, start);
    }
    return { kind: "text", text };
  }

  /** `[...]`: index, slice, key or a union of them. */
  #parseBrackets(): PathNode[] {
    const start = this.#position + 1;
    const end = this.#text.indexOf("]", start);
    const content = this.#text.slice(start, end);
    if (end < 0 || content.includes("\n")) {
      throw this.#error("unterminated array");
    }
    const parts = content.split(",");
    if (parts.length > 1) {
      const lists = parts.map((part) =>
        this.#parseNested({ text: `[${part.replaceAll(/^ +| +$/g, "")}]`, offset: start - 1 }),
      );
      this.#position = end + 1;
      return [{ kind: "union", lists }];
    }
    const key = /^'([^']*)'$/.exec(content)?.[1];
    const nodes =
      key === undefined ? [this.#parseSlice(content)] : this.#parseNested({ text: `.${key}`, offset: start }).nodes;
    this.#position = end + 1;
    return nodes;
  }

  #parseSlice(content: string): PathNode {
    const match = /^(-?\d*)(?::(-?\d*))?(?::(-?\d*))?$/.exec(content === "*" ? ":" : content);
    if (match === null) {
      throw this.#error(`invalid array index ${content}`);
    }
    const [start, end, step] = [match[1], match[2], match[3]].map((text) => this.#parseBound(text));
    return match[2] === undefined
      ? { kind: "slice", start, end: (start ?? 0) + 1, step, isIndex: true }
      : { kind: "slice", start, end, step, isIndex: false };
  }

  #parseBound(text: string | undefined): number | undefined {
    if (text === "-") {
      throw this.#error("array index - is not a number");
    }
    return text === undefined || text === "" ? undefined : Number(text);
  }

  /** `[?(...)]` */
  #parseFilter(): PathNode {
    const start = this.#position + 3;
    const scanned = scanFilter(this.#text, start);
    if (typeof scanned === "string") {
      throw this.#error(scanned);
    }
    const condition = this.#text.slice(start, scanned.end);
    this.#position = scanned.end + 2;
    const comparison = splitComparison(condition);
    if (comparison === undefined) {
      const left = this.#parseNested({ text: condition, offset: start });
      return { kind: "filter", left, right: { kind: "list", nodes: [] }, operator: "exists" };
    }
    const left = this.#parseNested({ text: comparison.left, offset: start });
    const right = this.#parseNested({
      text: comparison.right,
      offset: start + condition.length - comparison.right.length,
    });
    return { kind: "filter", left, right, operator: comparison.operator };
  }

  #parseNested({ text, offset }: Fragment): ListNode {
    const nested = new JsonPathParser(this.#expression, { text: `{${text}}`, offset: this.#offset + offset - 1 });
    const [first] = nested.parse();
    return first?.kind === "list" ? first : { kind: "list", nodes: [] };
  }

  #rest(prefix: string): boolean {
    return this.#text.startsWith(prefix, this.#position);
  }

  #codePoint(): string {
    const codePoint = this.#text.codePointAt(this.#position);
    return codePoint === undefined ? "" : String.fromCodePoint(codePoint);
  }

  #error(reason: string, position = this.#position): JsonPathError {
    const inExpression = Math.min(Math.max(0, this.#offset + position), this.#expression.length);
    return new JsonPathError(this.#expression, reason, inExpression);
  }
}

function isWordCharacter(character: string): boolean {
  return /^[\p{L}\p{Nd}_]/u.test(character);
}

function isTerminator(character: string | undefined): boolean {
  return character === undefined || " \t\r\n.,[]$@{}".includes(character);
}

/** Longer integers are beyond 64 bits; BigInt() takes more than linear time. */
const maxIntegerLength = 100;

/** Integers have the same form as in the data. */
function numberOf(text: string): number | bigint {
  const isInteger = /^[-+]?\d+$/.test(text) && text.length <= maxIntegerLength;
  return isInteger ? canonicalInteger(BigInt(text)) : Number(text);
}
