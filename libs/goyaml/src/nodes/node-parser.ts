import { type Mark, parserError } from "../scan/cursor.ts";
import type { Scanner } from "../scan/scanner.ts";
import type { Token } from "../scan/token.ts";
import { YamlError } from "../yaml-error.ts";
import { type Properties, makeAlias, makeEmptyScalar, makeMapping, makeScalar, makeSequence } from "./make-node.ts";
import type { YamlMapping, YamlNode, YamlSequence } from "./node.ts";
import { TagHandles } from "./tag-handles.ts";

/** An open collection and what may come next in it. */
type Frame = SequenceFrame | MappingFrame;

interface SequenceFrame {
  readonly kind: "block-sequence" | "indentless-sequence" | "flow-sequence";
  readonly node: YamlSequence;
}

interface MappingFrame {
  /** "pair": one `key: value` in a flow sequence. */
  readonly kind: "block-mapping" | "flow-mapping" | "pair";
  readonly node: YamlMapping;
  /** The key whose value comes next. */
  key: YamlNode | undefined;
  /** Whether that key was written without `?` and `:` in a flow mapping, so that it has no value. */
  hasNoValue: boolean;
}

/** Where a node stands: in block or flow context; an indentless sequence is one in the column of its key. */
interface Place {
  readonly isBlock: boolean;
  readonly allowsIndentless: boolean;
}

/** A step takes some microseconds. */
export const stepsPerPart = 1000;

const none: Properties = { anchor: undefined, tag: undefined, end: 0 };

const inBlock: Place = { isBlock: true, allowsIndentless: false };
const inBlockMapping: Place = { isBlock: true, allowsIndentless: true };
const inFlow: Place = { isBlock: false, allowsIndentless: false };

/**
 * Builds the nodes of one document after the other. Models the grammar of libyaml, but without recursion, so that deep
 * texts do not fill the stack.
 */
