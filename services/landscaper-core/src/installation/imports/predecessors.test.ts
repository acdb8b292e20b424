import { describe, expect, it } from "@jest/globals";
import { annotations, type InstallationStatus } from "@landscaper/api";
import { listPredecessors, listSuccessors } from "@landscaper/blueprint";
import { checkPredecessors, findLateRing } from "./predecessors.ts";
import { countingGraph, installationOf, siblingsOf, type InstallationState } from "../../../test/installations.ts";

const succeeded: InstallationStatus = { jobID: "1", jobIDFinished: "1", phase: "Succeeded" };
const failed: InstallationStatus = { ...succeeded, phase: "Failed" };
const running: InstallationStatus = { jobID: "2", jobIDFinished: "1", phase: "Progressing" };

/** The gate of the first of these Installations. */
function gate(...states: readonly InstallationState[]): unknown {
  const all = states.map(installationOf);
  const result = checkPredecessors(all[0]!, siblingsOf(all));
  return result.state === "blocked" ? { reason: result.error.reason, message: result.error.message } : result;
}

describe("the gate of a root Installation (core.md §4.2)", () => {
  const second: InstallationState = { name: "second", from: ["x"] };
  const first: InstallationState = { name: "first", to: ["x"], status: succeeded };
  const triggered = { [annotations.operation]: "reconcile" };
  const rows: readonly (readonly [name: string, states: readonly InstallationState[], want: unknown])[] = [
    ["is open without predecessors", [second], { state: "open" }],
    ["is open after success", [second, first], { state: "open" }],
    ["waits for a running one", [second, { ...first, status: running }], { state: "waiting", unfinished: ["first"] }],
    [
      "waits for one that is triggered",
      [second, { ...first, annotations: triggered }],
      { state: "waiting", unfinished: ["first"] },
    ],
    [
      "is blocked by one that never ran",
      [second, { name: "first", to: ["x"] }],
      {
        reason: "AllPredecessorsSucceeded",
        message: 'not all predecessors succeeded: installation "first" (phase not started)',
      },
    ],
    [
      "is blocked by one that has failed",
      [second, { ...first, status: failed }],
      {
        reason: "AllPredecessorsSucceeded",
        message: 'not all predecessors succeeded: installation "first" (phase Failed)',
      },
    ],
    [
      "waits although another has failed",
      [
        { ...second, from: ["x", "y"] },
        { ...first, status: failed },
        { name: "third", to: ["y"], status: running },
      ],
      { state: "waiting", unfinished: ["third"] },
    ],
    [
      "does not look into other namespaces",
      [second, { ...first, namespace: "other", status: failed }],
      { state: "open" },
    ],
    ["does not look into other scopes", [second, { ...first, parent: "p", status: failed }], { state: "open" }],
    [
      "does not order by names over scopes (§4.8)",
      [
        { ...second, from: ["#x"] },
        { ...first, status: failed },
      ],
      { state: "open" },
    ],
    [
      "believes the hint that there are no sibling imports (§1.1 no. 17)",
      [
        { ...second, spec: { optimization: { hasNoSiblingImports: true } } },
        { ...first, status: failed },
      ],
      { state: "open" },
    ],
    [
      "is blocked by two exporters of one name (§4.5 fixed)",
      [second, first, { name: "other", to: ["x"], status: succeeded }],
      { reason: "GetPredecessors", message: 'data object "x" is exported by first and other; expected one exporter' },
    ],
    [
      "is blocked by a ring of two (§4.4 fixed)",
      [
        { ...second, to: ["y"] },
        { ...first, from: ["y"] },
      ],
      {
        reason: "CyclicDependencies",
        message: "installations import from each other in a ring: second => first => second",
      },
    ],
    [
      "is blocked by a longer ring",
      [
        { ...second, to: ["z"] },
        { ...first, from: ["y"] },
        { name: "third", from: ["z"], to: ["y"], status: succeeded },
      ],
      {
        reason: "CyclicDependencies",
        message: "installations import from each other in a ring: second => first => third => second",
      },
    ],
    [
      "is not blocked by a ring of others",
      [second, { ...first, from: ["y"] }, { name: "third", from: ["x"], to: ["y"], status: succeeded }],
      { state: "open" },
    ],
    [
      "is blocked by its own export",
      [{ ...second, to: ["x"] }],
      { reason: "CyclicDependencies", message: "installations import from each other in a ring: second => second" },
    ],
  ];
  it.each(rows)("%s", (_name, states, want) => expect(gate(...states)).toEqual(want));
});

