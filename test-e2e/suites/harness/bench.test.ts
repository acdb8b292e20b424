import { describe, expect, it } from "@jest/globals";
import { formatFleet } from "../../bench/fleet/format-fleet.ts";
import { listFleetMisses, type FleetMeasure } from "../../bench/fleet/fleet.ts";
import { formatTable } from "../../bench/format-table.ts";
import { compareWith, listContainerMisses } from "../../bench/containers/containers.ts";
import type { RolloutComparison } from "../../bench/fleet/raw-rollout.ts";
import { formatInstallations } from "../../bench/installations/format-installations.ts";
import { listMisses, type InstallationsPhase } from "../../bench/installations/judge-installations.ts";
import type { PhaseMeasure } from "../../bench/measure/measure.ts";
import { percentile, spreadOf } from "../../bench/measure/percentile.ts";
import {
  parseChildrenCpuSeconds,
  parseCpuSeconds,
  parsePeakRssMiB,
  readProcessUsage,
} from "../../bench/measure/process-usage.ts";
import { parsePrometheusText, subtractCounts, sumBy } from "../../bench/measure/prometheus-text.ts";
import { listSlow, type StepMeasure } from "../../bench/resources/resources.ts";
import { createObjects, measuredResources, measuredType } from "../../bench/resources/resources-objects.ts";
import { runInParallel } from "../../src/kits/run-in-parallel.ts";

describe("percentile", () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  it.each([
    ["the median", hundred, 0.5, 50],
    ["the 99th", hundred, 0.99, 99],
    ["the highest", hundred, 1, 100],
    ["the lowest", hundred, 0, 1],
    ["the only one", [7], 0.5, 7],
    ["none", [], 0.5, Number.NaN],
  ])("takes %s", (...[, values, share, want]) => {
    expect(percentile(values, share)).toBe(want);
  });
});

describe("the spread of values", () => {
  it("has their median, their quartiles and their number", () => {
    expect(spreadOf([9, 1, 8, 2, 7, 3, 6, 4])).toEqual({ median: 4, quartiles: [2, 7], count: 8 });
  });
});

describe("process usage", () => {
  it("reads user and system time behind a name with spaces and parentheses", () => {
    const stat = "42 (a (b) c) S 1 2 3 4 5 6 7 8 9 10 250 150 11 12";
    expect(parseCpuSeconds(stat)).toBe(4);
    expect(parseChildrenCpuSeconds(stat)).toBe(0.23);
  });

  it("reads the highest resident set", () => {
    expect(parsePeakRssMiB("Name:\tnode\nVmHWM:\t  204800 kB\nVmRSS:\t 1 kB\n")).toBe(200);
  });

  it("reads this process", () => {
    const usage = readProcessUsage(process.pid);
    expect(usage.cpuSeconds).toBeGreaterThan(0);
    expect(usage.peakRssMiB).toBeGreaterThan(10);
  });
});

describe("Prometheus text", () => {
  const text = `# HELP requests_total Requests
# TYPE requests_total counter
requests_total{verb="get",resource="installations",code="200"} 3
requests_total{verb="get",resource="secrets",code="404"} 2
requests_total{verb="create",path="a\\"b,c=\\"d"} 1
up 1
`;

  it("reads names, labels and values", () => {
    expect(parsePrometheusText(text)).toEqual([
      { name: "requests_total", labels: { verb: "get", resource: "installations", code: "200" }, value: 3 },
      { name: "requests_total", labels: { verb: "get", resource: "secrets", code: "404" }, value: 2 },
      { name: "requests_total", labels: { verb: "create", path: String.raw`a\"b,c=\"d` }, value: 1 },
      { name: "up", labels: {}, value: 1 },
    ]);
  });

  it("sums by labels and subtracts", () => {
    const samples = parsePrometheusText(text);
    expect(sumBy(samples, "requests_total", ["verb", "resource"])).toEqual({
      "get installations": 3,
      "get secrets": 2,
      "create ": 1,
    });
    const after = sumBy(samples, "requests_total", ["verb"]);
    expect(after).toEqual({ get: 5, create: 1 });
    expect(subtractCounts(after, { get: 2, create: 1 })).toEqual({ get: 3 });
  });
});

