import type { TreeNode } from "./build-tree.ts";

/** What `landscaper tree -o json` prints for an object. The shape is for programs: fields are added, never changed. */
interface JsonNode {
  readonly kind: string;
  readonly name: string;
  /** Name of the template that the object was made from; null where there is none. */
  readonly item: string | null;
  /** Type of a DeployItem. */
  readonly type: string | null;
  /** "" before the first job. */
  readonly phase: string;
  /** Whether a job is open. */
  readonly running: boolean;
  /** Whether deletion was requested. */
  readonly deleting: boolean;
  /** Whether the spec of an Installation has changed after the last job, and no job has been requested. */
  readonly changed: boolean;
  /** RFC 3339. */
  readonly created: string | null;
  /** Message of lastError, only where no child explains it better. */
  readonly error: string | null;
  /** Message of the condition Warnings. */
  readonly warning: string | null;
  readonly children: readonly JsonNode[];
}

function toJson(node: TreeNode): JsonNode {
  return {
    kind: node.kind,
    name: node.name,
    item: node.item ?? null,
    type: node.type ?? null,
    phase: node.phase,
    running: node.isRunning,
    deleting: node.isDeleting,
    changed: node.isChanged ?? false,
    created: node.creationTimestamp ?? null,
    error: node.error ?? null,
    warning: node.warning ?? null,
    children: node.children.map(toJson),
  };
}

/** `{"namespace": ..., "installations": [...]}`, indented. */
export function formatJson(trees: readonly TreeNode[], namespace: string): string {
  return `${JSON.stringify({ namespace, installations: trees.map(toJson) }, undefined, 2)}\n`;
}
