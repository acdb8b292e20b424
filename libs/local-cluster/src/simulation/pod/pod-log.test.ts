import { describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import { simulationPrefix } from "../simulation-options.ts";
import type { ContainerState, PodRun } from "./pod-run.ts";
import { startPodRun } from "./pod-run.ts";
import { chooseContainer, isGoingOn, parseLogOptions, readLog } from "./pod-log.ts";
import { parsePodScript } from "./pod-script.ts";

const startMs = Date.parse("2026-01-01T00:00:00Z");

function pod(...containers: readonly string[]): UnstructuredObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p" },
    spec: { initContainers: [{ name: "init" }], containers: containers.map((name) => ({ name })) },
  };
}

const running: ContainerState = { is: "running", sinceMs: startMs, ready: true };
const exit = { exitCode: 1, message: undefined, startedMs: startMs, finishedMs: startMs, run: 0 };

function runWith(state: ContainerState, last?: typeof exit): PodRun {
  const run = startPodRun(pod("main"), startMs, 0);
  const containers = run.containers.map((container) =>
    container.name === "main" ? { ...container, state, last } : container,
  );
  return { ...run, containers };
}

function read(run: PodRun, query: string, log = "one\ntwo\nthree\n"): string {
  const script = parsePodScript({ [`${simulationPrefix}log`]: log });
  const options = parseLogOptions(new URLSearchParams(query), startMs + 60_000);
  return readLog(pod("main"), { run, script }, { ...options, container: "main" });
}

describe("the log of a simulated container", () => {
  const answers: readonly (readonly [query: string, text: string])[] = [
    ["", "one\ntwo\nthree\n"],
    ["tailLines=2", "two\nthree\n"],
    ["tailLines=0", ""],
    ["tailLines=9", "one\ntwo\nthree\n"],
    ["limitBytes=5", "one\nt"],
    ["tailLines=1&timestamps=true", "2026-01-01T00:00:00.000000000Z three\n"],
    ["sinceSeconds=10", ""],
    ["sinceSeconds=100", "one\ntwo\nthree\n"],
    ["sinceTime=2026-01-01T00:00:01Z", ""],
  ];
  it.each(answers)("answers ?%s", (query, text) => {
    expect(read(runWith(running), query)).toBe(text);
  });

  it("ends each line, also the last one", () => {
    expect(read(runWith(running), "", "one")).toBe("one\n");
    expect(read(runWith(running), "", "")).toBe("");
  });

  it("is that of the run before with previous, and while the container waits for its restart", () => {
    const waiting: ContainerState = { is: "waiting", reason: "CrashLoopBackOff", sinceMs: startMs };
    expect(read(runWith(waiting, exit), "tailLines=1")).toBe("three\n");
    expect(read(runWith(running, exit), "previous=true&tailLines=1")).toBe("three\n");
    expect(() => read(runWith(running), "previous=true")).toThrow(
      'previous terminated container "main" in pod "p" not found',
    );
  });

  const waits: readonly (readonly [reason: string, why: string])[] = [
    ["ContainerCreating", "ContainerCreating"],
    ["ImagePullBackOff", "trying and failing to pull image"],
    ["ErrImagePull", "trying and failing to pull image"],
  ];
  it.each(waits)("is not there in %s", (reason, why) => {
    const run = runWith({ is: "waiting", reason, sinceMs: startMs });
    expect(() => read(run, "")).toThrow(`container "main" in pod "p" is waiting to start: ${why}`);
  });

  it("refuses numbers that make no sense", () => {
    expect(() => read(runWith(running), "tailLines=-1")).toThrow(
      'PodLogOptions "" is invalid: tailLines: Invalid value: "-1": must be greater than or equal to 0',
    );
    expect(() => read(runWith(running), "limitBytes=0")).toThrow(
      'PodLogOptions "" is invalid: limitBytes: Invalid value: "0": must be greater than 0',
    );
  });

  it("goes on while the container runs", () => {
    expect(isGoingOn(runWith(running), "main")).toBe(true);
    expect(isGoingOn(runWith({ is: "terminated", ...exit }), "main")).toBe(false);
    expect(isGoingOn({ ...runWith(running), stopped: true }, "main")).toBe(false);
  });
});

describe("chooseContainer", () => {
  it("takes the only container, or the one that is named", () => {
    expect(chooseContainer(pod("main"), { container: "" })).toBe("main");
    expect(chooseContainer(pod("main", "side"), { container: "side" })).toBe("side");
    expect(chooseContainer(pod("main"), { container: "init" })).toBe("init");
  });

  it("asks for a name, and refuses unknown ones", () => {
    expect(() => chooseContainer(pod("main", "side"), { container: "" })).toThrow(
      "a container name must be specified for pod p, choose one of: [main side] or one of the init containers: [init]",
    );
    expect(() => chooseContainer(pod("main"), { container: "other" })).toThrow(
      "container other is not valid for pod p",
    );
  });
});
