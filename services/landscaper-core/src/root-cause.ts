import {
  errorCodes,
  firstFailure,
  isFailedPhase,
  isJobOpen,
  LandscaperError,
  type DeployItem,
  type ErrorCode,
  type ErrorStatus,
  type Execution,
  type Installation,
} from "@landscaper/api";
import { itemNameOf } from "./execution/deploy-item-identity.ts";
import { uidOf } from "./object-reading.ts";
import { templateNameOf } from "./installation/subobjects/plan-subinstallations.ts";

/** The sub-objects of one job, as the caches have them. */
export interface JobTree {
  executionOf(installation: Installation): Execution | undefined;
  subinstallationsOf(installation: Installation): readonly Installation[];
  deployItemsOf(execution: Execution): readonly DeployItem[];
}

interface Leaf {
  readonly path: readonly string[];
  readonly error: Pick<ErrorStatus, "message" | "codes"> | undefined;
}

function findLeafOfExecution(execution: Execution, tree: JobTree): Leaf {
  const verb = execution.status?.phase === "DeleteFailed" ? "deleted" : "failed";
  const head = verb === "deleted" ? "Execution could not be deleted" : "Execution is failed";
  const jobID = execution.status?.jobID;
  const items = tree.deployItemsOf(execution).filter(({ status }) => status?.jobIDFinished === jobID);
  const item = firstFailure(items);
  if (item === undefined) return { path: [head], error: execution.status?.lastError };
  return { path: [head, `deploy item "${itemNameOf(item)}"`], error: item.status?.lastError };
}

/** Users may write owners that form a ring: each Installation counts once. */
function findLeaf(installation: Installation, tree: JobTree): Leaf | undefined {
  const path: string[] = [];
  const passed = new Set<string>();
  let error: Leaf["error"];
  for (let one: Installation | undefined = installation; one !== undefined;) {
    passed.add(uidOf(one));
    const execution = tree.executionOf(one);
    if (execution !== undefined && isFailedPhase(execution.status?.phase)) {
      const leaf = findLeafOfExecution(execution, tree);
      return { path: [...path, ...leaf.path], error: leaf.error ?? error };
    }
    const below: Installation | undefined = firstFailure(
      tree.subinstallationsOf(one).filter((child) => !passed.has(uidOf(child))),
    );
    if (below !== undefined) path.push(`subinstallation "${templateNameOf(below)}"`);
    error = below?.status?.lastError ?? error;
    one = below;
  }
  return path.length === 0 ? undefined : { path, error };
}

/** Returns what a job that waits for an item says of its retries: "deploy item NAME is tried again: MESSAGE". Undefined if none is retried. */
export function describeRetriedItem(items: readonly DeployItem[]): string | undefined {
  const item = items.find(isRetried);
  return item === undefined ? undefined : `deploy item "${itemNameOf(item)}" is tried again: ${messageOf(item)}`;
}

/** As describeRetriedItem, for an Installation: its own items, then those of its subinstallations, with the path to them. */
export function describeRetry(
  installation: Installation,
  tree: JobTree,
  passed = new Set<string>(),
): string | undefined {
  passed.add(uidOf(installation));
  const execution = tree.executionOf(installation);
  const item = execution === undefined ? undefined : describeRetriedItem(tree.deployItemsOf(execution));
  if (item !== undefined) return item;
  if (execution !== undefined && isRetried(execution)) return `its Execution is tried again: ${messageOf(execution)}`;
  for (const child of tree.subinstallationsOf(installation)) {
    if (passed.has(uidOf(child)) || !isJobOpen(child.status)) continue;
    const below = describeRetry(child, tree, passed);
    const own = isRetried(child) ? `is tried again: ${messageOf(child)}` : undefined;
    const name = `subinstallation "${templateNameOf(child)}"`;
    if (below !== undefined) return `${name}: ${below}`;
    if (own !== undefined) return `${name} ${own}`;
  }
  return undefined;
}

function isRetried({ status }: DeployItem | Execution | Installation): boolean {
  return isJobOpen(status) && status?.lastError !== undefined;
}

function messageOf({ status }: DeployItem | Execution | Installation): string {
  return status?.lastError?.message ?? "";
}

function knownCodes(codes: readonly string[] | undefined): readonly ErrorCode[] {
  return errorCodes.filter((code) => codes?.includes(code) === true);
}

/** Why the job of an Installation failed: the path to the first failing leaf, and that leaf's message (design.md §3.7). */
export function describeFailedChildren(
  installation: Installation,
  tree: JobTree,
  {
    operation,
    reason,
    hint,
  }: { readonly operation: string; readonly reason: string; readonly hint?: string | undefined },
): LandscaperError {
  const leaf = findLeaf(installation, tree);
  const message = [...(leaf?.path ?? []), leaf?.error?.message ?? "failed without a message"].join(": ");
  return new LandscaperError({
    message: leaf === undefined ? "a sub-object has failed" : message,
    reason,
    operation,
    hint,
    codes: knownCodes(leaf?.error?.codes),
    retry: "never",
  });
}

/** Why an Execution failed: the first deploy item that did. */
export function describeFailedItems(items: readonly DeployItem[], operation: string): LandscaperError | undefined {
  const item = firstFailure(items);
  if (item === undefined) return undefined;
  const { lastError } = item.status ?? {};
  return new LandscaperError({
    message: `deploy item "${itemNameOf(item)}": ${lastError?.message ?? "failed without a message"}`,
    reason: "DeployItemsFailed",
    operation,
    codes: knownCodes(lastError?.codes),
    retry: "never",
  });
}
