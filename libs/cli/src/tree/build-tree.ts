import { annotations, labels, resources } from "@landscaper/api";
import type { DeployItem, Execution, Installation, KubeObject } from "@landscaper/api";

/** One line of the tree: an Installation, an Execution or a DeployItem with what is below it. */
export interface TreeNode {
  readonly kind: "Installation" | "Execution" | "DeployItem";
  readonly name: string;
  /** Name of the template it was made from, where that differs from the object's name. */
  readonly item?: string | undefined;
  readonly phase: string;
  /** Whether a job is open. */
  readonly isRunning: boolean;
  readonly type?: string | undefined;
  readonly creationTimestamp?: string | undefined;
  readonly isDeleting: boolean;
  /** Message of lastError, only where no child explains it better. */
  readonly error?: string | undefined;
  readonly children: readonly TreeNode[];
}

export interface TreeObjects {
  readonly installations: readonly Installation[];
  readonly executions: readonly Execution[];
  readonly deployItems: readonly DeployItem[];
}

/** The trees below the root Installations, or below the one called `name`, ordered by name. */
export function buildTree(objects: TreeObjects, name?: string): readonly TreeNode[] {
  const isRoot = (installation: Installation): boolean =>
    ownerOf(installation, resources.installation.kind) === undefined;
  const isAsked = (installation: Installation): boolean => installation.metadata.name === name;
  return objects.installations
    .filter(name === undefined ? isRoot : isAsked)
    .map((installation) => installationNode(installation, objects))
    .toSorted(byName);
}

function installationNode(installation: Installation, objects: TreeObjects): TreeNode {
  const executions = ownedBy(installation, objects.executions).map((execution) => executionNode(execution, objects));
  const children = ownedBy(installation, objects.installations).map((child) => installationNode(child, objects));
  return node(installation, {
    kind: "Installation",
    item: installation.metadata.annotations?.[annotations.subinstallationName],
    children: [...executions.toSorted(byName), ...children.toSorted(byName)],
  });
}

function executionNode(execution: Execution, objects: TreeObjects): TreeNode {
  const children = ownedBy(execution, objects.deployItems).map((item) =>
    node(item, {
      kind: "DeployItem",
      item: item.metadata.labels?.[labels.managedName],
      type: item.spec.type,
      children: [],
    }),
  );
  return node(execution, { kind: "Execution", children: children.toSorted(byName) });
}

type Reported = Installation | Execution | DeployItem;

function node(
  object: Reported,
  fields: Pick<TreeNode, "kind" | "children"> & Partial<Pick<TreeNode, "item" | "type">>,
): TreeNode {
  const { status } = object;
  const explains = fields.children.some((child) => hasError(child));
  return {
    ...fields,
    name: object.metadata.name ?? "",
    phase: status?.phase ?? "",
    isRunning: status?.jobID !== undefined && status.jobID !== status.jobIDFinished,
    isDeleting: object.metadata.deletionTimestamp !== undefined,
    creationTimestamp: object.metadata.creationTimestamp,
    error: explains ? undefined : status?.lastError?.message,
  };
}

function hasError(tree: TreeNode): boolean {
  return tree.error !== undefined || tree.children.some((child) => hasError(child));
}

function ownedBy<T extends KubeObject>(owner: KubeObject, candidates: readonly T[]): readonly T[] {
  return candidates.filter((candidate) => ownerOf(candidate, owner.kind) === owner.metadata.uid);
}

function ownerOf(object: KubeObject, kind: string): string | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.kind === kind)?.uid;
}

function byName(a: TreeNode, b: TreeNode): number {
  return a.name < b.name ? -1 : Number(a.name > b.name);
}