describe("a ring that was completed after a job had failed", () => {
  const lacking: InstallationStatus = {
    ...failed,
    lastError: {
      operation: "init",
      reason: "ImportsSatisfied",
      message: "m",
      lastTransitionTime: "2026-01-01T00:00:00Z",
      lastUpdateTime: "2026-01-01T00:00:00Z",
    },
  };
  const a: InstallationState = { name: "a", from: ["b"], to: ["a"], status: lacking };
  const b: InstallationState = { name: "b", from: ["a"], to: ["b"], status: failed };
  const late = (...states: readonly InstallationState[]) => {
    const all = states.map(installationOf);
    return findLateRing(all[0]!, siblingsOf(all))?.message;
  };

  it("is found if an import was missing", () => {
    expect(late(a, b)).toBe("installations import from each other in a ring: a => b => a");
  });

  it.each<readonly [string, readonly InstallationState[]]>([
    ["without a ring", [a, { ...b, from: [] }]],
    ["after another failure", [{ ...a, status: failed }, b]],
    ["after success", [{ ...a, status: { ...lacking, phase: "Succeeded" } }, b]],
    ["while another job runs", [{ ...a, status: { ...lacking, jobID: "2" } }, b]],
  ])("is not reported %s", (_name, states) => {
    expect(late(...states)).toBeUndefined();
  });
});

describe("the gate of a root with many dependencies", () => {
  it("looks at each of them once for a ring", () => {
    const { installations, siblings, looks } = countingGraph(60);
    const [last = installationOf({ name: "none" })] = installations.slice(-1);
    expect(checkPredecessors(last, siblings)).toEqual({ state: "open" });
    // Beside the own ones, which are also looked at for double exports, and for their end.
    expect(looks()).toBe((60 * 59) / 2 + 2 * 59);
  });

  it("is closed when they are too many to look at", () => {
    const { installations, siblings, looks } = countingGraph(400);
    const [last = installationOf({ name: "none" })] = installations.slice(-1);
    const gate = checkPredecessors(last, siblings);
    expect(gate.state === "blocked" ? [gate.error.reason, gate.error.message] : gate).toEqual([
      "GetPredecessors",
      "the installations that this one depends on, also through others, have more than 50000 dependencies",
    ]);
    expect(looks()).toBeLessThan(50_000);
  });
});

describe("the gate of a nested Installation (core.md §4.3)", () => {
  const own = { jobID: "2", jobIDFinished: "1", phase: "Init" };
  const second: InstallationState = { name: "second", parent: "p", from: ["x"], status: own };
  const first: InstallationState = { name: "first", parent: "p", to: ["x"] };
  const rows: readonly (readonly [name: string, status: InstallationStatus | undefined, want: unknown])[] = [
    ["waits for one that has not been given the job", undefined, { state: "waiting", unfinished: ["first"] }],
    ["waits for one that has finished the last job", succeeded, { state: "waiting", unfinished: ["first"] }],
    ["waits for one that is at work", running, { state: "waiting", unfinished: ["first"] }],
    [
      "is open after success in the same job",
      { jobID: "2", jobIDFinished: "2", phase: "Succeeded" },
      { state: "open" },
    ],
    [
      "is blocked after failure in the same job",
      { jobID: "2", jobIDFinished: "2", phase: "Failed" },
      {
        reason: "AllPredecessorsSucceeded",
        message: 'not all predecessors succeeded: installation "first" (phase Failed)',
      },
    ],
  ];
  it.each(rows)("%s", (_name, status, want) => {
    expect(gate(second, status === undefined ? first : { ...first, status })).toEqual(want);
  });
});

describe("successors", () => {
  const names = (...states: readonly InstallationState[]): readonly (string | undefined)[] => {
    const all = states.map(installationOf);
    return listSuccessors(all[0]!, siblingsOf(all)).map(({ metadata }) => metadata.name);
  };
  const exporter: InstallationState = {
    name: "a",
    to: ["x"],
    spec: { exports: { data: [{ name: "x", dataRef: "x" }], targets: [{ name: "t", target: "t" }] } },
  };

  it("import data or targets, also in lists and maps (core.md §4.7 fixed)", () => {
    const of = (name: string, targets: object): InstallationState => ({
      name,
      spec: { imports: { targets: [{ name: "t", ...targets }] } },
    });
    const all = [
      exporter,
      { name: "z", from: ["x"] },
      of("single", { target: "t" }),
      of("list", { targets: ["other", "t"] }),
      of("map", { targetMap: { red: "t" } }),
      of("listed-map", { targets: [{ red: "t" }] }),
      of("none", { target: "other" }),
    ];
    expect(names(...all)).toEqual(["list", "listed-map", "map", "single", "z"]);
  });

  it("are none with the hint that there are no sibling exports", () => {
    const hinted = { ...exporter, spec: { ...exporter.spec, optimization: { hasNoSiblingExports: true } } };
    expect(names(hinted, { name: "z", from: ["x"] })).toEqual([]);
  });
});

describe("predecessors", () => {
  it("are listed once each", () => {
    const all = [installationOf({ name: "b", from: ["x", "y"] }), installationOf({ name: "a", to: ["x", "y"] })];
    expect(listPredecessors(all[0]!, siblingsOf(all)).map(({ metadata }) => metadata.name)).toEqual(["a"]);
  });
});
