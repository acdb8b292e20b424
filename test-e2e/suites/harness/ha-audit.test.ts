import { describe, expect, it } from "@jest/globals";
import type { DeployItem, Lease } from "@landscaper/api";
import { annotations, labels } from "@landscaper/api";
import { findJobFaults, findTwins } from "../../ha/audit-jobs.ts";
import { findForeignWrites, readWrite } from "../../ha/audit-leaders.ts";
import type { Seen } from "../../src/kits/object-history.ts";

type State = readonly [jobID?: string | undefined, jobIDFinished?: string | undefined, phase?: string | undefined];

function item(name: string, uid = name): DeployItem {
  const metadata = { name, namespace: "n", uid };
  return { apiVersion: "landscaper.gardener.cloud/v1alpha1", kind: "DeployItem", metadata, spec: { type: "t" } };
}

/** The life of one DeployItem. */
function life(...states: readonly State[]): Seen<DeployItem>[] {
  return states.map(([jobID, jobIDFinished, phase], at) => ({
    type: at === 0 ? "ADDED" : "MODIFIED",
    object: { ...item("a"), status: { jobID, jobIDFinished, phase } } as DeployItem, // fields may be undefined here
  }));
}

const twoJobs: readonly State[] = [
  [],
  ["1"],
  ["1", undefined, "Progressing"],
  ["1", "1", "Succeeded"],
  ["2", "1", "Succeeded"],
  ["2", "2", "Succeeded"],
];

describe("findJobFaults", () => {
  it.each<[name: string, states: readonly State[], faults: string[]]>([
    ["is content with jobs that follow each other", twoJobs, []],
    [
      "sees a job that was skipped",
      [["1"], ["2"], ["2", "2"]],
      ["DeployItem a: job 1 was skipped", "DeployItem a: job 1 was not finished"],
    ],
    ["sees a job too many", [...twoJobs, ["3", "2"], ["3", "3"]], ["DeployItem a: had 3 jobs, not 2"]],
    ["sees a job too few", twoJobs.slice(0, 4), ["DeployItem a: had 1 jobs, not 2"]],
    [
      "sees a job that is not finished",
      [...twoJobs.slice(0, 4), ["2", "1", "Succeeded"]],
      ["DeployItem a: job 2 was not finished"],
    ],
    [
      "sees a job that is finished twice",
      [...twoJobs.slice(0, 4), ["2", "1"], ["2", "2", "Failed"], ["2", "1", "Failed"], ["2", "2", "Failed"]],
      ["DeployItem a: finished 1 again", "DeployItem a: finished 1 in job 2", "DeployItem a: finished 2 again"],
    ],
    [
      "sees a job that comes back",
      [...twoJobs, ["1", "2", "Init"], ["1", "1", "Succeeded"]],
      ["DeployItem a: went from job 2 back to 1", "DeployItem a: finished 1 again"],
    ],
    [
      "sees a phase that changes after the end",
      [...twoJobs, ["2", "2", "Failed"]],
      ["DeployItem a: went from Succeeded to Failed after the end of job 2"],
    ],
  ])("%s", (_name, states, faults) => {
    expect(findJobFaults(life(...states), 2)).toEqual(faults);
  });

  it("sees objects that go, and that are made again", () => {
    const again = life(...twoJobs).map(({ object, type }) => ({
      type,
      object: { ...object, metadata: { ...object.metadata, uid: "other" } },
    }));
    const gone: Seen<DeployItem> = { type: "DELETED", object: item("b") };
    expect(findJobFaults([...life(...twoJobs), ...again, gone], 2)).toEqual([
      "DeployItem b was deleted",
      "DeployItem b: had 0 jobs, not 2",
      "a was made 2 times",
    ]);
  });
});

describe("findTwins", () => {
  const owned = (name: string, of: string, own: Record<string, string>): DeployItem => ({
    ...item(name),
    metadata: {
      ...item(name).metadata,
      labels: { [labels.managedName]: own["item"] ?? "" },
      annotations: { [annotations.subinstallationName]: own["child"] ?? "" },
      ownerReferences: [{ apiVersion: "v1", kind: "Execution", name: of, uid: of, controller: true }],
    },
  });

  it("sees two objects of one owner with the same purpose", () => {
    const first = owned("a-1", "a", { item: "x" });
    expect(findTwins([first, owned("a-2", "a", { item: "y" }), owned("b-1", "b", { item: "x" }), item("c")])).toEqual(
      [],
    );
    expect(findTwins([first, owned("a-2", "a", { item: "x" })])).toEqual(["DeployItem a-2 is a twin of a-1"]);
  });

  it("sees two exports under one key", () => {
    const exported = (name: string, key: string): DeployItem => ({
      ...item(name),
      metadata: { ...item(name).metadata, labels: { [labels.dataContext]: "Inst.a", [labels.dataKey]: key } },
    });
    expect(findTwins([exported("1", "x"), exported("2", "y")])).toEqual([]);
    expect(findTwins([exported("1", "x"), exported("2", "x")])).toEqual(["DeployItem 2 is a twin of 1"]);
  });
});

