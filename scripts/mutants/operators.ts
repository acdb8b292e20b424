// The operators of mutation testing: each makes small changes of source code that a test should notice. The pages of Stryker describe the same operators.
import { SyntaxKind, type Node, type SourceFile } from "typescript/unstable/ast";
import {
  isArrayLiteralExpression,
  isArrowFunction,
  isBinaryExpression,
  isBlock,
  isCallExpression,
  isCaseClause,
  isConditionalExpression,
  isDoStatement,
  isExportDeclaration,
  isForStatement,
  isIfStatement,
  isImportDeclaration,
  isInterfaceDeclaration,
  isNoSubstitutionTemplateLiteral,
  isObjectLiteralExpression,
  isPostfixUnaryExpression,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isStringLiteral,
  isTemplateExpression,
  isTypeAliasDeclaration,
  isTypeNode,
  isWhileStatement,
} from "typescript/unstable/ast/is";

/** A change of a source file: the text from `start` to `end`, in UTF-16 code units, becomes `text`. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** One change of one place of a source file. */
export interface Mutant {
  readonly edit: Edit;
  /** Counted from 1. */
  readonly line: number;
  /** The source line of the start, without indentation: identifies the mutant even if lines move. */
  readonly context: string;
  /** The changed expression or statement, on one line and shortened. */
  readonly original: string;
  readonly mutated: string;
}

const boundaries: Readonly<Record<string, readonly string[]>> = {
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
};

/** What each binary operator is replaced by. */
const binary: Readonly<Record<string, readonly string[]>> = {
  ...boundaries,
  "===": ["!=="],
  "!==": ["==="],
  "==": ["!="],
  "!=": ["=="],
  "&&": ["||"],
  "||": ["&&"],
  "??": ["&&"],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "+=": ["-="],
  "-=": ["+="],
  "*=": ["/="],
  "/=": ["*="],
  "??=": ["&&="],
  "||=": ["&&="],
  "&&=": ["||="],
};

const unary: ReadonlyMap<SyntaxKind, string> = new Map([
  [SyntaxKind.PlusToken, "-"],
  [SyntaxKind.MinusToken, "+"],
  [SyntaxKind.TildeToken, ""],
  [SyntaxKind.ExclamationToken, ""],
  [SyntaxKind.PlusPlusToken, "--"],
  [SyntaxKind.MinusMinusToken, "++"],
]);

/** Methods that are replaced by another one. */
const methods: Readonly<Record<string, string>> = {
  startsWith: "endsWith",
  endsWith: "startsWith",
  some: "every",
  every: "some",
  min: "max",
  max: "min",
  trimStart: "trimEnd",
  trimEnd: "trimStart",
  toUpperCase: "toLowerCase",
  toLowerCase: "toUpperCase",
  indexOf: "lastIndexOf",
  lastIndexOf: "indexOf",
};

/** Methods whose call is replaced by its receiver. */
const removedMethods: ReadonlySet<string> = new Set([
  "trim",
  "slice",
  "substring",
  "charAt",
  "filter",
  "sort",
  "toSorted",
  "reverse",
  "toReversed",
]);

type Edits = readonly Edit[];
type Operator = (node: Node) => Edits;

const replace = (node: Node, ...texts: readonly string[]): Edits =>
  texts.map((text) => ({ start: node.getStart(), end: node.end, text }));

/** Conditional boundaries, equality, logical operators, arithmetic and assignments. */
const mutateBinary: Operator = (node) => {
  if (!isBinaryExpression(node)) return [];
  const token = node.operatorToken;
  return replace(token, ...(binary[token.getText()] ?? []));
};

/** Signs, negations and steps. */
const mutateUnary: Operator = (node) => {
  if (isPostfixUnaryExpression(node)) {
    return [{ start: node.operand.end, end: node.end, text: unary.get(node.operator) ?? "" }];
  }
  if (!isPrefixUnaryExpression(node)) return [];
  return [{ start: node.getStart(), end: node.operand.getStart(), text: unary.get(node.operator) ?? "" }];
};

const mutateBoolean: Operator = (node) => {
  if (node.kind === SyntaxKind.TrueKeyword) return replace(node, "false");
  return node.kind === SyntaxKind.FalseKeyword ? replace(node, "true") : [];
};

/** Conditions that are always true or always false. A loop whose condition is always true does not end. */
const mutateCondition: Operator = (node) => {
  if (isIfStatement(node)) return replace(node.expression, "true", "false");
  if (isConditionalExpression(node)) return replace(node.condition, "true", "false");
  if (isWhileStatement(node) || isDoStatement(node)) return replace(node.expression, "false");
  return isForStatement(node) && node.condition !== undefined ? replace(node.condition, "false") : [];
};

