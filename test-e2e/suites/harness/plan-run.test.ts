import { describe, expect, it } from "@jest/globals";
import type { ControlPlaneBinaries, MissingBinaries } from "../../cluster/binaries.ts";
import { countWorkers, planRun } from "../../src/runs/plan-run.ts";
import { parseClusterNames } from "../../src/clusters/selected-clusters.ts";

const binaries: ControlPlaneBinaries = { etcd: "/e", apiServer: "/a", controllerManager: "/c", kubectl: "/k" };
const missing: MissingBinaries = { missing: "there is no etcd on this machine", hint: "install etcd-server" };
const machine = (found: ControlPlaneBinaries | MissingBinaries, lacks: readonly string[] = []) => ({
  provideBinaries: () => found,
  provideNode: () =>
    lacks.includes("containerd") ? { missing: "containerd is not installed", hint: "install containerd" } : undefined,
  provideOracles: () =>
    lacks.includes("go") ? { missing: "there is no Go on this machine", hint: "install Go" } : undefined,
  hasProgram: (name: string) => !lacks.includes(name),
  findSamples: () => (lacks.includes("samples") ? undefined : "/samples"),
});

const node = "node: pods run on a real one, with kubelet and containerd";
const engines = "template engines: beside Go's text/template with sprig, Helm and spiff";

