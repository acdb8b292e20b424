import pc from "picocolors";
import type { TreeNode } from "./build-tree.ts";

export interface FormatTreeOptions {
  /** Milliseconds since the epoch, for ages. */
  readonly now: number;
  readonly color: boolean;
}

/** The trees as lines: name, phase and age in columns, the first error below its node. Ends with a line feed unless empty. */
export function formatTree(trees: readonly TreeNode[], options: FormatTreeOptions): string {
  const rows = trees.flatMap((tree) => formatNode(tree, { own: "", below: "" }, options));
  const width = Math.max(0, ...rows.map((row) => row.label.length));
  const phaseWidth = Math.max(0, ...rows.map((row) => row.phase.length));
  const colors = pc.createColors(options.color);
  return rows.map((row) => formatRow(row, { width, phaseWidth, colors })).join("");
}

interface Row {
  readonly label: string;
  readonly phase: string;
  readonly age: string;
  readonly error?: { readonly indent: string; readonly text: string } | undefined;
}

interface Layout {
  readonly width: number;
  readonly phaseWidth: number;
  readonly colors: ReturnType<typeof pc.createColors>;
}

function formatRow(row: Row, { width, phaseWidth, colors }: Layout): string {
  const line =
    `${row.label.padEnd(width)}  ${paintPhase(row.phase, colors, phaseWidth)}  ${colors.dim(row.age)}`.trimEnd();
  if (!row.error) return `${line}\n`;
  const error = row.error.text.split("\n").map((text) => `${row.error?.indent ?? ""}  ! ${colors.red(text)}\n`);
  return `${line}\n${error.join("")}`;
}

function formatNode(
  node: TreeNode,
  prefix: { own: string; below: string },
  options: FormatTreeOptions,
): readonly Row[] {
  const name = node.item === undefined ? node.name : `${node.item} (${node.name})`;
  const type = node.type === undefined ? "" : ` ${node.type}`;
  const last = node.children.length - 1;
  return [
    {
      label: `${prefix.own}${node.kind} ${name}${type}`,
      phase: describePhase(node),
      age: node.creationTimestamp === undefined ? "" : formatAge(options.now - Date.parse(node.creationTimestamp)),
      error: node.error === undefined ? undefined : { indent: prefix.below, text: node.error },
    },
    ...node.children.flatMap((child, index) =>
      formatNode(
        child,
        {
          own: `${prefix.below}${index === last ? "└─ " : "├─ "}`,
          below: `${prefix.below}${index === last ? "   " : "│  "}`,
        },
        options,
      ),
    ),
  ];
}

/** The phase for people: what the empty one means, and a deletion that has not begun. */
export function describePhase(node: TreeNode): string {
  const phase = node.phase === "" ? "not started" : node.phase;
  return node.isDeleting && !/Delet/.test(phase) ? `${phase} (deletion requested)` : phase;
}

function paintPhase(phase: string, colors: Layout["colors"], width: number): string {
  const text = phase.padEnd(width);
  if (phase.startsWith("Succeeded")) return colors.green(text);
  return phase.includes("Failed") ? colors.red(text) : colors.yellow(text);
}

/** "12s", "5m", "3h", "4d": as kubectl shows ages. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}
