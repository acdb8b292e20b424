export { listTree, newFolder, writeTree, type TreeEntry } from "./folder-tree.ts";