/** Removes the statements of blocks, functions and cases. */
const mutateStatements: Operator = (node) => {
  if (isBlock(node)) return node.statements.length > 0 ? replace(node, "{}") : [];
  const [first] = isCaseClause(node) ? node.statements : [];
  return first === undefined ? [] : [{ start: first.getStart(), end: node.end, text: "" }];
};

const mutateString: Operator = (node) => {
  if (isTemplateExpression(node)) return replace(node, "``");
  if (!isStringLiteral(node) && !isNoSubstitutionTemplateLiteral(node)) return [];
  // Keys of object literals are names; text without effect stands alone in a statement.
  const isName = isPropertyAssignment(node.parent) && node.parent.name === node;
  if (isName || node.parent.kind === SyntaxKind.ExpressionStatement) return [];
  return replace(node, node.text === "" ? '"mutant"' : '""');
};

const mutateCollection: Operator = (node) => {
  const isTarget = isBinaryExpression(node.parent) && node.parent.left === node;
  if (isTarget) return [];
  if (isArrayLiteralExpression(node)) return replace(node, node.elements.length > 0 ? "[]" : '["mutant"]');
  return isObjectLiteralExpression(node) && node.properties.length > 0 ? replace(node, "{}") : [];
};

/** The expression that an arrow function returns. */
const mutateArrow: Operator = (node) =>
  isArrowFunction(node) && !isBlock(node.body) ? replace(node.body, "undefined") : [];

const mutateChain: Operator = (node) => {
  if (node.kind !== SyntaxKind.QuestionDotToken) return [];
  return replace(node, isPropertyAccessExpression(node.parent) ? "." : "");
};

const mutateMethod: Operator = (node) => {
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression)) return [];
  const { name, expression } = node.expression;
  const method = name.getText();
  const other = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (other !== undefined) return replace(name, other);
  return removedMethods.has(method) ? [{ start: expression.end, end: node.end, text: "" }] : [];
};

const operators: readonly Operator[] = [
  mutateBinary,
  mutateUnary,
  mutateBoolean,
  mutateCondition,
  mutateStatements,
  mutateString,
  mutateCollection,
  mutateArrow,
  mutateChain,
  mutateMethod,
];

/** Code without effect at run time, and the paths of imports. */
function isSkipped(node: Node): boolean {
  return (
    isTypeNode(node) ||
    isInterfaceDeclaration(node) ||
    isTypeAliasDeclaration(node) ||
    isImportDeclaration(node) ||
    isExportDeclaration(node)
  );
}

/** Longest text of an original or a mutant. */
const maxShown = 80;

/** Returns a text on one line, without backquotes, because the report has it between them, and shortened in the middle. Pure. */
function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").replaceAll("`", "'").trim();
  const half = maxShown / 2;
  return line.length <= maxShown ? line : `${line.slice(0, half)} … ${line.slice(-half)}`;
}

/** The part of the code that the reader needs to understand the change: the whole expression of an operator. */
function shownRange(node: Node, edit: Edit): Omit<Edit, "text"> {
  const isToken = isBinaryExpression(node) || isCallExpression(node) || node.kind === SyntaxKind.QuestionDotToken;
  const shown = node.kind === SyntaxKind.QuestionDotToken ? node.parent : node;
  if (isToken || isPrefixUnaryExpression(node) || isPostfixUnaryExpression(node)) {
    return { start: shown.getStart(), end: shown.end };
  }
  return edit;
}

function toMutant(source: SourceFile, node: Node, edit: Edit): Mutant {
  const { text } = source;
  const { start, end } = shownRange(node, edit);
  const { line } = source.getLineAndCharacterOfPosition(edit.start);
  return {
    edit,
    line: line + 1,
    context: (text.split("\n")[line] ?? "").trim(),
    original: shorten(text.slice(start, end)),
    mutated: shorten(text.slice(start, edit.start) + edit.text + text.slice(edit.end, end)),
  };
}

/** Returns all mutants of a source file, in the order of their places. Pure. */
export function listMutants(source: SourceFile): readonly Mutant[] {
  const found: Mutant[] = [];
  const visit = (node: Node): void => {
    if (isSkipped(node)) return;
    const edits = operators.flatMap((operator) => operator(node));
    const changes = edits.filter(({ start, end, text }) => source.text.slice(start, end) !== text);
    found.push(...changes.map((edit) => toMutant(source, node, edit)));
    node.forEachChild(visit);
  };
  source.forEachChild(visit);
  return found;
}

/** Returns the text of a source file with the change of a mutant. Pure. */
export function applyEdit(text: string, { edit }: Pick<Mutant, "edit">): string {
  return text.slice(0, edit.start) + edit.text + text.slice(edit.end);
}