describe("container items", () => {
  const contractOf = (median: number) => ({
    share: { startMs: 20, finishMs: 10 },
    ratio: { median, quartiles: [1.4, 1.7] as const, count: 30 },
  });
  const atOnce = { count: 50, seconds: 5, peakMiB: 220, requestsEach: 40, requests: {} };
  const state = { saveMs: 2000, restoreMs: 1000, rawWriteMs: 800, rawReadMs: 200 };

  it("may take as much as their budgets, and no more", () => {
    expect(listContainerMisses({ contract: contractOf(1.5), atOnce, state })).toEqual([]);
    const slow = {
      contract: contractOf(1.52),
      atOnce: { ...atOnce, peakMiB: 221, requestsEach: 40.5 },
      state: { ...state, rawReadMs: 199 },
    };
    expect(listContainerMisses(slow)).toEqual([
      "share of a job to the smallest list of requests: 1.52, the budget is 1.5",
      "MiB of the deployer at its peak: 221.00, the budget is 220",
      "API requests of each item: 40.50, the budget is 40",
      "saving and restoring a state to its Secrets raw: 3.00, the budget is 3",
    ]);
  });

  it("miss what could not be measured", () => {
    expect(listContainerMisses({ contract: contractOf(Number.NaN), atOnce, state })).toEqual([
      "share of a job to the smallest list of requests: NaN, the budget is 1.5",
    ]);
  });

  it("are compared with the raw jobs right before and after each", () => {
    const share = (whole: number) => ({ startMs: whole - 1, finishMs: 1 });
    const turns = [
      [share(10), share(10)],
      [share(10), share(10)],
      [share(40), share(40)],
    ];
    const { ratio } = compareWith([share(15), share(30)], turns);
    expect(ratio).toEqual({ median: 1.5, quartiles: [1.5, 3], count: 2 });
    expect(compareWith([], turns).share).toEqual({ startMs: 9, finishMs: 1 });
  });
});

describe("runInParallel", () => {
  it("does everything once and not more than allowed at a time", async () => {
    const done: number[] = [];
    let running = 0;
    let most = 0;
    await runInParallel(10, 3, async (index) => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      done.push(index);
    });
    expect(done.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(most).toBe(3);
  });
});

