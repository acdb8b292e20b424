import { cleanLine } from "../output/clean-text.ts";
import type { Style, StyledLine } from "../output/styled-text.ts";
import type { TreeNode } from "./build-tree.ts";

export interface FormatTreeOptions {
  /** Milliseconds since the epoch, for ages. */
  readonly now: number;
}

/** Formats trees as lines: name, phase and age in columns, error and warning below their node. */
export function formatTree(trees: readonly TreeNode[], options: FormatTreeOptions): readonly StyledLine[] {
  const rows = trees.flatMap((tree) => formatNode(tree, { own: "", below: "" }, options));
  const width = Math.max(0, ...rows.map((row) => row.label.length));
  const phaseWidth = Math.max(0, ...rows.map((row) => row.phase.length));
  return rows.flatMap((row) => formatRow(row, { width, phaseWidth }));
}

interface Row {
  readonly label: string;
  readonly phase: string;
  readonly age: string;
  readonly indent: string;
  readonly error?: string | undefined;
  readonly warning?: string | undefined;
}

interface Layout {
  readonly width: number;
  readonly phaseWidth: number;
}

function formatRow(
  { label, phase, age, indent, error, warning }: Row,
  { width, phaseWidth }: Layout,
): readonly StyledLine[] {
  const line: StyledLine = [
    { text: `${label.padEnd(width)}  ` },
    { text: phase, style: styleOf(phase) },
    ...(age === ""
      ? []
      : ([{ text: " ".repeat(phaseWidth - phase.length + 2) }, { text: age, style: "dim" }] as const)),
  ];
  const noteOf = (note: string | undefined, style: Style): readonly StyledLine[] =>
    note === undefined ? [] : note.split("\n").map((text) => [{ text: `${indent}  ! ` }, { text, style }]);
  const warned = warning === undefined ? undefined : `warning: ${warning}`;
  return [line, ...noteOf(error, "red"), ...noteOf(warned, "yellow")];
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
      // Cleaning changes the length of the text, so it precedes the computation of widths.
      label: cleanLine(`${prefix.own}${node.kind} ${name}${type}`),
      phase: cleanLine(describePhase(node)),
      age: node.creationTimestamp === undefined ? "" : formatAge(options.now - Date.parse(node.creationTimestamp)),
      indent: prefix.below,
      error: node.error,
      warning: node.warning,
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

/** The phase for people: what the empty one means, a deletion that has not begun, and a spec that no job has read. */
export function describePhase(node: TreeNode): string {
  const phase = node.phase === "" ? "not started" : node.phase;
  if (node.isDeleting && !/Delet/.test(phase)) return `${phase} (deletion requested)`;
  return node.isChanged === true ? `${phase} (spec changed since)` : phase;
}

function styleOf(phase: string): Style {
  if (phase.startsWith("Succeeded")) return "green";
  return phase.includes("Failed") ? "red" : "yellow";
}

/** "12s", "5m", "3h", "4d": as kubectl shows ages. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}