describe("findForeignWrites", () => {
  const lease = (version: number, holderIdentity: string, group = "main"): Lease => ({
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name: `landscaper-core-${group}`, namespace: "n", resourceVersion: `${version}` },
    spec: { holderIdentity },
  });
  const leases = [lease(10, "a"), lease(20, ""), lease(30, "b"), lease(11, "a", "central")];
  const prefix = "/apis/landscaper.gardener.cloud/v1alpha1/namespaces/n";
  let atMs = 0;
  const write = (pod: string, version: number, request = "PUT installations/x/status") => {
    const [method = "", path = ""] = request.split(" ");
    const body = JSON.stringify({ metadata: { uid: path, resourceVersion: `${version}` } });
    const found = readWrite(pod, { method, path: `${prefix}/${path}?fieldManager=f`, status: 200, body }, atMs++);
    return found === undefined ? [] : [found];
  };
  const remove = (pod: string) => {
    const answer = { method: "DELETE", path: `${prefix}/dataobjects/x`, status: 200, body: '{"kind":"Status"}' };
    return readWrite(pod, answer, atMs++) ?? [];
  };

  it("lets the holder write, from its first version to the end of its time", () => {
    expect(findForeignWrites([...write("a", 12), ...write("a", 19), ...write("b", 31)], leases)).toEqual([]);
  });

  it("lets the leader of the group central patch finalizers, and that of main write what has them", () => {
    const writes = [
      ...write("a", 32, "PATCH targets/x"),
      ...write("b", 33, "PUT targets/x"),
      ...write("b", 34, "PATCH secrets/x"),
    ];
    expect(findForeignWrites(writes, leases)).toEqual([]);
  });

  it.each([
    ["before it led", write("b", 29), `b wrote PUT ${prefix}/installations/x/status while "" led main`],
    ["after it gave up", write("a", 21), `a wrote PUT ${prefix}/installations/x/status while "" led main`],
    ["after it was followed", write("a", 31), `a wrote PUT ${prefix}/installations/x/status while "b" led main`],
    [
      "that led another group alone",
      write("b", 32, "PUT contexts/default"),
      `b wrote PUT ${prefix}/contexts/default while "a" led central`,
    ],
    [
      "that patched finalizers without leading central",
      write("b", 34, "PATCH targets/x"),
      `b wrote PATCH ${prefix}/targets/x while "a" led central`,
    ],
    [
      "that patched a Secret and led nothing",
      write("c", 35, "PATCH secrets/x"),
      `c wrote PATCH ${prefix}/secrets/x while "a" led central and "b" led main`,
    ],
    [
      "that deleted when it was followed",
      [...write("b", 31), remove("a")].flat(),
      `a wrote DELETE ${prefix}/dataobjects/x while "b" led main`,
    ],
  ])("sees one %s", (_name, writes, fault) => {
    expect(findForeignWrites(writes, leases)).toEqual([fault]);
  });

  it("does not count a write that changed nothing", () => {
    expect(findForeignWrites([...write("a", 12), ...write("b", 12)], leases)).toEqual([]);
  });

  it("reads what was carried out, wherever it was written", () => {
    const body = '{"metadata":{"uid":"u","resourceVersion":"7"}}';
    const read = (method: string, path: string, status = 201) =>
      readWrite("a", { method, path, status, body }, 0)?.resource;
    expect(read("POST", "/api/v1/namespaces/n/secrets")).toBe("secrets");
    expect(read("PATCH", "/api/v1/namespaces/n")).toBe("namespaces");
    expect(read("PUT", "/apis/coordination.k8s.io/v1/namespaces/n/leases/l")).toBe("leases");
    expect(read("PUT", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/x")).toBe("customresourcedefinitions");
    expect(read("GET", "/api/v1/namespaces/n/secrets/x", 200)).toBeUndefined();
    expect(read("PUT", "/api/v1/namespaces/n/secrets/x", 409)).toBeUndefined();
  });
});
