import { isFailedPhase } from "@landscaper/api";
import type { TreeNode } from "./build-tree.ts";

/** The trees without what has not failed: only the paths to leaves that have. */
export function keepFailed(trees: readonly TreeNode[]): readonly TreeNode[] {
  return trees.flatMap((tree) => {
    const children = keepFailed(tree.children);
    return children.length > 0 || isFailedPhase(tree.phase) ? [{ ...tree, children }] : [];
  });
}