describe("the report", () => {
  const measureOf = (phase: string, seconds: number): PhaseMeasure => ({
    phase,
    seconds,
    p50Seconds: 1.5,
    p99Seconds: 2.25,
    services: [
      {
        name: "landscaper-core",
        cpuSeconds: 4,
        peakRssMiB: 150,
        requests: { "create targets": 20, "update targets": 40 },
      },
      { name: "manifest-deployer", cpuSeconds: 2, peakRssMiB: 90, requests: { "update targets": 30 } },
    ],
    controlPlane: [{ name: "etcd", cpuSeconds: 1, peakRssMiB: 60 }],
  });
  const phase = (name: InstallationsPhase["phase"], seconds: number): InstallationsPhase => ({
    phase: name,
    product: measureOf(name, seconds),
    contract: { before: 5, after: 7, requestsEach: 19 },
    replay: { before: 6, after: 10, requestsEach: 25.5 },
  });
  const single = { secondsOfOne: 0.1, requestsOfNoOp: 12 };

  it("compares each phase with the raw clients of this phase", () => {
    const phases = [phase("create", 8), phase("update", 6)];
    const measured = { count: 10, inFlight: 32, phases, single };
    expect(listMisses({ ...measured, single: { ...single, secondsOfOne: 0.4 } })).toEqual([
      "seconds of one on an idle system: 0.40, the budget is 0.3",
    ]);
    // The replay has no budget: it shows the cost of the product's own work.
    const fastReplay = { ...phase("update", 8), replay: { before: 1, after: 1, requestsEach: 25.5 } };
    expect(listMisses({ ...measured, phases: [fastReplay] })).toEqual([]);
    expect(listMisses({ ...measured, phases: [phase("create", 8), phase("delete", 9.6)] })).toEqual([
      "delete to the smallest list of requests: 1.60, the budget is 1.5",
    ]);
    const unmeasured = { ...phase("update", 8), contract: { before: Number.NaN, after: 7, requestsEach: 19 } };
    expect(listMisses({ ...measured, phases: [unmeasured] })).toEqual([
      "update to the smallest list of requests: NaN, the budget is 1.5",
    ]);
    expect(formatInstallations({ ...measured, misses: listMisses(measured) })).toBe(
      `10 Installations on kube-apiserver v1.34.1, 32 in flight; raw clients: before, after; requests of the product without those of users

phase   product     p50     p99  requests each  smallest list  requests each  ratio       replay  requests each  ratio
create    8.0 s  1.50 s  2.25 s            9.0     5.0, 7.0 s           19.0  1.33x  6.0, 10.0 s           25.5  1.00x
update    6.0 s  1.50 s  2.25 s            9.0     5.0, 7.0 s           19.0  1.00x  6.0, 10.0 s           25.5  0.75x

create: request  landscaper-core  manifest-deployer  all  each
create targets                20                  0   20   2.0
update targets                40                 30   70   7.0

update: request  landscaper-core  manifest-deployer  all  each
create targets                20                  0   20   2.0
update targets                40                 30   70   7.0

process            CPU create  CPU update  peak RSS
landscaper-core         4.0 s       4.0 s   150 MiB
manifest-deployer       2.0 s       2.0 s    90 MiB
etcd                    1.0 s       1.0 s    60 MiB

one on an idle system: 0.10 s; a job that changes nothing: 12.0 requests

all within the budgets`,
    );
  });

  it("holds the memory of the services to budgets, for so many Installations as these are meant for", () => {
    const grown = phase("create", 1);
    const services = grown.product.services.map((service) => ({ ...service, peakRssMiB: 351 }));
    const phases = [{ ...grown, product: { ...grown.product, services } }];
    const measured = { count: 500, inFlight: 32, phases, single };
    expect(listMisses(measured)).toEqual([
      "MiB of landscaper-core: 351.00, the budget is 350",
      "MiB of manifest-deployer: 351.00, the budget is 220",
    ]);
    expect(listMisses({ ...measured, count: 501 })).toEqual([]);
    // A service that was not measured is none that keeps its budget.
    const unmeasured = [{ ...grown, product: { ...grown.product, services: [] } }];
    expect(listMisses({ ...measured, phases: unmeasured })).toHaveLength(2);
  });

  it("aligns columns", () => {
    expect(
      formatTable([
        ["a", "bbb"],
        ["aaa", "b"],
      ]),
    ).toBe("a    bbb\naaa    b");
  });
});

describe("objects to apply", () => {
  const options = { namespace: "n", count: 400, seed: 7, revision: 1 };

  it("are the same for the same seed, and one of ten differs between revisions, of all kinds", () => {
    const objects = createObjects(options);
    expect(createObjects(options)).toEqual(objects);
    const changed = createObjects({ ...options, revision: 2 });
    const different = objects.filter((object, index) => JSON.stringify(object) !== JSON.stringify(changed[index]));
    expect(different).toHaveLength(40);
    const kinds = new Set(different.map(({ kind }) => kind));
    expect(kinds).toEqual(new Set(objects.map(({ kind }) => kind)));
    expect(kinds.size).toBe(measuredResources.size);
  });

  it("have a name of their own and a place in the API", () => {
    const objects = createObjects(options);
    const paths = objects.map((object) => `${measuredType(object).plural}/${object.metadata.name}`);
    expect(new Set(paths).size).toBe(objects.length);
    expect(objects.map(measuredType).filter(({ plural, version }) => plural === "" || version === "")).toEqual([]);
  });
});

