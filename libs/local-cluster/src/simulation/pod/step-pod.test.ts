import { describe, expect, it } from "@jest/globals";
import { assert, boolean, constantFrom, dictionary, property } from "fast-check";
import type { UnstructuredObject } from "@landscaper/api";
import { simulationPrefix } from "../simulation-options.ts";
import type { ContainerRun, PodRun } from "./pod-run.ts";
import { phaseOf, startPodRun } from "./pod-run.ts";
import { parsePodScript } from "./pod-script.ts";
import { nextPodStep, stopPod } from "./step-pod.ts";

const times = { stepMs: 10, backOffMs: 100 };

interface Life {
  readonly script?: Readonly<Record<string, string>>;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly earlierFailures?: number;
}

function pod(spec: Readonly<Record<string, unknown>>): UnstructuredObject {
  return { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec: { containers: [{ name: "main" }], ...spec } };
}

function parse(script: Readonly<Record<string, string>>) {
  return parsePodScript(
    Object.fromEntries(Object.entries(script).map(([key, value]) => [`${simulationPrefix}${key}`, value])),
  );
}

/** The pod's first steps, at most `limit`. */
function live({ script = {}, spec = {}, earlierFailures = 0 }: Life, limit = 9): { atMs: number; run: PodRun }[] {
  const rules = { script: parse(script), scriptSinceMs: 0, times };
  let run = startPodRun(pod(spec), 0, earlierFailures);
  const steps = [{ atMs: 0, run }];
  while (steps.length <= limit) {
    const step = nextPodStep(run, rules);
    if (step === undefined) return steps;
    ({ run } = step);
    steps.push(step);
  }
  return steps;
}

function describeContainer({ name, state, restarts }: ContainerRun): string {
  const again = restarts === 0 ? "" : `#${restarts}`;
  switch (state.is) {
    case "waiting":
      return `${name}${again} ${state.reason}`;
    case "running":
      return `${name}${again} ${state.ready ? "ready" : "runs"}`;
    case "terminated":
      return `${name}${again} exit ${state.exitCode}`;
  }
}

/** "10 Running: main runs" per step. */
function story(life: Life, limit?: number): string[] {
  return live(life, limit).map(
    ({ atMs, run }) => `${atMs} ${phaseOf(run)}: ${run.containers.map(describeContainer).join(", ")}`,
  );
}

const init = { initContainers: [{ name: "init" }] };
const never = { restartPolicy: "Never" };

