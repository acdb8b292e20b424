import { compareStrings, formatFloat } from "@landscaper/goyaml";
import type { Argument, Assignment, Expression, Merge, Parameter, Projection } from "./expression.ts";
import { expandedSize } from "../value/expanded-size.ts";
import type { Value } from "../value/value.ts";

/** Longer bound values are left out: lists and maps can contain each other many times. */
const longestShown = 10_000;

/** An expression as the original prints it in messages and for lambda values. */
export function printExpression(expression: Expression): string {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the other kinds are in the default branch
  switch (expression.kind) {
    case "literal":
      return printLiteral(expression.value);
    case "value":
      return printValue(expression.value);
    case "undefined":
      return "~~";
    case "element":
      return "";
    case "reference":
      return expression.tag === ""
        ? printPath(expression.path)
        : `${expression.tag}::${expression.path.length === 0 ? "." : printPath(expression.path)}`;
    case "group":
      return `( ${printExpression(expression.inner)} )`;
    case "qualified":
      return `(${expression.base.kind === "element" ? "" : printExpression(expression.base)}).${printPath(expression.path)}`;
    case "dynamic":
      return `${printExpression(expression.base)}.[${expression.indices.map(printExpression).join(", ")}]`;
    case "projection":
      return printProjection(expression);
    case "concat":
      return `${printExpression(expression.left)} ${printExpression(expression.right)}`;
    case "or":
    case "binary":
      return `${printExpression(expression.left)} ${expression.operator} ${printExpression(expression.right)}`;
    case "conditional": {
      const branches = `${printExpression(expression.yes)} : ${printExpression(expression.no)}`;
      return `${printExpression(expression.test)} ? ${branches}`;
    }
    case "not":
      return `!(${printExpression(expression.operand)})`;
    case "instantiate":
      return `*(${printExpression(expression.operand)})`;
    case "prefer":
      return `prefer ${printExpression(expression.operand)}`;
    default:
      return printCompound(expression);
  }
}

type Compound = Extract<
  Expression,
  {
    kind:
      | "call"
      | "list"
      | "range"
      | "map"
      | "scope"
      | "lambda"
      | "lambdaReference"
      | "comprehension"
      | "catch"
      | "sync"
      | "merge"
      | "auto"
      | "marked";
  }
>;

function printCompound(expression: Compound): string {
  switch (expression.kind) {
    case "call":
      return `${printExpression(expression.callee)}${expression.isCurry ? "*" : ""}(${printArguments(expression.args)})`;
    case "list":
      return `[${printArguments(expression.items)}]`;
    case "range":
      return `[${printExpression(expression.from)}..${printExpression(expression.to)}]`;
    case "map":
      return expression.entries.length === 0 ? "{ }" : `{ ${printAssignments(expression.entries)} }`;
    case "scope":
      return `(${printAssignments(expression.entries)} ) ${printExpression(expression.body)}`;
    case "lambda":
      return `lambda${printLambda(expression.parameters, expression.body)}`;
    case "lambdaReference":
      return `lambda ${printExpression(expression.operand)}`;
    case "comprehension": {
      const [open, close] = expression.target === "list" ? ["[", "]"] : ["{", "}"];
      const initial = expression.initial === undefined ? "" : `|${printExpression(expression.initial)}`;
      const mapper = printMapper(expression.lambda);
      return `${expression.form}${open}${printExpression(expression.source)}${initial}${mapper}${close}`;
    }
    case "catch":
      return `catch[${printExpression(expression.operand)}${printMapper(expression.lambda)}]`;
    case "sync":
      return `sync(${printExpression(expression.operand)})`;
    case "merge":
      return printMerge(expression);
    case "auto":
      return "auto";
    case "marked": {
      const markers = expression.markers.map((marker) => `&${marker}`).join(" ");
      return expression.innerText === undefined ? markers : `${markers} (${expression.innerText})`;
    }
  }
}

/** A path as text: names and indices with dots between. */
export function printPath(path: readonly string[]): string {
  return path.length === 1 && path[0] === "" ? "." : path.join(".");
}

export function printLiteral(value: null | boolean | bigint | number | string): string {
  if (value === null) return "nil";
  if (typeof value === "string") return JSON.stringify(value);
  return typeof value === "number" ? formatFloat(value, "g", -1) : String(value);
}

/** A value that was bound to a function. */
function printValue(value: Value): string {
  if (typeof value !== "object" || value === null) return printLiteral(value);
  if (expandedSize(value) > longestShown) return "...";
  switch (value.kind) {
    case "list":
      return `[${value.items.map((cell) => printValue(cell.value)).join(", ")}]`;
    case "map": {
      const entries = [...value.cells].toSorted(([a], [b]) => compareStrings(a, b));
      return `{${entries.map(([key, cell]) => `${JSON.stringify(key)}=${printValue(cell.value)}`).join(", ")}}`;
    }
    case "lambda":
      return `lambda${printLambda(value.parameters, value.body)}`;
    case "template":
    case "undefined":
      return `<${value.kind}>`;
  }
}

function printProjection({ base, range, each }: Projection): string {
  const slice = range === undefined ? "" : `.[[${printBound(range.from)}..${printBound(range.to)}]]`;
  return `${printExpression(base)}${slice}.[*] ${each === undefined ? "" : printExpression(each)}`;
}

function printBound(bound: Expression | undefined): string {
  return bound === undefined ? "" : printExpression(bound);
}

function printArguments(args: readonly Argument[]): string {
  return args
    .map(({ value, isSpread, name }) => {
      const prefix = name === undefined ? "" : `${name}=`;
      return `${prefix}${printExpression(value)}${isSpread ? "..." : ""}`;
    })
    .join(", ");
}

function printAssignments(entries: readonly Assignment[]): string {
  return entries.map(({ key, value }) => `${printExpression(key)} = ${printExpression(value)}`).join(", ");
}

/** `|a,b=1|->body`. */
export function printLambda(parameters: readonly Parameter[], body: Expression): string {
  const names = parameters.map(({ name, fallback, isRest }) => {
    if (isRest) return `${name}...`;
    return fallback === undefined ? name : `${name}=${printExpression(fallback)}`;
  });
  return `|${names.join(",")}|->${printExpression(body)}`;
}

function printMapper(lambda: Expression): string {
  return lambda.kind === "lambda" ? printLambda(lambda.parameters, lambda.body) : `|${printExpression(lambda)}`;
}

function printMerge({ mode, path, keyField }: Merge): string {
  const words = ["merge"];
  if (mode === "replace" || mode === "none") words.push(mode);
  if (keyField !== undefined) words.push("on", keyField);
  if (path.length > 0) words.push(printPath(path));
  return words.join(" ");
}
