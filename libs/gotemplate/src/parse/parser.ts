import { Lexer, type Delimiters } from "./lexer.ts";
import {
  isEmptyTree,
  type BranchNode,
  type EndNode,
  type ListNode,
  type Node,
  type SourceText,
  type Tree,
} from "./node.ts";
import { nodeText } from "./node-text.ts";
import { PipelineParser } from "./pipeline-parser.ts";
import { TokenReader } from "./token-reader.ts";
import type { Token } from "./token.ts";
import { unquote } from "./unquote.ts";

export interface ParseOptions {
  readonly delimiters: Delimiters;
  /** Whether a function of this name is known; unknown ones are parse errors. */
  readonly hasFunction: (name: string) => boolean;
}

/**
 * Parses a template into its definitions by name: the text's own one under `name`, and those of `define` and `block`.
 * Throws TemplateError. Models Go's text/template/parse/parse.go.
 */
export function parseTrees(name: string, text: string, options: ParseOptions): ReadonlyMap<string, Tree> {
  const source: SourceText = { parseName: name, text };
  const trees = new Map<string, Tree>();
  const lexer = new Lexer(text, {
    delimiters: options.delimiters,
    breakIsKeyword: !options.hasFunction("break"),
    continueIsKeyword: !options.hasFunction("continue"),
  });
  const parser = new TreeParser(new TokenReader(lexer, source), trees, options);
  parser.add(name, parser.parseBody());
  return trees;
}

function isEnd(node: Node | EndNode): node is EndNode {
  return node.type === "end" || node.type === "else";
}

class TreeParser {
  readonly #reader: TokenReader;
  readonly #trees: Map<string, Tree>;
  readonly #options: ParseOptions;
  readonly #pipelines: PipelineParser;
  #rangeDepth = 0;

  constructor(reader: TokenReader, trees: Map<string, Tree>, options: ParseOptions) {
    this.#reader = reader;
    this.#trees = trees;
    this.#options = options;
    this.#pipelines = new PipelineParser(reader, options.hasFunction);
  }

  add(name: string, root: ListNode): void {
    const known = this.#trees.get(name);
    if (known === undefined || isEmptyTree(known.root)) this.#trees.set(name, { name, root });
    else if (!isEmptyTree(root)) this.#reader.fail(`template: multiple definition of template "${name}"`);
  }

  /** Reads to the end of the text. */
  parseBody(): ListNode {
    const reader: TokenReader = this.#reader;
    const root = this.#newList(reader.peek().pos);
    while (reader.peek().type !== "eof") {
      if (reader.peek().type === "leftDelim") {
        const delim = reader.next();
        if (reader.nextNonSpace().type === "define") {
          this.#subParser().#parseDefinition();
          continue;
        }
        reader.backup2(delim);
      }
      const node = this.#textOrAction();
      if (isEnd(node)) reader.fail(`unexpected ${nodeText(node)}`);
      root.nodes.push(node);
    }
    return root;
  }

  #subParser(): TreeParser {
    const reader = new TokenReader(this.#reader.lexer, this.#reader.source);
    return new TreeParser(reader, this.#trees, this.#options);
  }

  #newList(pos: number): ListNode {
    return { type: "list", pos, source: this.#reader.source, nodes: [] };
  }

  #parseDefinition(): void {
    const context = "define clause";
    const literal = this.#reader.expect(["string", "rawString"], context);
    const name = this.#unquoteName(literal);
    this.#reader.expect(["rightDelim"], context);
    this.#parseNamedBody(name, context);
  }

