export { findRefusal } from "./check-words.ts";
export { readRegistryLogins } from "./helm/charts/registry-logins.ts";
export { buildTree } from "./tree/build-tree.ts";
export type { TreeNode } from "./tree/build-tree.ts";
export { createOutput, type Output } from "./output/create-output.ts";
export { formatTree } from "./tree/format-tree.ts";
export { loadTree } from "./tree/load-tree.ts";
export type { TreeObjects } from "./tree/object-index.ts";
