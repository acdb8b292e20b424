import { isRecord } from "../objects/json.ts";

/** What is left in a namespace that is being deleted. */
export interface Remaining {
  /** By "plural.group": how many. */
  readonly resources: ReadonlyMap<string, number>;
  /** By finalizer: how many objects wait for it. */
  readonly finalizers: ReadonlyMap<string, number>;
}

interface Condition {
  readonly type: string;
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

/** Conditions of a terminating namespace. Models kube-controller-manager namespace deletion status_condition_utils.go. */
export function namespaceConditions(remaining: Remaining, known: readonly unknown[], now: string): readonly unknown[] {
  const { resources, finalizers } = remaining;
  const conditions: readonly Condition[] = [
    no("NamespaceDeletionDiscoveryFailure", "ResourcesDiscovered", "All resources successfully discovered"),
    no(
      "NamespaceDeletionGroupVersionParsingFailure",
      "ParsedGroupVersions",
      "All legacy kube types successfully parsed",
    ),
    no(
      "NamespaceDeletionContentFailure",
      "ContentDeleted",
      "All content successfully deleted, may be waiting on finalization",
    ),
    resources.size === 0
      ? no("NamespaceContentRemaining", "ContentRemoved", "All content successfully removed")
      : {
          type: "NamespaceContentRemaining",
          status: "True",
          reason: "SomeResourcesRemain",
          message: `Some resources are remaining: ${describe(resources, (name, count) => `${name} has ${count} resource instances`)}`,
        },
    finalizers.size === 0
      ? no("NamespaceFinalizersRemaining", "ContentHasNoFinalizers", "All content-preserving finalizers finished")
      : {
          type: "NamespaceFinalizersRemaining",
          status: "True",
          reason: "SomeFinalizersRemain",
          message: `Some content in the namespace has finalizers remaining: ${describe(finalizers, (name, count) => `${name} in ${count} resource instances`)}`,
        },
  ];
  return conditions.map((condition) => ({ ...condition, lastTransitionTime: transitionTime(condition, known) ?? now }));
}

function no(type: string, reason: string, message: string): Condition {
  return { type, status: "False", reason, message };
}

function describe(counts: ReadonlyMap<string, number>, text: (name: string, count: number) => string): string {
  return [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => text(name, count))
    .join(", ");
}

function transitionTime(condition: Condition, known: readonly unknown[]): unknown {
  const before = known
    .filter(isRecord)
    .find(({ type, status }) => type === condition.type && status === condition.status);
  return before?.["lastTransitionTime"];
}
