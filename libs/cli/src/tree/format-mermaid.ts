import { isFailedPhase } from "@landscaper/api";
import { describePhase } from "./format-tree.ts";
import type { TreeNode } from "./build-tree.ts";

const classes = {
  succeeded: "fill:#d7f5d7,stroke:#2e7d32",
  failed: "fill:#fbd7d7,stroke:#c62828",
  running: "fill:#fff3cd,stroke:#b8860b",
} as const;

/** The trees as a mermaid flowchart: a node for each object, with its phase, and an edge from owner to owned. */
export function formatMermaid(trees: readonly TreeNode[]): string {
  const lines: string[] = [];
  let count = 0;
  const visit = (node: TreeNode, parent: string | undefined): void => {
    const id = `n${count++}`;
    lines.push(`  ${id}["${labelOf(node)}"]:::${classOf(node)}`);
    if (parent !== undefined) lines.push(`  ${parent} --> ${id}`);
    for (const child of node.children) visit(child, id);
  };
  for (const tree of trees) visit(tree, undefined);
  const styles = Object.entries(classes).map(([name, style]) => `  classDef ${name} ${style}`);
  return ["flowchart TD", ...lines, ...styles, ""].join("\n");
}

function labelOf(node: TreeNode): string {
  return [`${node.kind} ${node.item ?? node.name}`, describePhase(node)].map(escapeLabel).join("<br>");
}

/** Mermaid reads entities with "#" in place of "&". */
function escapeLabel(text: string): string {
  return text.replaceAll("#", "#35;").replaceAll('"', "#quot;").replaceAll("<", "#lt;").replaceAll(">", "#gt;");
}

function classOf(node: TreeNode): keyof typeof classes {
  if (isFailedPhase(node.phase)) return "failed";
  return node.phase === "Succeeded" && !node.isRunning ? "succeeded" : "running";
}
