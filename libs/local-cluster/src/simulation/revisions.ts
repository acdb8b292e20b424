import type { UnstructuredObject } from "@landscaper/api";
import { equalJson, fieldAt, numberAt, recordAt } from "../objects/json.ts";
import type { Action } from "./actions.ts";
import { controllerReference } from "./owners.ts";
import { texts } from "./pod/make-pod.ts";
import { hashOf } from "./template-hash.ts";

/** The history of a StatefulSet's or DaemonSet's template, in ControllerRevisions. */
export interface RevisionHistory {
  /** Of the present template. */
  readonly update: UnstructuredObject;
  /** Oldest first, with `update`. */
  readonly all: readonly UnstructuredObject[];
  /** What makes the stored history this one. */
  readonly actions: readonly Action[];
}

export interface RevisionLabels {
  /** Label with the hash. */
  readonly hashLabel: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Finds or makes the revision of the present template; an old one that comes back becomes the newest. */
export function updateHistory(
  owner: UnstructuredObject,
  stored: readonly UnstructuredObject[],
  { hashLabel, annotations }: RevisionLabels,
): RevisionHistory {
  const byNumber = stored.toSorted((a, b) => numberOf(a) - numberOf(b));
  const newest = byNumber.at(-1);
  const data = dataOf(owner);
  const found = byNumber.find((revision) => equalJson(revision["data"], data));
  if (found === undefined) {
    const hash = hashOf(data);
    const created: UnstructuredObject = {
      apiVersion: "apps/v1",
      kind: "ControllerRevision",
      metadata: {
        name: `${owner.metadata.name ?? ""}-${hash}`,
        namespace: owner.metadata.namespace ?? "",
        labels: { ...texts(fieldAt(owner, "spec", "template", "metadata", "labels")), [hashLabel]: hash },
        ...(annotations === undefined ? {} : { annotations: { ...annotations } }),
        ownerReferences: [controllerReference(owner)],
      },
      data,
      revision: newest === undefined ? 1 : numberOf(newest) + 1,
    };
    return { update: created, all: [...byNumber, created], actions: [{ do: "create", object: created }] };
  }
  if (found === newest || newest === undefined) return { update: found, all: byNumber, actions: [] };
  const update = { ...found, revision: numberOf(newest) + 1 };
  const all = [...byNumber.filter((revision) => revision !== found), update];
  return { update, all, actions: [{ do: "update", object: update }] };
}

/** Deletes the oldest revisions that nobody uses, beyond the limit. */
export function trimHistory(
  owner: UnstructuredObject,
  all: readonly UnstructuredObject[],
  isUsed: (revision: UnstructuredObject) => boolean,
): Action[] {
  const limit = numberAt(owner, "spec", "revisionHistoryLimit") ?? 10;
  const unused = all.filter((revision) => !isUsed(revision));
  return unused.slice(0, Math.max(unused.length - limit, 0)).map((object) => ({ do: "delete", object }));
}

export function numberOf(revision: UnstructuredObject): number {
  return numberAt(revision, "revision") ?? 0;
}

export function templateOf(revision: UnstructuredObject): unknown {
  const { $patch: _patch, ...template } = recordAt(revision, "data", "spec", "template");
  return template;
}

function dataOf(owner: UnstructuredObject): Record<string, unknown> {
  return { spec: { template: { ...recordAt(owner, "spec", "template"), $patch: "replace" } } };
}
