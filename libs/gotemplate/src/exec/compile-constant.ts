import { GoComplex, int } from "@landscaper/golang";
import { fitsInt64 } from "@landscaper/goyaml";
import type { NumberNode, Operand } from "../parse/node.ts";
import type { Evaluate } from "./compiled-template.ts";

/** A literal, dot or nil where no type is asked for. */
export function compileConstant(node: Operand): Evaluate {
  switch (node.type) {
    case "dot":
      return (state) => state.dot;
    case "bool":
    case "string": {
      const value = node.type === "bool" ? node.value : node.text;
      return () => value;
    }
    case "number":
      return compileNumber(node);
    case "nil":
    case "field":
    case "variable":
    case "chain":
    case "identifier":
    case "pipe":
      return () => null;
  }
}

/** Go's ideal constant: a float if it is written as one, else an int. */
function compileNumber(node: NumberNode): Evaluate {
  if (node.complex !== undefined) {
    const complex = new GoComplex(...node.complex);
    return () => complex;
  }
  const isHexInteger = /^0[xX][^pP]*$/.test(node.text) && node.text.length > 2;
  const isRune = node.text.startsWith("'");
  if (node.float !== undefined && !isHexInteger && !isRune && /[.eEpP]/.test(node.text)) {
    const { float } = node;
    return () => float;
  }
  if (node.int !== undefined && fitsInt64(node.int)) {
    const value = int(node.int);
    return () => value;
  }
  return (state) => {
    state.node = node;
    return state.fail(`${node.text} overflows int`);
  };
}