  #parseNamedBody(name: string, context: string): void {
    const { list, end } = this.#itemList();
    if (end.type !== "end") this.#reader.fail(`unexpected ${nodeText(end)} in ${context}`);
    this.add(name, list);
  }

  #unquoteName(token: Token): string {
    return unquote(token.value) ?? this.#reader.fail("invalid syntax");
  }

  /** Reads up to {{end}} or {{else}}. */
  #itemList(): { list: ListNode; end: EndNode } {
    const list = this.#newList(this.#reader.peekNonSpace().pos);
    while (this.#reader.peekNonSpace().type !== "eof") {
      const node = this.#textOrAction();
      if (isEnd(node)) return { list, end: node };
      list.nodes.push(node);
    }
    return this.#reader.fail("unexpected EOF");
  }

  #textOrAction(): Node | EndNode {
    const token = this.#reader.nextNonSpace();
    if (token.type === "text") {
      return { type: "text", pos: token.pos, source: this.#reader.source, text: token.value };
    }
    if (token.type !== "leftDelim") this.#reader.unexpected(token, "input");
    this.#reader.actionLine = token.line;
    const node = this.#action();
    this.#reader.actionLine = 0;
    return node;
  }

  #action(): Node | EndNode {
    const reader = this.#reader;
    const token = reader.nextNonSpace();
    // Widened, because every other token starts a command.
    const type: string = token.type;
    switch (type) {
      case "block":
        return this.#block();
      case "template":
        return this.#template();
      case "break":
      case "continue":
        return this.#breakOrContinue(type, token.pos);
      case "else":
        return this.#else();
      case "end":
        return { type: "end", pos: reader.expect(["rightDelim"], "end").pos, source: reader.source };
      case "if":
      case "with":
      case "range":
        return this.#branch(type);
      default:
    }
    reader.backup();
    const { pos } = reader.peek();
    // Variables that are declared here live until the enclosing "end".
    return { type: "action", pos, source: reader.source, pipe: this.#pipelines.parse("command", "rightDelim") };
  }

  #breakOrContinue(type: "break" | "continue", pos: number): Node {
    const token = this.#reader.nextNonSpace();
    if (token.type !== "rightDelim") this.#reader.unexpected(token, `{{${type}}}`);
    if (this.#rangeDepth === 0) this.#reader.fail(`{{${type}}} outside {{range}}`);
    return { type, pos, source: this.#reader.source };
  }

  #branch(type: BranchNode["type"]): BranchNode {
    const reader = this.#reader;
    const scope = this.#pipelines.openScope();
    const pipe = this.#pipelines.parse(type, "rightDelim");
    if (type === "range") this.#rangeDepth++;
    const { list, end } = this.#itemList();
    if (type === "range") this.#rangeDepth--;
    const elseList = end.type === "else" ? this.#elseList(type, end) : undefined;
    this.#pipelines.closeScope(scope);
    return { type, pos: pipe.pos, source: reader.source, pipe, list, elseList };
  }

  /** The else part; "else if" and "else with" are an if or with alone in it, closed by the same end. */
  #elseList(type: BranchNode["type"], elseNode: EndNode): ListNode {
    if ((type === "if" || type === "with") && this.#reader.peek().type === type) {
      this.#reader.next();
      const list = this.#newList(elseNode.pos);
      list.nodes.push(this.#branch(type));
      return list;
    }
    const { list, end } = this.#itemList();
    if (end.type !== "end") this.#reader.fail(`expected end; found ${nodeText(end)}`);
    return list;
  }

  #else(): EndNode {
    const { source } = this.#reader;
    const token = this.#reader.peekNonSpace();
    if (token.type === "if" || token.type === "with") return { type: "else", pos: token.pos, source };
    return { type: "else", pos: this.#reader.expect(["rightDelim"], "else").pos, source };
  }

  #block(): Node {
    const context = "block clause";
    const token = this.#reader.nextNonSpace();
    const name = this.#templateName(token, context);
    const pipe = this.#pipelines.parse(context, "rightDelim");
    this.#subParser().#parseNamedBody(name, context);
    return { type: "template", pos: token.pos, source: this.#reader.source, name, pipe };
  }

  #template(): Node {
    const context = "template clause";
    const token = this.#reader.nextNonSpace();
    const name = this.#templateName(token, context);
    const { source } = this.#reader;
    if (this.#reader.nextNonSpace().type === "rightDelim") {
      return { type: "template", pos: token.pos, source, name, pipe: undefined };
    }
    this.#reader.backup();
    return { type: "template", pos: token.pos, source, name, pipe: this.#pipelines.parse(context, "rightDelim") };
  }

  #templateName(token: Token, context: string): string {
    if (token.type !== "string" && token.type !== "rawString") this.#reader.unexpected(token, context);
    return this.#unquoteName(token);
  }
}
