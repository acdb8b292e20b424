import { quote } from "@landscaper/golang";
import type { AnyNode, PipeNode } from "./node.ts";

/** The node as Go prints it in error messages: normalised source. */
export function nodeText(node: AnyNode): string {
  switch (node.type) {
    case "list":
      return node.nodes.map(nodeText).join("");
    case "text":
      return node.text;
    case "action":
      return `{{${pipeText(node.pipe)}}}`;
    case "if":
    case "with":
    case "range": {
      const otherwise = node.elseList === undefined ? "" : `{{else}}${nodeText(node.elseList)}`;
      return `{{${node.type} ${pipeText(node.pipe)}}}${nodeText(node.list)}${otherwise}{{end}}`;
    }
    case "break":
    case "continue":
    case "end":
    case "else":
      return `{{${node.type}}}`;
    case "template":
      return `{{template ${quote(node.name)}${node.pipe === undefined ? "" : ` ${pipeText(node.pipe)}`}}}`;
    case "pipe":
      return pipeText(node);
    case "command":
      return node.args.map((arg) => (arg.type === "pipe" ? `(${pipeText(arg)})` : nodeText(arg))).join(" ");
    case "identifier":
      return node.name;
    case "variable":
      return node.path.join(".");
    case "field":
      return node.path.map((name) => `.${name}`).join("");
    case "chain": {
      const base = node.base.type === "pipe" ? `(${pipeText(node.base)})` : nodeText(node.base);
      return base + node.fields.map((name) => `.${name}`).join("");
    }
    case "dot":
      return ".";
    case "nil":
      return "nil";
    case "bool":
      return String(node.value);
    case "number":
      return node.text;
    case "string":
      return node.quoted;
  }
}

function pipeText(pipe: PipeNode): string {
  const commands = pipe.commands.map(nodeText).join(" | ");
  if (pipe.declarations.length === 0) return commands;
  return `${pipe.declarations.map(nodeText).join(", ")} ${pipe.isAssign ? "=" : ":="} ${commands}`;
}
