export { buildTree } from "./tree/build-tree.ts";
export type { TreeNode, TreeObjects } from "./tree/build-tree.ts";
export { formatTree } from "./tree/format-tree.ts";
export { loadTree } from "./tree/load-tree.ts";