export class NodeParser {
  readonly #scanner: Scanner;
  readonly #tags = new TagHandles();
  readonly #anchors = new Map<string, YamlNode>();
  readonly #frames: Frame[] = [];
  #isFirst = true;

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
  }

  /** The root of the next document; undefined at the end of the text. Throws YamlError. */
  next(): YamlNode | undefined {
    const parts = this.parts();
    for (;;) {
      const { done, value } = parts.next();
      if (done === true) return value;
    }
  }

  /** As `next`, with a stop after every `stepsPerPart` pieces of collections. */
  *parts(): Generator<undefined, YamlNode | undefined> {
    let steps = 0;
    const start = this.#startDocument();
    if (start === "end") return undefined;
    this.#anchors.clear();
    const token = this.#scanner.peek();
    const root = start === "marked" && documentBoundaries.has(token.kind) ? this.#empty(token) : this.#node(inBlock);
    for (let frame = this.#frames.at(-1); frame !== undefined; frame = this.#frames.at(-1)) {
      this.#step(frame);
      if (++steps % stepsPerPart === 0) yield;
    }
    if (this.#scanner.peek().kind === "document-end") this.#scanner.skip();
    return root;
  }

  /** Steps over what stands before the content: with `---` that may be nothing. Only the first one may do without. */
  #startDocument(): "bare" | "marked" | "end" {
    const scanner = this.#scanner;
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (!isFirst) while (scanner.peek().kind === "document-end") scanner.skip();
    const { kind } = scanner.peek();
    if (kind === "stream-end") return "end";
    const isBare = kind !== "version-directive" && kind !== "tag-directive" && kind !== "document-start";
    this.#tags.readDirectives(scanner);
    if (isFirst && isBare) return "bare";
    const token = scanner.peek();
    if (token.kind !== "document-start") return fail("did not find expected <document start>", token);
    scanner.skip();
    return "marked";
  }

  /** Reads the next piece of an open collection. */
  #step(frame: Frame): void {
    switch (frame.kind) {
      case "block-sequence":
        return this.#stepBlockSequence(frame);
      case "indentless-sequence":
        return this.#stepIndentlessSequence(frame);
      case "flow-sequence":
        return this.#stepFlowSequence(frame);
      case "block-mapping":
        return frame.key === undefined ? this.#stepBlockKey(frame) : this.#stepBlockValue(frame, frame.key);
      case "flow-mapping":
        return frame.key === undefined ? this.#stepFlowKey(frame) : this.#stepFlowValue(frame, frame.key);
      case "pair":
        return this.#stepPair(frame);
    }
  }

  #stepBlockSequence({ node }: SequenceFrame): void {
    const token = this.#scanner.peek();
    if (token.kind === "block-end") return this.#close(node, token);
    if (token.kind !== "block-entry") return fail("did not find expected '-' indicator", token);
    this.#scanner.skip();
    const { kind } = this.#scanner.peek();
    node.items.push(kind === "block-entry" || kind === "block-end" ? this.#emptyAfter(token) : this.#node(inBlock));
  }

  #stepIndentlessSequence({ node }: SequenceFrame): void {
    const token = this.#scanner.peek();
    if (token.kind !== "block-entry") {
      node.end = token.offset;
      this.#frames.pop();
      return;
    }
    this.#scanner.skip();
    const { kind } = this.#scanner.peek();
    const isEmpty = kind === "block-entry" || kind === "key" || kind === "value" || kind === "block-end";
    node.items.push(isEmpty ? this.#emptyAfter(token) : this.#node(inBlock));
  }

  #stepBlockKey(frame: MappingFrame): void {
    const token = this.#scanner.peek();
    if (token.kind === "block-end") return this.#close(frame.node, token);
    if (token.kind !== "key") return fail("did not find expected key", token);
    this.#scanner.skip();
    const { kind } = this.#scanner.peek();
    const isEmpty = kind === "key" || kind === "value" || kind === "block-end";
    frame.key = isEmpty ? this.#emptyAfter(token) : this.#node(inBlockMapping);
  }

  #stepBlockValue(frame: MappingFrame, key: YamlNode): void {
    frame.key = undefined;
    const token = this.#scanner.peek();
    if (token.kind !== "value") {
      frame.node.entries.push({ key, value: this.#empty(token) });
      return;
    }
    this.#scanner.skip();
    const { kind } = this.#scanner.peek();
    const isEmpty = kind === "key" || kind === "value" || kind === "block-end";
    frame.node.entries.push({ key, value: isEmpty ? this.#emptyAfter(token) : this.#node(inBlockMapping) });
  }

  #stepFlowSequence({ node }: SequenceFrame): void {
    const scanner = this.#scanner;
    let token = scanner.peek();
    if (token.kind !== "flow-sequence-end" && node.items.length > 0) {
      if (token.kind !== "flow-entry") return fail("did not find expected ',' or ']'", token);
      scanner.skip();
      token = scanner.peek();
    }
    if (token.kind === "flow-sequence-end") return this.#close(node, token);
    if (token.kind !== "key") {
      node.items.push(this.#node(inFlow));
      return;
    }
    scanner.skip();
    const pair = makeMapping(token, none, true);
    node.items.push(pair);
    this.#frames.push({ kind: "pair", node: pair, key: undefined, hasNoValue: false });
  }

  #stepPair(frame: MappingFrame): void {
    const scanner = this.#scanner;
    const token = scanner.peek();
    const { kind } = token;
    if (frame.node.entries.length > 0) {
      frame.node.end = token.offset;
      this.#frames.pop();
    } else if (frame.key === undefined) {
      const isEmpty = kind === "value" || kind === "flow-entry" || kind === "flow-sequence-end";
      // As in libyaml, the token after a lone `?` is lost.
      if (isEmpty) scanner.skip();
      frame.key = isEmpty ? this.#emptyAfter(token) : this.#node(inFlow);
    } else {
      const { key } = frame;
      frame.key = undefined;
      frame.node.entries.push({ key, value: this.#flowValue(token, "flow-sequence-end") });
    }
  }

  #stepFlowKey(frame: MappingFrame): void {
    const scanner = this.#scanner;
    let token = scanner.peek();
    if (token.kind !== "flow-mapping-end" && frame.node.entries.length > 0) {
      if (token.kind !== "flow-entry") return fail("did not find expected ',' or '}'", token);
      scanner.skip();
      token = scanner.peek();
    }
    if (token.kind === "flow-mapping-end") return this.#close(frame.node, token);
    frame.hasNoValue = token.kind !== "key";
    if (token.kind === "key") {
      scanner.skip();
      token = scanner.peek();
      const { kind } = token;
      const isEmpty = kind === "value" || kind === "flow-entry" || kind === "flow-mapping-end";
      frame.key = isEmpty ? this.#empty(token) : this.#node(inFlow);
    } else frame.key = this.#node(inFlow);
  }

  #stepFlowValue(frame: MappingFrame, key: YamlNode): void {
    frame.key = undefined;
    const token = this.#scanner.peek();
    const value = frame.hasNoValue ? this.#empty(token) : this.#flowValue(token, "flow-mapping-end");
    frame.node.entries.push({ key, value });
  }

  /** The value after the key of a flow mapping or pair; `token` is the next one. */
  #flowValue(token: Token, end: Token["kind"]): YamlNode {
    if (token.kind !== "value") return this.#empty(token);
    this.#scanner.skip();
    const next = this.#scanner.peek();
    return next.kind === "flow-entry" || next.kind === end ? this.#empty(next) : this.#node(inFlow);
  }

  #close(node: YamlSequence | YamlMapping, token: Token): void {
    node.end = token.end;
    this.#scanner.skip();
    this.#frames.pop();
  }

  /** Reads a node; of a collection only the beginning, its frame waits for the rest. */
  #node(place: Place): YamlNode {
    const scanner = this.#scanner;
    const first = scanner.peek();
    if (first.kind === "alias") return this.#alias(first);
    const properties = this.#properties(first);
    const token = scanner.peek();
    const { kind } = token;
    if (kind === "scalar") {
      scanner.skip();
      return this.#anchored(makeScalar(first, token, properties));
    }
    if (kind === "block-entry" && place.allowsIndentless) return this.#open("indentless-sequence", first, properties);
    if (kind === "flow-sequence-start") return this.#open("flow-sequence", first, properties);
    if (kind === "flow-mapping-start") return this.#open("flow-mapping", first, properties);
    if (kind === "block-sequence-start" && place.isBlock) return this.#open("block-sequence", first, properties);
    if (kind === "block-mapping-start" && place.isBlock) return this.#open("block-mapping", first, properties);
    if (properties.anchor === undefined && properties.tag === undefined) {
      return fail("did not find expected node content", token);
    }
    return this.#anchored(makeEmptyScalar(first, properties));
  }

  #open(kind: Frame["kind"], first: Mark, properties: Properties): YamlNode {
    // The entries of an indentless sequence begin with the token that shows it.
    if (kind !== "indentless-sequence") this.#scanner.skip();
    const isFlow = kind === "flow-sequence" || kind === "flow-mapping";
    if (kind === "block-mapping" || kind === "flow-mapping" || kind === "pair") {
      const node = makeMapping(first, properties, isFlow);
      this.#frames.push({ kind, node, key: undefined, hasNoValue: false });
      return this.#anchored(node);
    }
    const node = makeSequence(first, properties, isFlow);
    this.#frames.push({ kind, node });
    return this.#anchored(node);
  }

  #alias(token: Token): YamlNode {
    const target = this.#anchors.get(token.text);
    if (target === undefined) {
      const place = { line: token.line + 1, column: token.column + 1 };
      const message = `yaml: unknown anchor '${token.text}' referenced`;
      throw new YamlError(message, { problem: "unknown anchor referenced", ...place });
    }
    this.#scanner.skip();
    return makeAlias(token, target);
  }

  #properties(first: Token): Properties {
    const scanner = this.#scanner;
    if (first.kind !== "anchor" && first.kind !== "tag") return none;
    scanner.skip();
    let second: Token | undefined = scanner.peek();
    if (second.kind === (first.kind === "anchor" ? "tag" : "anchor")) scanner.skip();
    else second = undefined;
    const [anchor, tag] = first.kind === "anchor" ? [first, second] : [second, first];
    const { end } = second ?? first;
    return { end, anchor: anchor?.text, tag: tag === undefined ? undefined : this.#tags.resolve(tag) };
  }

  #anchored(node: YamlNode): YamlNode {
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    return node;
  }

  #empty(token: Mark): YamlNode {
    return makeEmptyScalar(token);
  }

  #emptyAfter(token: Token): YamlNode {
    return this.#empty({ offset: token.end, line: token.endLine, column: token.endColumn });
  }
}

const documentBoundaries: ReadonlySet<Token["kind"]> = new Set([
  "version-directive",
  "tag-directive",
  "document-start",
  "document-end",
  "stream-end",
]);

function fail(problem: string, at: Mark): never {
  throw parserError(problem, at);
}
