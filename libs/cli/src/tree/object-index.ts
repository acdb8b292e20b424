import {
  groupName,
  resources,
  type DeployItem,
  type Execution,
  type Installation,
  type KubeObject,
} from "@landscaper/api";
import { compareStrings } from "@landscaper/goyaml";

/** The objects that jobs are about, of one namespace or of all. */
export interface TreeObjects {
  readonly installations: readonly Installation[];
  readonly executions: readonly Execution[];
  readonly deployItems: readonly DeployItem[];
}

/** The same by owner, each list sorted by name. */
export interface ObjectIndex {
  /** Installations without a parent. */
  readonly roots: readonly Installation[];
  executionsOf(installation: Installation): readonly Execution[];
  subinstallationsOf(installation: Installation): readonly Installation[];
  deployItemsOf(execution: Execution): readonly DeployItem[];
}

const { kind: installationKind } = resources.installation;
const { kind: executionKind } = resources.execution;

export function indexObjects({ installations, executions, deployItems }: TreeObjects): ObjectIndex {
  const subinstallations = groupByOwner(installations, installationKind);
  const executionsByOwner = groupByOwner(executions, installationKind);
  const itemsByOwner = groupByOwner(deployItems, executionKind);
  return {
    roots: subinstallations.get("") ?? [],
    executionsOf: ({ metadata }) => executionsByOwner.get(metadata.uid ?? "-") ?? [],
    subinstallationsOf: ({ metadata }) => subinstallations.get(metadata.uid ?? "-") ?? [],
    deployItemsOf: ({ metadata }) => itemsByOwner.get(metadata.uid ?? "-") ?? [],
  };
}

/** By the uid of the owner of that kind, "" for objects without one. */
function groupByOwner<T extends KubeObject>(objects: readonly T[], kind: string): ReadonlyMap<string, readonly T[]> {
  const sorted = objects.toSorted((a, b) => compareStrings(a.metadata.name ?? "", b.metadata.name ?? ""));
  const groups = new Map<string, T[]>();
  for (const object of sorted) {
    const uid = ownerOf(object, kind)?.uid ?? "";
    const group = groups.get(uid);
    if (group === undefined) groups.set(uid, [object]);
    else group.push(object);
  }
  return groups;
}

/** The Landscaper object of that kind that an object belongs to. */
function ownerOf({ metadata }: KubeObject, kind: string) {
  return metadata.ownerReferences?.find(
    (reference) => reference.kind === kind && reference.apiVersion.startsWith(`${groupName}/`),
  );
}
