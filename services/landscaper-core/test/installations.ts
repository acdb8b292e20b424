// Installations and their siblings without a cluster, for table tests.
import { apiVersion, type Installation, type InstallationSpec, type InstallationStatus } from "@landscaper/api";
import type { Lister } from "@landscaper/controller-runtime";
import type { Siblings } from "@landscaper/blueprint";
import { createSiblings, installationIndexes } from "../src/installation/imports/siblings.ts";
import { fixedLister } from "./listers.ts";

export interface InstallationState {
  readonly name: string;
  readonly namespace?: string;
  /** Name and uid of the parent. */
  readonly parent?: string;
  readonly annotations?: Record<string, string>;
  readonly labels?: Record<string, string>;
  readonly isDeleting?: boolean;
  readonly generation?: number;
  readonly spec?: Partial<InstallationSpec>;
  /** dataRefs that it imports and exports. */
  readonly from?: readonly string[];
  readonly to?: readonly string[];
  readonly status?: InstallationStatus;
}

export function installationOf(state: InstallationState): Installation {
  const { name, namespace = "ns", parent, annotations, labels, isDeleting, generation = 1, from, to, status } = state;
  const owner = { apiVersion, kind: "Installation", name: parent ?? "", uid: parent ?? "", controller: true };
  return {
    apiVersion,
    kind: "Installation",
    metadata: {
      name,
      namespace,
      uid: name,
      generation,
      resourceVersion: "1",
      ...(annotations === undefined ? {} : { annotations }),
      ...(labels === undefined ? {} : { labels }),
      ...(parent === undefined ? {} : { ownerReferences: [owner] }),
      ...(isDeleting === true ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {}),
    },
    spec: {
      blueprint: { inline: { filesystem: {} } },
      ...(from === undefined ? {} : { imports: { data: from.map((dataRef) => ({ name: dataRef, dataRef })) } }),
      ...(to === undefined ? {} : { exports: { data: to.map((dataRef) => ({ name: dataRef, dataRef })) } }),
      ...state.spec,
    },
    ...(status === undefined ? {} : { status }),
  };
}

/** A lister over a fixed list with the indexes of the informer. */
export function listerOf(installations: readonly Installation[]): Lister<Installation> {
  return fixedLister(installations, installationIndexes);
}

export function siblingsOf(installations: readonly Installation[]): Siblings {
  return createSiblings(listerOf(installations));
}

/** So many Installations of which each imports from all before it, and how often their links were looked at. */
export function countingGraph(size: number): {
  readonly installations: readonly Installation[];
  readonly siblings: Siblings;
  readonly looks: () => number;
} {
  const names = Array.from({ length: size }, (_, index) => `x${index}`);
  const status = { phase: "Succeeded", jobID: "1", jobIDFinished: "1" };
  const installations = names.map((name, index) =>
    installationOf({ name, from: names.slice(0, index), to: [name], status }),
  );
  const byName = new Map(installations.map((one) => [one.metadata.name ?? "", one]));
  let looks = 0;
  return {
    installations,
    looks: () => looks,
    siblings: {
      exportersOf: (_installation, { name }) => {
        looks += 1;
        const found = byName.get(name);
        return found === undefined ? [] : [found];
      },
      importersOf: () => [],
    },
  };
}
