import type { DeployItem, Installation } from "@landscaper/api";
import { parseReference, type ReferencedKind } from "../object-reference.ts";
import { buildTree, type TreeNode } from "../tree/build-tree.ts";
import type { TreeObjects } from "../tree/object-index.ts";
import { InvocationError, UsageError } from "../usage-error.ts";

/** What `landscaper diff` was given; a name alone may be of either kind. */
export interface DiffReference {
  readonly kind: Exclude<ReferencedKind, "Execution"> | undefined;
  readonly name: string;
}

/** One deploy item whose plan is asked for. */
export interface DiffItem {
  readonly item: DeployItem;
  /** "DeployItem web (blog-web)". */
  readonly label: string;
  /** "Installation comments (part-of-blog)"; undefined where the item itself was named. */
  readonly owner: string | undefined;
}

/** What was named: the deploy items, and the Installation where it is one. */
export interface DiffSubject {
  readonly items: readonly DiffItem[];
  readonly installation: Installation | undefined;
}

/** Reads "NAME" or "KIND/NAME". Throws InvocationError. */
export function parseDiffReference(text = ""): DiffReference {
  const { kind, name } = parseReference(text);
  if (!text.includes("/")) return { kind: undefined, name };
  if (kind !== "Execution") return { kind, name };
  throw new InvocationError(`expected Installation or DeployItem, found ${kind} "${name}"`);
}

/** The deploy items that the reference means, through all sub-installations, in the order of the tree. Throws UsageError. */
export function findDiffItems({ kind, name }: DiffReference, objects: TreeObjects, namespace: string): DiffSubject {
  const installation = objects.installations.find(({ metadata }) => metadata.name === name);
  const item = objects.deployItems.find(({ metadata }) => metadata.name === name);
  if (kind === undefined && installation !== undefined && item !== undefined) {
    throw new InvocationError(
      `there are an Installation and a DeployItem "${name}" in namespace "${namespace}"; use inst/${name} or di/${name}`,
    );
  }
  if (installation !== undefined && kind !== "DeployItem") {
    const byUid = new Map(objects.deployItems.map((each) => [each.metadata.uid, each]));
    const items = buildTree(objects, name).flatMap((node) => listItems(node, "", byUid));
    return { items, installation };
  }
  if (item !== undefined && kind !== "Installation") {
    const label = `DeployItem ${name}`;
    return { items: [{ item, label, owner: undefined }], installation: undefined };
  }
  throw new UsageError(`there is no ${kind ?? "Installation or DeployItem"} "${name}" in namespace "${namespace}"`);
}

function listItems(node: TreeNode, owner: string, items: ReadonlyMap<string | undefined, DeployItem>): DiffItem[] {
  if (node.kind !== "DeployItem") {
    const inner = node.kind === "Installation" ? labelOf(node) : owner;
    return node.children.flatMap((child) => listItems(child, inner, items));
  }
  const item = items.get(node.uid);
  return item === undefined ? [] : [{ item, label: labelOf(node), owner }];
}

function labelOf({ kind, name, item }: TreeNode): string {
  return `${kind} ${item === undefined ? name : `${item} (${name})`}`;
}
