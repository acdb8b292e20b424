import { expectTurn } from "@landscaper/testkit";
import type { ControlPlaneBinaries, MissingBinaries } from "../../cluster/binaries.ts";
import type { ClusterName } from "../clusters/selected-clusters.ts";
import { isPackageTest, realTurns, shareSteps, testsWithoutTurn } from "./turns.ts";
import { parseClusterNames } from "../clusters/selected-clusters.ts";
import { kubernetesVersion } from "../../cluster/kubernetes-version.ts";

export interface Machine {
  provideBinaries(): ControlPlaneBinaries | MissingBinaries;
  /** Builds what a node that runs pods is made of; undefined when it is there. */
  provideNode(): MissingBinaries | undefined;
  /** Builds the real template engines; undefined when they are there. */
  provideOracles(): MissingBinaries | undefined;
  hasProgram(name: string): boolean;
  /** The folder of further samples; undefined when none is named. Throws for one that lacks what suites read. */
  findSamples(): string | undefined;
}

export interface RunPlan {
  readonly clusters: readonly ClusterName[];
  /** True when suites may not run beside each other. */
  readonly serial: boolean;
  /** Tests that have no turn, and suites that this machine has not what they need for, by the end of their path: they do not run, and `summary` says so. */
  readonly leftOut: readonly string[];
  /** For people: what runs, what does not, and how to get that. */
  readonly summary: readonly string[];
  /** Set when the run must not start. */
  readonly failure?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What a worker takes with its clusters and services, in bytes. */
const workerBytes = 2.5 * 1024 ** 3;

/** How many files run beside each other: suites wait for processes and clocks more than half of the time, so that there are three more of them than processors. */
export function countWorkers(processors: number, memoryBytes: number): number {
  return Math.max(1, Math.min(processors + 3, Math.floor(memoryBytes / workerBytes)));
}

/** Which clusters the suites run on: E2E_CLUSTERS, KUBECONFIG_E2E, E2E_REAL=required and what the machine has. */
export function planRun(env: Environment, machine: Machine): RunPlan {
  try {
    expectTurn(env["E2E_TURN"]);
    return planFor(parseClusterNames(env["E2E_CLUSTERS"]), env, machine);
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    return { clusters: [], serial: false, leftOut: [], summary: [], failure };
  }
}

function describeTurn(turn: string | undefined): string {
  if (turn === undefined || turn === "") return "";
  const text = `turn ${(Number(turn) % realTurns) + 1} of ${realTurns}, by the number of commits`;
  return `, for suites about the API server and a share of the others (${text}); npm run e2e has all of them on it`;
}

function planFor(wanted: readonly ClusterName[], env: Environment, machine: Machine): RunPlan {
  const summary: string[] = [];
  const leftOut: string[] = [];
  const clusters: ClusterName[] = [];
  let serial = false;
  let failure: string | undefined;
  if (wanted.includes("embedded")) {
    clusters.push("embedded");
    summary.push("clusters: embedded API server");
  }
  if (wanted.includes("real")) {
    const user = env["KUBECONFIG_E2E"];
    const binaries = user === undefined ? machine.provideBinaries() : undefined;
    if (binaries === undefined) {
      clusters.push("real");
      serial = true;
      summary.push("clusters: the cluster of KUBECONFIG_E2E");
      leftOut.push("suites/workloads.test.ts");
      summary.push("workloads did not run: its pods are scripted, and a cluster of yours would really run them");
    } else if ("missing" in binaries) {
      summary.push(`clusters: the real kube-apiserver did not run: ${binaries.missing}; to get it: ${binaries.hint}`);
      const demand = ["E2E_REAL", "E2E_NODE"].find((name) => env[name] === "required");
      if (demand !== undefined) failure = `${demand}=required, but ${binaries.missing}; ${binaries.hint}`;
    } else {
      clusters.push("real");
      summary.push(`clusters: real kube-apiserver ${kubernetesVersion}${describeTurn(env["E2E_TURN"])}`);
      const node = machine.provideNode();
      if (node === undefined) summary.push("node: pods run on a real one, with kubelet and containerd");
      else {
        summary.push(`no node: ${node.missing}; to get one: ${node.hint}`);
        if (env["E2E_NODE"] === "required") failure = `E2E_NODE=required, but ${node.missing}; ${node.hint}`;
      }
    }
  }
  const waiting = env["E2E_SELECTED"] === "1" ? [] : testsWithoutTurn(env["E2E_TURN"]);
  if (waiting.length > 0) {
    leftOut.push(...waiting.map((test) => `${isPackageTest(test) ? test : `suites/${test}`}.test.ts`));
    summary.push(`slow tests: run after other commits: ${waiting.toSorted().join(", ")}`);
  }
  if (clusters.length === 0) failure ??= `there is no cluster to run on; ${summary.join("; ")}`;
  if (!machine.hasProgram("nats-server")) {
    summary.push("NATS did not run: there is no nats-server on this machine; to get it: install Debian's nats-server");
  }
  if (env["E2E_REGISTRY"] === "required" && !machine.hasProgram("docker-registry")) {
    failure ??=
      "E2E_REGISTRY=required, but there is no docker-registry on this machine; install Debian's docker-registry";
  }
  if (!clusters.includes("real") && !machine.hasProgram("kubectl")) {
    leftOut.push(
      "suites/charts-rendering-objects.test.ts",
      "suites/kubectl.test.ts",
      "suites/readme.test.ts",
      "suites/workloads.test.ts",
    );
    summary.push(
      "kubectl, README's commands and the objects of charts did not run: there is none on this machine; to get it: https://kubernetes.io/docs/tasks/tools",
    );
  }
  const engines = machine.provideOracles();
  if (engines === undefined) {
    summary.push("template engines: beside Go's text/template with sprig, Helm and spiff");
    if ((env["E2E_TURN"] ?? "") !== "") {
      summary.push(
        `recordings: this run checks 1/${shareSteps.recordings} of the charts, keys and password hashes that the same real engine has already confirmed on this machine; every run checks new and changed ones`,
      );
    }
  } else {
    leftOut.push("suites/oracles/");
    summary.push(
      `the real template engines did not run, only their recordings: ${engines.missing}; to get them: ${engines.hint}`,
    );
    if (env["E2E_REAL"] === "required") failure ??= `E2E_REAL=required, but ${engines.missing}; ${engines.hint}`;
  }
  if (machine.findSamples() === undefined) {
    leftOut.push("suites/samples/");
    summary.push(
      "further samples did not run (suites/samples): LANDSCAPER_SAMPLES names no folder; see test-e2e/README.md",
    );
  }
  return { clusters, serial, leftOut, summary, ...(failure === undefined ? {} : { failure }) };
}
