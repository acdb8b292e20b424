import { quote } from "@landscaper/golang";
import type { ChainNode, CommandNode, NumberNode, Operand, PipeNode, VariableNode } from "./node.ts";
import { nodeText } from "./node-text.ts";
import { readNumberLiteral } from "./number-literal.ts";
import type { TokenReader } from "./token-reader.ts";
import type { Token, TokenType } from "./token.ts";
import { unquote, unquoteChar } from "./unquote.ts";

/** Nested parentheses; Go allows 10000, which is more than any template needs and than our stack holds. */
const maxDepth = 1000;

const operandStarts: ReadonlySet<TokenType> = new Set<TokenType>([
  "bool",
  "charConstant",
  "complex",
  "dot",
  "field",
  "identifier",
  "number",
  "nil",
  "rawString",
  "string",
  "variable",
  "leftParen",
]);

/** Parses what stands inside an action: declarations, commands, operands. */
export class PipelineParser {
  readonly #reader: TokenReader;
  readonly #hasFunction: (name: string) => boolean;
  #variables: string[] = ["$"];
  #depth = 0;

  constructor(reader: TokenReader, hasFunction: (name: string) => boolean) {
    this.#reader = reader;
    this.#hasFunction = hasFunction;
  }

  /** Variables that are declared from now on end at closeScope. */
  openScope(): number {
    return this.#variables.length;
  }

  closeScope(mark: number): void {
    this.#variables.length = mark;
  }

  parse(context: string, end: "rightDelim" | "rightParen"): PipeNode {
    const reader = this.#reader;
    const pipe: PipeNode = {
      type: "pipe",
      pos: reader.peekNonSpace().pos,
      source: reader.source,
      isAssign: false,
      declarations: [],
      commands: [],
    };
    while (this.#declaration(pipe, context));
    for (;;) {
      const token = reader.nextNonSpace();
      if (token.type === end) break;
      if (!operandStarts.has(token.type)) reader.unexpected(token, context);
      reader.backup();
      pipe.commands.push(this.#command());
    }
    this.#check(pipe, context);
    return pipe;
  }

  /** Reads a declaration, if one comes; true when another one must follow. */
  #declaration(pipe: PipeNode, context: string): boolean {
    const reader = this.#reader;
    const variable = reader.peekNonSpace();
    if (variable.type !== "variable") return false;
    reader.next();
    // Space is a token: in "$x foo" three tokens are needed to see that $x is an argument.
    const afterVariable = reader.peek();
    const next = reader.peekNonSpace();
    if (next.type === "assign" || next.type === "declare") {
      pipe.isAssign = next.type === "assign";
      reader.nextNonSpace();
      this.#declare(pipe, variable);
      return false;
    }
    if (next.type === "char" && next.value === ",") {
      reader.nextNonSpace();
      this.#declare(pipe, variable);
      if (context === "range" && pipe.declarations.length < 2) {
        const follower = reader.peekNonSpace().type;
        if (follower === "variable" || follower === "rightDelim" || follower === "rightParen") return true;
        reader.fail("range can only initialize variables");
      }
      reader.fail(`too many declarations in ${context}`);
    }
    if (afterVariable.type === "space") reader.backup3(variable, afterVariable);
    else reader.backup2(variable);
    return false;
  }

  #declare(pipe: PipeNode, token: Token): void {
    pipe.declarations.push(this.#newVariable(token.pos, token.value));
    this.#variables.push(token.value);
  }

  #newVariable(pos: number, text: string): VariableNode {
    return { type: "variable", pos, source: this.#reader.source, path: text.split(".") };
  }

  #check(pipe: PipeNode, context: string): void {
    if (pipe.commands.length === 0) this.#reader.fail(`missing value for ${context}`);
    for (const [i, command] of pipe.commands.entries()) {
      const type = command.args[0]?.type;
      if (i > 0 && (type === "bool" || type === "dot" || type === "nil" || type === "number" || type === "string")) {
        this.#reader.fail(`non executable command in pipeline stage ${i + 1}`);
      }
    }
  }

  #command(): CommandNode {
    const reader = this.#reader;
    const command: CommandNode = { type: "command", pos: reader.peekNonSpace().pos, source: reader.source, args: [] };
    for (;;) {
      reader.peekNonSpace();
      const operand = this.#operand();
      if (operand !== undefined) command.args.push(operand);
      const token = reader.next();
      if (token.type === "space") continue;
      if (token.type === "rightDelim" || token.type === "rightParen") reader.backup();
      else if (token.type !== "pipe") reader.unexpected(token, "operand");
      break;
    }
    if (command.args.length === 0) reader.fail("empty command");
    return command;
  }

  #operand(): Operand | undefined {
    const reader = this.#reader;
    const term = this.#term();
    if (term === undefined || reader.peek().type !== "field") return term;
    const chain: ChainNode = { type: "chain", pos: reader.peek().pos, source: reader.source, base: term, fields: [] };
    while (reader.peek().type === "field") chain.fields.push(reader.next().value.slice(1));
    switch (term.type) {
      case "field":
        return { type: "field", pos: chain.pos, source: chain.source, path: [...term.path, ...chain.fields] };
      case "variable":
        return { type: "variable", pos: chain.pos, source: chain.source, path: [...term.path, ...chain.fields] };
      case "bool":
      case "string":
      case "number":
      case "nil":
      case "dot":
        return reader.fail(`unexpected . after term ${quote(nodeText(term))}`);
      case "identifier":
      case "chain":
      case "pipe":
        return chain;
    }
  }

  #term(): Operand | undefined {
    const reader = this.#reader;
    const { source } = reader;
    const token = reader.nextNonSpace();
    const { pos, value } = token;
    // Widened, because all but a few of the token types end the term.
    const type: string = token.type;
    switch (type) {
      case "identifier":
        if (!this.#hasFunction(value)) reader.fail(`function ${quote(value)} not defined`);
        return { type: "identifier", pos, source, name: value };
      case "dot":
      case "nil":
        return { type, pos, source };
      case "variable":
        return this.#useVariable(pos, value);
      case "field":
        return { type: "field", pos, source, path: value.slice(1).split(".") };
      case "bool":
        return { type: "bool", pos, source, value: value === "true" };
      case "charConstant":
      case "complex":
      case "number":
        return this.#number(token);
      case "leftParen":
        return this.#parenthesized();
      case "string":
      case "rawString":
        return { type: "string", pos, source, quoted: value, text: unquote(value) ?? reader.fail("invalid syntax") };
      default:
        reader.backup();
        return undefined;
    }
  }

  #parenthesized(): PipeNode {
    if (this.#depth >= maxDepth) this.#reader.fail("max expression depth exceeded");
    this.#depth++;
    const pipe = this.parse("parenthesized pipeline", "rightParen");
    this.#depth--;
    return pipe;
  }

  #useVariable(pos: number, text: string): VariableNode {
    const variable = this.#newVariable(pos, text);
    const name = variable.path[0] ?? "";
    if (!this.#variables.includes(name)) this.#reader.fail(`undefined variable ${quote(name)}`);
    return variable;
  }

  #number({ type, pos, value }: Token): NumberNode {
    const { source } = this.#reader;
    if (type === "charConstant") {
      const code = unquoteChar(value);
      if (typeof code === "string") return this.#reader.fail(code);
      return { type: "number", pos, source, text: value, int: BigInt(code), uint: BigInt(code), float: code };
    }
    const literal = readNumberLiteral(value);
    if (typeof literal === "string") return this.#reader.fail(literal);
    return { type: "number", pos, source, text: value, ...literal };
  }
}
