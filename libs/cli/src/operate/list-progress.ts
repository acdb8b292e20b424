import { isFinalPhase } from "@landscaper/api";
import type { TreeNode } from "../tree/build-tree.ts";

/** Phase and last finished job of each object by uid. */
export type SeenPhases = ReadonlyMap<string, string>;

export interface Progress {
  readonly lines: readonly string[];
  readonly seen: SeenPhases;
}

/** What is new since the last look: objects that have come into another phase of a job, leaves after what is above them. */
export function listProgress(trees: readonly TreeNode[], before: SeenPhases | undefined): Progress {
  const seen = new Map<string, string>();
  const lines: string[] = [];
  const visit = (node: TreeNode): void => {
    const mark = `${node.phase}/${node.finishedJob ?? ""}`;
    seen.set(node.uid, mark);
    // A final phase belongs to the open job only once that has ended.
    const isTelling = node.phase !== "" && isFinalPhase(node.phase) !== node.isRunning;
    const isNew = before === undefined ? node.isRunning : before.get(node.uid) !== mark;
    if (isTelling && isNew) {
      const name = node.item === undefined ? node.name : `${node.item} (${node.name})`;
      lines.push(`${node.kind} ${name}: ${node.phase}`);
    }
    node.children.forEach(visit);
  };
  trees.forEach(visit);
  return { lines, seen };
}