describe("the life of a simulated pod", () => {
  const lives: readonly (readonly [name: string, life: Life, story: readonly string[]])[] = [
    [
      "runs and gets ready",
      {},
      ["0 Pending: main ContainerCreating", "10 Running: main runs", "20 Running: main ready"],
    ],
    [
      "takes the times of its script",
      { script: { "start-delay": "1s", "ready-delay": "2s" } },
      ["0 Pending: main ContainerCreating", "1000 Running: main runs", "3000 Running: main ready"],
    ],
    [
      "never gets ready",
      { script: { "never-ready": "true" } },
      ["0 Pending: main ContainerCreating", "10 Running: main runs"],
    ],
    [
      "runs its init containers first",
      { spec: init },
      [
        "0 Pending: init PodInitializing, main PodInitializing",
        "10 Pending: init runs, main PodInitializing",
        "20 Pending: init exit 0, main PodInitializing",
        "30 Running: init exit 0, main runs",
        "40 Running: init exit 0, main ready",
      ],
    ],
    [
      "keeps sidecars running until the others have ended",
      { spec: { initContainers: [{ name: "proxy", restartPolicy: "Always" }], ...never } },
      [
        "0 Pending: proxy PodInitializing, main PodInitializing",
        "10 Pending: proxy runs, main PodInitializing",
        "20 Running: proxy ready, main runs",
        "30 Succeeded: proxy exit 0, main exit 0",
      ],
    ],
    [
      "ends when it is not to be restarted",
      { spec: never },
      ["0 Pending: main ContainerCreating", "10 Running: main runs", "20 Succeeded: main exit 0"],
    ],
    [
      "runs as long as it is told",
      { spec: never, script: { "run-duration": "1s" } },
      [
        "0 Pending: main ContainerCreating",
        "10 Running: main runs",
        "20 Running: main ready",
        "1010 Succeeded: main exit 0",
      ],
    ],
    [
      "fails",
      { spec: never, script: { "exit-code": "3" } },
      ["0 Pending: main ContainerCreating", "10 Running: main runs", "20 Failed: main exit 3"],
    ],
    [
      "succeeds when its owner's runs have failed often enough",
      { spec: never, script: { "exit-code": "3", "exit-times": "2" }, earlierFailures: 2 },
      ["0 Pending: main ContainerCreating", "10 Running: main runs", "20 Succeeded: main exit 0"],
    ],
    [
      "fails with its init container",
      { spec: { ...never, ...init }, script: { "exit-code.init": "1" } },
      [
        "0 Pending: init PodInitializing, main PodInitializing",
        "10 Pending: init runs, main PodInitializing",
        "20 Failed: init exit 1, main PodInitializing",
      ],
    ],
    [
      "does not find its image",
      { script: { "image-pull-failure": "denied" } },
      ["0 Pending: main ContainerCreating", "10 Pending: main ErrImagePull", "20 Pending: main ImagePullBackOff"],
    ],
    [
      "does not start with an annotation that makes no sense",
      { script: { "exit-code": "x" } },
      ["0 Pending: main ContainerCreating", "10 Pending: main CreateContainerConfigError"],
    ],
    [
      "recovers from crashes",
      { script: { "exit-code": "1", "exit-times": "2" } },
      [
        "0 Pending: main ContainerCreating",
        "10 Running: main runs",
        "20 Running: main exit 1",
        "30 Running: main#1 runs",
        "40 Running: main#1 exit 1",
        "50 Running: main#1 CrashLoopBackOff",
        "150 Running: main#2 runs",
        "160 Running: main#2 ready",
      ],
    ],
  ];
  it.each(lives)("%s", (_name, life, want) => {
    expect(story(life)).toEqual(want);
  });

  it("waits longer after each crash, but at most five minutes", () => {
    const steps = live({ script: { "exit-code": "1" } }, 200);
    const starts = steps.filter(({ run }) => run.containers[0]?.state.is === "running").map(({ atMs }) => atMs);
    const pauses = starts.slice(1).map((atMs, i) => atMs - (starts[i] ?? 0));
    expect(pauses.slice(0, 5)).toEqual([20, 120, 220, 420, 820]);
    expect(Math.max(...pauses)).toBe(300_020);
  });

  it("ends by SIGTERM when it is stopped, and does nothing after that", () => {
    const { run } = live({}).at(-1) ?? { run: startPodRun(pod({}), 0, 0) };
    const stopped = stopPod(run, 500);
    expect(stopped.containers.map(describeContainer)).toEqual(["main exit 143"]);
    expect(phaseOf(stopped)).toBe("Failed");
    expect(nextPodStep(stopped, { script: parse({}), scriptSinceMs: 0, times })).toBeUndefined();
  });

  it("goes on from where it is stuck when the script changes, not before that", () => {
    const { run } = live({ script: { "image-pull-failure": "true" } }).at(-1) ?? { run: startPodRun(pod({}), 0, 0) };
    const step = nextPodStep(run, { script: parse({}), scriptSinceMs: 7000, times });
    expect(step?.atMs).toBe(7000);
    expect(step?.run.containers.map(describeContainer)).toEqual(["main runs"]);
    const unready = nextPodStep(live({}).at(-1)?.run ?? run, {
      script: parse({ "never-ready": "true" }),
      scriptSinceMs: 8000,
      times,
    });
    expect([unready?.atMs, unready?.run.containers.map(describeContainer)]).toEqual([8000, ["main runs"]]);
  });

  it("never goes back in time, whatever the script", () => {
    const value = constantFrom("0", "1", "2", "true", "10ms", "1s", "x");
    const names = ["start-delay", "ready-delay", "run-duration", "exit-code", "exit-times", "never-ready"];
    const scripts = dictionary(constantFrom(...names), value);
    const policy = constantFrom("Always", "OnFailure", "Never");
    const neverBack = property(scripts, policy, boolean(), (script, restartPolicy, hasInit) => {
      const steps = live({ script, spec: { restartPolicy, ...(hasInit ? init : {}) } }, 40);
      const atMs = steps.map((step) => step.atMs);
      expect(atMs).toEqual(atMs.toSorted((a, b) => a - b));
      const phases = steps.map(({ run }) => phaseOf(run));
      const end = phases.findIndex((phase) => phase === "Succeeded" || phase === "Failed");
      expect(end === -1 || end === phases.length - 1).toBe(true);
    });
    assert(neverBack, { seed: 7, numRuns: 300 });
  });
});
