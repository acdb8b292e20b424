import { GoInt, type ParamType, type Value, int, int64, wrapInt } from "@landscaper/golang";
import type { NumberNode, Operand } from "../parse/node.ts";
import { nodeText } from "../parse/node-text.ts";
import { compileConstant } from "./compile-constant.ts";
import type { CompileContext } from "./compile-context.ts";
import type { Evaluate } from "./compiled-template.ts";
import type { ExecState } from "./exec-state.ts";
import { nilOf, paramTypeName, validateArgument } from "./param-type.ts";

/** An argument for a parameter of the type. Models evalArg of text/template/exec.go. */
export function compileArgument(node: Operand, type: ParamType, context: CompileContext): Evaluate {
  switch (node.type) {
    case "nil":
      return compileNil(node, type);
    case "bool":
    case "number":
    case "string":
      return compileLiteral(node, type);
    case "dot":
      return (state) => {
        state.node = node;
        return validateArgument(state, state.dot, type);
      };
    case "field":
    case "variable":
    case "chain":
    case "identifier":
    case "pipe": {
      const evaluate = context.compileOperand(node, context);
      if (type === "value") return evaluate;
      if (type === "any") return (state) => evaluate(state) ?? null;
      if (type === "string") {
        return (state) => {
          const value = evaluate(state);
          return typeof value === "string" ? value : validateArgument(state, value, type);
        };
      }
      return (state) => validateArgument(state, evaluate(state), type);
    }
  }
}

function compileNil(node: Operand, type: ParamType): Evaluate {
  const nil = nilOf(type);
  if (nil !== undefined || type === "value") {
    return (state) => {
      state.node = node;
      return nil;
    };
  }
  return (state) => fail(state, node, `cannot assign nil to ${paramTypeName(type)}`);
}

function fail(state: ExecState, node: Operand, message: string): never {
  state.node = node;
  return state.fail(message);
}

/** Literals take the type of the parameter where Go's rules allow it. */
function compileLiteral(node: Extract<Operand, { type: "bool" | "number" | "string" }>, type: ParamType): Evaluate {
  switch (type) {
    case "any":
    case "value": {
      const constant = compileConstant(node);
      return (state) => {
        state.node = node;
        return constant(state);
      };
    }
    case "bool":
      return expectLiteral(node, node.type === "bool" ? node.value : undefined, "bool");
    case "string":
      return expectLiteral(node, node.type === "string" ? node.text : undefined, "string");
    case "int":
    case "int64":
      return expectLiteral(node, node.type === "number" ? integerOf(node, type) : undefined, "integer");
    case "uint32":
      return expectLiteral(node, node.type === "number" ? unsignedOf(node) : undefined, "unsigned integer");
    case "float64":
      return expectLiteral(node, node.type === "number" ? node.float : undefined, "float");
    case "map":
    case "list":
    case "strings":
    case "bytes":
    case "time.Time":
    case "sprig.certificate":
      return (state) => fail(state, node, `can't handle ${nodeText(node)} for arg of type ${paramTypeName(type)}`);
  }
}

function integerOf(node: NumberNode, type: "int" | "int64"): Value {
  if (node.int === undefined) return undefined;
  return type === "int" ? int(node.int) : int64(node.int);
}

function unsignedOf(node: NumberNode): Value {
  return node.uint === undefined ? undefined : new GoInt("uint32", wrapInt("uint32", node.uint));
}

function expectLiteral(node: Operand, value: Value, what: string): Evaluate {
  if (value === undefined) return (state) => fail(state, node, `expected ${what}; found ${nodeText(node)}`);
  return (state) => {
    state.node = node;
    return value;
  };
}
