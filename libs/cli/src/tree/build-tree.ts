import {
  annotations,
  conditionTypes,
  findAnnotationProblems,
  isJobOpen,
  labels,
  type DeployItem,
  type Execution,
  type Installation,
  type KubeObject,
} from "@landscaper/api";
import { isSpecChanged, isTriggered } from "./requested-job.ts";
import { indexObjects, type ObjectIndex, type TreeObjects } from "./object-index.ts";

/** One line of a tree: an object with what is below it. */
export interface TreeNode {
  readonly kind: "Installation" | "Execution" | "DeployItem" | "Environment" | "Deployer";
  readonly name: string;
  readonly uid: string;
  /** Name of the template it was made from, where that differs from the object's name. */
  readonly item?: string | undefined;
  readonly phase: string;
  /** Whether a job is open. */
  readonly isRunning: boolean;
  readonly finishedJob?: string | undefined;
  readonly type?: string | undefined;
  readonly creationTimestamp?: string | undefined;
  readonly isDeleting: boolean;
  /** Message of lastError, only where no child explains it better. */
  readonly error?: string | undefined;
  /** Message of the condition Warnings. */
  readonly warning?: string | undefined;
  /** Whether the spec has changed after the last job, and no job has been requested. */
  readonly isChanged?: boolean | undefined;
  readonly children: readonly TreeNode[];
}

/** The trees below the root Installations, or below the one called `name`, ordered by name. */
export function buildTree(objects: TreeObjects, name?: string): readonly TreeNode[] {
  const index = indexObjects(objects);
  const tops =
    name === undefined ? index.roots : objects.installations.filter(({ metadata }) => metadata.name === name);
  return tops.map((installation) => installationNode(installation, index));
}

function installationNode(installation: Installation, index: ObjectIndex): TreeNode {
  return node(installation, {
    kind: "Installation",
    isChanged: isWaitingForTrigger(installation),
    item: installation.metadata.annotations?.[annotations.subinstallationName],
    children: [
      ...index.executionsOf(installation).map((execution) => executionNode(execution, index)),
      ...index.subinstallationsOf(installation).map((child) => installationNode(child, index)),
    ],
  });
}

function executionNode(execution: Execution, index: ObjectIndex): TreeNode {
  const children = index.deployItemsOf(execution).map((item) =>
    node(item, {
      kind: "DeployItem",
      item: item.metadata.labels?.[labels.managedName],
      type: item.spec.type,
      children: [],
    }),
  );
  return node(execution, { kind: "Execution", children });
}

function node(
  object: Installation | Execution | DeployItem,
  fields: Pick<TreeNode, "kind" | "children"> & Partial<Pick<TreeNode, "item" | "type" | "isChanged">>,
): TreeNode {
  const { metadata, status } = object;
  const explains = fields.children.some((child) => hasError(child));
  return {
    ...fields,
    name: metadata.name ?? "",
    uid: metadata.uid ?? "",
    phase: status?.phase ?? "",
    isRunning: isJobOpen(status),
    finishedJob: status?.jobIDFinished,
    isDeleting: metadata.deletionTimestamp !== undefined,
    creationTimestamp: metadata.creationTimestamp,
    error: explains ? undefined : status?.lastError?.message,
    warning: warningOf({ metadata, status }),
  };
}

/** Whether the spec has changed after the last job, and no job has been requested. False before the first job and during a deletion. */
function isWaitingForTrigger(installation: Installation): boolean {
  const { metadata, status } = installation;
  const hasHadJob = !isJobOpen(status) && (status?.jobIDFinished ?? "") !== "";
  return (
    hasHadJob && metadata.deletionTimestamp === undefined && isSpecChanged(installation) && !isTriggered(installation)
  );
}

/** Returns what is wrong with the annotations of an object, and the message of its condition Warnings. Undefined: no warnings. */
export function warningOf({ metadata, status }: Warned): string | undefined {
  const told = status?.conditions?.find(({ type }) => type === conditionTypes.warnings)?.message;
  const warnings = [...findAnnotationProblems(metadata.annotations), ...(told === undefined ? [] : [told])];
  return warnings.length === 0 ? undefined : warnings.join("; ");
}

interface Warned {
  readonly metadata: KubeObject["metadata"];
  readonly status?: (Installation | Execution | DeployItem)["status"] | undefined;
}

function hasError(tree: TreeNode): boolean {
  return tree.error !== undefined || tree.children.some((child) => hasError(child));
}
