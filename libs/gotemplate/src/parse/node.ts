/** The source that a node was parsed from, for error positions. */
export interface SourceText {
  /** Name of the template that was parsed: definitions inside it keep it. */
  readonly parseName: string;
  readonly text: string;
}

interface NodeBase {
  /** Index in the source text, in UTF-16 units. */
  readonly pos: number;
  readonly source: SourceText;
}

export interface ListNode extends NodeBase {
  readonly type: "list";
  readonly nodes: Node[];
}
export interface TextNode extends NodeBase {
  readonly type: "text";
  readonly text: string;
}
export interface ActionNode extends NodeBase {
  readonly type: "action";
  readonly pipe: PipeNode;
}
export interface BranchNode extends NodeBase {
  readonly type: "if" | "with" | "range";
  readonly pipe: PipeNode;
  readonly list: ListNode;
  readonly elseList: ListNode | undefined;
}
export interface BreakNode extends NodeBase {
  readonly type: "break" | "continue";
}
export interface TemplateNode extends NodeBase {
  readonly type: "template";
  readonly name: string;
  readonly pipe: PipeNode | undefined;
}
/** Only seen by the parser. */
export interface EndNode extends NodeBase {
  readonly type: "end" | "else";
}

export interface PipeNode extends NodeBase {
  readonly type: "pipe";
  isAssign: boolean;
  readonly declarations: VariableNode[];
  readonly commands: CommandNode[];
}
export interface CommandNode extends NodeBase {
  readonly type: "command";
  readonly args: Operand[];
}
export interface IdentifierNode extends NodeBase {
  readonly type: "identifier";
  readonly name: string;
}
export interface VariableNode extends NodeBase {
  readonly type: "variable";
  /** The variable with its "$", then fields. */
  readonly path: readonly string[];
}
export interface FieldNode extends NodeBase {
  readonly type: "field";
  readonly path: readonly string[];
}
export interface ChainNode extends NodeBase {
  readonly type: "chain";
  readonly base: Operand;
  readonly fields: string[];
}
export interface DotNode extends NodeBase {
  readonly type: "dot" | "nil";
}
export interface BoolNode extends NodeBase {
  readonly type: "bool";
  readonly value: boolean;
}
export interface NumberNode extends NodeBase {
  readonly type: "number";
  readonly text: string;
  readonly int: bigint | undefined;
  readonly uint: bigint | undefined;
  readonly float: number | undefined;
  /** Real and imaginary part of a literal with an "i". */
  readonly complex?: readonly [real: number, imaginary: number];
}
export interface StringNode extends NodeBase {
  readonly type: "string";
  readonly quoted: string;
  readonly text: string;
}

export type Operand =
  | PipeNode
  | IdentifierNode
  | VariableNode
  | FieldNode
  | ChainNode
  | DotNode
  | BoolNode
  | NumberNode
  | StringNode;

/** What stands in a list. */
export type Node = TextNode | ActionNode | BranchNode | BreakNode | TemplateNode;

export type AnyNode = Node | ListNode | EndNode | CommandNode | Operand;

/** One definition: the body of a file, of a `define` or of a `block`. */
export interface Tree {
  readonly name: string;
  readonly root: ListNode;
}

/** True if there is nothing but space: such a definition does not replace another one. */
export function isEmptyTree(root: ListNode): boolean {
  return root.nodes.every((node) => node.type === "text" && node.text.trim() === "");
}
