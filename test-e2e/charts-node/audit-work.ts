// What must hold of a landscape of `disturbWork` when all of it has succeeded. Pure.
import { annotations, type ConfigMap, type KubeObject } from "@landscaper/api";
import { findJobFaults, findTwins, type JobObject } from "../ha/audit-jobs.ts";
import type { Seen } from "../src/kits/object-history.ts";

/** All versions of the objects of one kind, and those that are there. */
export interface Life<T extends KubeObject> {
  readonly seen: readonly Seen<T>[];
  readonly current: ReadonlyMap<string, T>;
}

export interface FinishedWork {
  /** Of root Installations: each has an Execution with one item, of the manifest, helm and mock deployer in turn. */
  readonly count: number;
  /** Installations, Executions, DeployItems. */
  readonly objects: readonly Life<JobObject>[];
  /** Of the target namespace. */
  readonly maps: Life<ConfigMap>;
  /** Names of the Secrets in which Helm keeps releases. */
  readonly records: readonly string[];
}

/** ConfigMap that the item of a root of the manifest or helm deployer makes. */
export const mapName = (index: number): string => `map-${index}`;
const isMap = (name = ""): boolean => name.startsWith("map-");

/** Indexes of the roots that make a ConfigMap. */
const indexesOfMaps = (count: number): number[] =>
  Array.from({ length: count }, (_, index) => index).filter((index) => index % 3 !== 2);

/** How many ConfigMaps the first roots make. */
export const countMaps = (roots: number): number => indexesOfMaps(roots).length;

/** One line for each job that was lost or repeated, each twin, each object that was written twice or is missing. */
export function findWorkFaults({ count, objects, maps, records }: FinishedWork): string[] {
  const all = objects.flatMap(({ current }) => [...current.values()]);
  const made = [...maps.current.keys()].filter(isMap).length;
  return [
    ...objects.flatMap(({ seen }) => findJobFaults(seen, 1)),
    ...findTwins(all),
    ...all
      // The core marks each Execution that it writes, and leaves the mark.
      .filter(
        ({ kind, metadata }) => kind === "Installation" && metadata.annotations?.[annotations.operation] !== undefined,
      )
      .map(({ kind, metadata }) => `${kind} ${metadata.name}: a further job is about to start`),
    ...objects
      .filter(({ current }) => current.size !== count)
      .map(({ current }) => `${[...current.values()][0]?.kind ?? "objects"}: ${current.size} of ${count}`),
    ...maps.seen
      .filter(({ type, object }) => isMap(object.metadata.name) && type !== "ADDED")
      .map(({ type, object }) => `${object.metadata.name}: ${type}`),
    ...(made === countMaps(count) ? [] : [`ConfigMaps: ${made} of ${countMaps(count)}`]),
    ...findReleaseFaults(records, count),
  ];
}

/** Each release has its first revision, and no other one. */
function findReleaseFaults(records: readonly string[], count: number): string[] {
  const wanted = indexesOfMaps(count)
    .filter((index) => index % 3 === 1)
    .map((index) => `sh.helm.release.v1.release-${index}.v1`);
  return [
    ...records.filter((each) => !wanted.includes(each)).map((each) => `${each} is one too many`),
    ...wanted.filter((each) => !records.includes(each)).map((each) => `${each} is missing`),
  ];
}
