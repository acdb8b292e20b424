import { describe, expect, it } from "@jest/globals";
import { annotations, operations, type ConfigMap } from "@landscaper/api";
import { findWorkFaults, type FinishedWork } from "../../charts-node/audit-work.ts";
import type { JobObject } from "../../ha/audit-jobs.ts";
import type { Seen } from "../../src/kits/object-history.ts";

const count = 3;
const kinds = ["Installation", "Execution", "DeployItem"] as const;

function objectOf(kind: (typeof kinds)[number], index: number, status: object): JobObject {
  const metadata = { name: `root-${index}`, uid: `${kind}-${index}` };
  return { apiVersion: "landscaper.gardener.cloud/v1alpha1", kind, metadata, spec: {}, status };
}

const working = { jobID: "1", phase: "Progressing" };
const finished = { jobID: "1", jobIDFinished: "1", phase: "Succeeded" };

function lifeOf<T extends JobObject | ConfigMap>(seen: readonly Seen<T>[]) {
  return { seen, current: new Map(seen.map(({ object }) => [object.metadata.name ?? "", object])) };
}

function jobsOf(kind: (typeof kinds)[number], roots: number): Seen<JobObject>[] {
  return Array.from({ length: roots }, (_, index): Seen<JobObject>[] => [
    { type: "ADDED", object: objectOf(kind, index, working) },
    { type: "MODIFIED", object: objectOf(kind, index, finished) },
  ]).flat();
}

const done = objectOf("Installation", 1, finished);
const asking: Seen<JobObject> = {
  type: "MODIFIED",
  object: {
    ...done,
    metadata: { ...done.metadata, annotations: { [annotations.operation]: operations.reconcile } },
  },
};

const map = (type: Seen<ConfigMap>["type"], name: string): Seen<ConfigMap> => ({
  type,
  object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name } },
});
const maps = [map("ADDED", "gate"), map("MODIFIED", "gate"), map("ADDED", "map-0"), map("ADDED", "map-1")];
const record = "sh.helm.release.v1.release-1.v1";
const well: FinishedWork = {
  count,
  objects: kinds.map((kind) => lifeOf(jobsOf(kind, count))),
  maps: lifeOf(maps),
  records: [record],
};
const withItems = (more: readonly Seen<JobObject>[]): FinishedWork => ({
  ...well,
  objects: [...well.objects.slice(0, 2), lifeOf([...jobsOf("DeployItem", count), ...more])],
});

describe("the audit of work that was disturbed", () => {
  it.each<[string, FinishedWork, string[]]>([
    ["finds nothing where each job was done once", well, []],
    [
      "names a job that was done twice",
      withItems([
        { type: "MODIFIED", object: objectOf("DeployItem", 1, { ...finished, jobID: "2", jobIDFinished: "2" }) },
      ]),
      ["DeployItem root-1: had 2 jobs, not 1"],
    ],
    [
      "names an Installation whose next job is about to start",
      { ...well, objects: [lifeOf([...jobsOf("Installation", count), asking]), ...well.objects.slice(1)] },
      ["Installation root-1: a further job is about to start"],
    ],
    [
      "names an object that was deleted",
      withItems([{ type: "DELETED", object: objectOf("DeployItem", 2, finished) }]),
      ["DeployItem root-2 was deleted"],
    ],
    [
      "names a kind of which there are too many",
      withItems(jobsOf("DeployItem", count + 1).slice(-2)),
      ["DeployItem: 4 of 3"],
    ],
    [
      "names a kind of which there are too few",
      { ...well, objects: [lifeOf(jobsOf("Installation", 2)), ...well.objects.slice(1)] },
      ["Installation: 2 of 3"],
    ],
    [
      "names an object of the target that was written again",
      { ...well, maps: lifeOf([...maps, map("MODIFIED", "map-1")]) },
      ["map-1: MODIFIED"],
    ],
    ["counts the objects of the target", { ...well, maps: lifeOf(maps.slice(0, -1)) }, ["ConfigMaps: 1 of 2"]],
    [
      "names a further revision of a release",
      { ...well, records: [record, "sh.helm.release.v1.release-1.v2"] },
      ["sh.helm.release.v1.release-1.v2 is one too many"],
    ],
    ["names a release that is missing", { ...well, records: [] }, [`${record} is missing`]],
  ])("%s", (_, work, faults) => {
    expect(findWorkFaults(work)).toEqual(faults);
  });

  it("names twins", () => {
    const ownerReferences = [{ apiVersion: "v1", kind: "Installation", name: "root-0", uid: "u", controller: true }];
    const twins = [0, 1, 2].map((index) => {
      const object = objectOf("Execution", index, finished);
      return { ...object, metadata: { ...object.metadata, ...(index < 2 ? { ownerReferences } : {}) } };
    });
    const life = { ...lifeOf(jobsOf("Execution", count)), current: new Map(twins.map((each, at) => [`${at}`, each])) };
    expect(findWorkFaults({ ...well, objects: [well.objects[0] ?? life, life, well.objects[2] ?? life] })).toEqual([
      "Execution root-1 is a twin of root-0",
    ]);
  });
});