describe("planRun", () => {
  it("takes both clusters where the machine has them", () => {
    expect(planRun({}, machine(binaries))).toEqual({
      clusters: ["embedded", "real"],
      serial: false,
      leftOut: [],
      summary: ["clusters: embedded API server", "clusters: real kube-apiserver v1.34.1", node, engines],
    });
  });

  it("says which share of the suites the real one gets", () => {
    expect(planRun({ E2E_TURN: "7" }, machine(binaries)).summary[1]).toBe(
      "clusters: real kube-apiserver v1.34.1, for suites about the API server and a share of the others (turn 4 of 4, by the number of commits); npm run e2e has all of them on it",
    );
    expect(planRun({ E2E_TURN: "7" }, machine(binaries)).summary).toContainEqual(
      expect.stringMatching(/^slow tests: run after other commits: \S+, /),
    );
    expect(planRun({ E2E_TURN: "7" }, machine(binaries)).summary).toContainEqual(
      expect.stringMatching(/^recordings: this run checks 1\/7 of /),
    );
    expect(planRun({}, machine(binaries)).summary.join("\n")).not.toContain("recordings:");
    expect(planRun({ E2E_TURN: "8" }, machine(binaries)).leftOut).not.toContain("suites/new-packages.test.ts");
    expect(planRun({ E2E_TURN: "5" }, machine(binaries)).leftOut).toEqual(
      expect.arrayContaining(["suites/new-packages.test.ts", "libs/threads/src/thread-sharing.test.ts"]),
    );
    for (const turn of ["all", "-1", "1.5", " 1", "1e3"]) {
      const failure = `E2E_TURN: expected a number of commits, found "${turn}"`;
      expect(planRun({ E2E_TURN: turn }, machine(binaries)).failure).toBe(failure);
      expect(planRun({ E2E_TURN: turn }, machine(missing)).failure).toBe(failure);
    }
  });

  it("runs the embedded one alone and says how to get the real one", () => {
    expect(planRun({}, machine(missing))).toEqual({
      clusters: ["embedded"],
      serial: false,
      leftOut: [],
      summary: [
        "clusters: embedded API server",
        "clusters: the real kube-apiserver did not run: there is no etcd on this machine; to get it: install etcd-server",
        engines,
      ],
    });
  });

  it("fails without the real one where it is required", () => {
    expect(planRun({ E2E_REAL: "required" }, machine(missing)).failure).toBe(
      "E2E_REAL=required, but there is no etcd on this machine; install etcd-server",
    );
  });

  it("fails without a registry where one is required", () => {
    const withoutRegistry = machine(binaries, ["docker-registry"]);
    expect(planRun({}, withoutRegistry).failure).toBeUndefined();
    expect(planRun({ E2E_REGISTRY: "required" }, withoutRegistry).failure).toBe(
      "E2E_REGISTRY=required, but there is no docker-registry on this machine; install Debian's docker-registry",
    );
  });

  it("does not ask for the real one when only the embedded one is wanted", () => {
    expect(planRun({ E2E_CLUSTERS: "embedded", E2E_REAL: "required" }, machine(missing))).toEqual({
      clusters: ["embedded"],
      serial: false,
      leftOut: [],
      summary: ["clusters: embedded API server", engines],
    });
  });

  it("takes the user's cluster in place of ours, one suite after the other", () => {
    const env = { KUBECONFIG_E2E: "/home/me/config", E2E_REAL: "required" };
    expect(planRun(env, machine(missing))).toEqual({
      clusters: ["embedded", "real"],
      serial: true,
      leftOut: ["suites/workloads.test.ts"],
      summary: [
        "clusters: embedded API server",
        "clusters: the cluster of KUBECONFIG_E2E",
        "workloads did not run: its pods are scripted, and a cluster of yours would really run them",
        engines,
      ],
    });
  });

  it("fails for a cluster that does not exist", () => {
    expect(planRun({ E2E_CLUSTERS: "kind" }, machine(binaries)).failure).toBe(
      'E2E_CLUSTERS: "kind" is no cluster; expected a comma-separated list of embedded, real',
    );
  });

  it("fails when the only cluster that is asked for is not there", () => {
    expect(planRun({ E2E_CLUSTERS: "real" }, machine(missing)).failure).toBe(
      "there is no cluster to run on; clusters: the real kube-apiserver did not run: " +
        "there is no etcd on this machine; to get it: install etcd-server",
    );
  });

  it("leaves out what the machine has not the means for, and says so", () => {
    const poor = machine(missing, ["nats-server", "kubectl", "samples", "go"]);
    expect(planRun({ E2E_CLUSTERS: "embedded" }, poor)).toEqual({
      clusters: ["embedded"],
      serial: false,
      leftOut: [
        "suites/charts-rendering-objects.test.ts",
        "suites/kubectl.test.ts",
        "suites/readme.test.ts",
        "suites/workloads.test.ts",
        "suites/oracles/",
        "suites/samples/",
      ],
      summary: [
        "clusters: embedded API server",
        "NATS did not run: there is no nats-server on this machine; to get it: install Debian's nats-server",
        "kubectl, README's commands and the objects of charts did not run: there is none on this machine; to get it: https://kubernetes.io/docs/tasks/tools",
        "the real template engines did not run, only their recordings: there is no Go on this machine; to get them: install Go",
        "further samples did not run (suites/samples): LANDSCAPER_SAMPLES names no folder; see test-e2e/README.md",
      ],
    });
  });

  it("fails for a folder of samples that lacks what suites read", () => {
    const findSamples = (): never => {
      throw new Error("LANDSCAPER_SAMPLES: /none: expected a folder, found nothing");
    };
    expect(planRun({}, { ...machine(binaries), findSamples }).failure).toBe(
      "LANDSCAPER_SAMPLES: /none: expected a folder, found nothing",
    );
  });

  it("says why there is no node, and fails without one where it is required", () => {
    const poor = machine(binaries, ["containerd"]);
    const plan = planRun({ E2E_CLUSTERS: "real" }, poor);
    expect(plan.failure).toBeUndefined();
    expect(plan.summary).toContain("no node: containerd is not installed; to get one: install containerd");
    expect(planRun({ E2E_CLUSTERS: "real", E2E_NODE: "required" }, poor).failure).toBe(
      "E2E_NODE=required, but containerd is not installed; install containerd",
    );
  });

  it("fails without the real template engines where they are required", () => {
    expect(planRun({ E2E_REAL: "required" }, machine(binaries, ["go"])).failure).toBe(
      "E2E_REAL=required, but there is no Go on this machine; install Go",
    );
  });

  it("has the pinned kubectl where it has the real cluster", () => {
    expect(planRun({}, machine(binaries, ["kubectl"])).leftOut).toEqual([]);
  });
});

describe("parseClusterNames", () => {
  it.each([
    ["nothing", undefined, ["embedded", "real"]],
    ["an empty text", "", ["embedded", "real"]],
    ["one name", "real", ["real"]],
    ["names with spaces", " real , embedded ", ["real", "embedded"]],
  ])("reads %s", (_name, text, want) => {
    expect(parseClusterNames(text)).toEqual(want);
  });

  it("refuses a name that is no cluster", () => {
    expect(() => parseClusterNames("kind")).toThrow(
      new Error('E2E_CLUSTERS: "kind" is no cluster; expected a comma-separated list of embedded, real'),
    );
  });
});

describe("countWorkers", () => {
  const gib = 1024 ** 3;
  it.each([
    { name: "three more than processors", processors: 2, memory: 24 * gib, count: 5 },
    { name: "so many as the memory holds", processors: 8, memory: 8 * gib, count: 3 },
    { name: "one at the least", processors: 2, memory: gib, count: 1 },
  ])("is $name", ({ processors, memory, count }) => {
    expect(countWorkers(processors, memory)).toBe(count);
  });
});