describe("slow appliers", () => {
  const measure = (step: StepMeasure["step"], timesFaster: number, requestsEach: number): StepMeasure => ({
    step,
    timesFaster,
    requestsEach,
    seconds: 1,
    cpuSeconds: 1,
    serverCpuSeconds: 1,
  });
  it.each([
    ["within the budgets", "apply, library", [measure("create", 3, 1), measure("unchanged", 1, 1)], []],
    ["slow for new objects", "apply, job", [measure("create", 2.9, 1)], [/2\.90 times as fast/]],
    ["slow for changes, which is no budget", "apply, job", [measure("changed", 0.5, 2)], []],
    ["with more than a request for what is unchanged", "update, library", [measure("unchanged", 9, 1.01)], [/1\.01/]],
    ["not ours", "kubectl", [measure("create", 1, 1), measure("unchanged", 1, 2)], []],
  ] as const)("are named: %s", (...[, contender, steps, want]) => {
    expect(listSlow([{ contender, steps }])).toEqual(want.map((text) => expect.stringMatching(text)));
  });
});

describe("the bench of a fleet", () => {
  const at = (environments: number, more: Partial<FleetMeasure> = {}): FleetMeasure => ({
    environments,
    rolloutMsEach: 30,
    rolloutCpuMsEach: 10,
    heartbeatRequests: 1,
    heartbeatCpuMs: 2,
    ...more,
  });

  const comparisonOf = (productMsEach: number): RolloutComparison => ({
    environments: 100,
    productMsEach,
    contract: { before: 19, after: 21 },
    replay: { before: 29, after: 31 },
  });

  it("has nothing to say of a fleet within its budgets", () => {
    const result = { measures: [at(100), at(1000)], updateMsEach: 26, peakRssMiB: 650, comparison: comparisonOf(30) };
    expect(listFleetMisses(result)).toEqual([]);
    const agents = { agents: 3, peakRssMiB: 90, cpuMsPerMinute: 12 };
    expect(formatFleet({ registrations: 4, ...result, agents, misses: [] })).toBe(
      `Environments with 4 deployers each; 3 of the agents are processes

Environments  rollout, each  CPU of the core  requests for a heartbeat  CPU of the core
100                 30.0 ms          10.0 ms                      1.00          2.00 ms
1000                30.0 ms          10.0 ms                      1.00          2.00 ms

the same Installations, changed by their users: 26.0 ms each
peak RSS of the core: 650 MiB
an agent: peak RSS 90 MiB, 12 ms of processor time a minute

rollout to 100 Environments                           each  ratio
product                                            30.0 ms
smallest list of requests, before and after  19.0, 21.0 ms  1.50x
replay of all requests, before and after     29.0, 31.0 ms  1.00x

all within the budgets`,
    );
  });

  it("holds a rollout to the smallest list of requests", () => {
    const result = { measures: [at(100), at(1000)], updateMsEach: 26, peakRssMiB: 650 };
    expect(listFleetMisses({ ...result, comparison: comparisonOf(31) })).toEqual([
      "time of a rollout to the smallest list of requests: 1.55, the budget is 1.5",
    ]);
  });

  it("names each figure that misses its budget, and a small fleet by its pace and memory alone", () => {
    const comparison = undefined;
    const bad = { rolloutCpuMsEach: 14, heartbeatRequests: 2, heartbeatCpuMs: Number.NaN };
    expect(
      listFleetMisses({ measures: [at(100), at(1000, bad)], updateMsEach: 20, peakRssMiB: 800, comparison }),
    ).toEqual([
      "time of a rollout to that of updates: 1.50, the budget is 1.2",
      "peak RSS of the core in MiB: 800.00, the budget is 700",
      "requests of the core for a heartbeat: 2.00, the budget is 1.05",
      "rollout: cost in 1000 Environments to that in 100: 1.40, the budget is 1.3",
      "heartbeat: cost in 1000 Environments to that in 100: NaN, the budget is 1.3",
    ]);
    expect(listFleetMisses({ measures: [at(1), at(10, bad)], updateMsEach: 30, peakRssMiB: 300, comparison })).toEqual(
      [],
    );
    expect(listFleetMisses({ measures: [], updateMsEach: 1, peakRssMiB: 1, comparison })).toEqual([
      "nothing was measured",
    ]);
  });
});
