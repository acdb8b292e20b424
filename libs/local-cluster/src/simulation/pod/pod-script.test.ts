import { describe, expect, it } from "@jest/globals";
import { simulationPrefix } from "../simulation-options.ts";
import { parsePodScript } from "./pod-script.ts";

const script = (annotations: Readonly<Record<string, string>>, containers?: readonly string[]) =>
  parsePodScript(
    Object.fromEntries(Object.entries(annotations).map(([key, value]) => [`${simulationPrefix}${key}`, value])),
    containers,
  );

describe("parsePodScript", () => {
  it("leaves everything to the defaults without annotations", () => {
    const { container, ...pod } = script({});
    expect(pod).toEqual({
      unschedulable: undefined,
      startDelayMs: undefined,
      readyDelayMs: undefined,
      neverReady: false,
      stopDelayMs: undefined,
    });
    expect(container("main")).toEqual({
      pullFailure: undefined,
      runMs: undefined,
      exitCode: undefined,
      exitTimes: undefined,
      exitMessage: undefined,
      log: "",
      problem: undefined,
    });
  });

  it("reads what the pod does", () => {
    const { container: _container, ...pod } = script({
      unschedulable: "no room",
      "start-delay": "1.5s",
      "ready-delay": "2m",
      "never-ready": "true",
      "stop-delay": "0",
    });
    expect(pod).toEqual({
      unschedulable: "no room",
      startDelayMs: 1500,
      readyDelayMs: 120_000,
      neverReady: true,
      stopDelayMs: 0,
    });
  });

  it("reads what a container does, for one container before all", () => {
    const { container } = script({
      "exit-code": "1",
      "exit-code.init": "0",
      "exit-times": "2",
      "exit-message": "no luck",
      "run-duration": "10ms",
      "image-pull-failure.init": "denied",
      log: "all\n",
    });
    expect([container("init").exitCode, container("main").exitCode]).toEqual([0, 1]);
    expect(container("init").pullFailure).toBe("denied");
    expect(container("main")).toEqual({
      pullFailure: undefined,
      runMs: 10,
      exitCode: 1,
      exitTimes: 2,
      exitMessage: "no luck",
      log: "all\n",
      problem: undefined,
    });
  });

  it("takes false for no", () => {
    const { unschedulable, container } = script({ unschedulable: "false", "image-pull-failure": "false" });
    expect([unschedulable, container("main").pullFailure]).toEqual([undefined, undefined]);
  });

  const bad: readonly (readonly [annotation: string, value: string, expected: string])[] = [
    ["start-delay", "soon", 'a duration such as "500ms"'],
    ["ready-delay", "-1s", 'a duration such as "500ms"'],
    ["run-duration.main", "2 days", 'a duration such as "500ms"'],
    ["exit-code", "256", "a whole number from 0 to 255"],
    ["exit-code", "1.5", "a whole number from 0 to 255"],
    ["exit-times", "-1", "a whole number"],
    ["never-ready", "yes", '"true" or "false"'],
  ];
  it.each(bad)("names %s: %s as a problem", (annotation, value, expected) => {
    const { problem } = script({ [annotation]: value }).container("main");
    expect(problem).toBe(`annotation ${simulationPrefix}${annotation}: expected ${expected}, found "${value}"`);
  });

  it.each<readonly [annotation: string, problem: string]>([
    ["never-redy", 'expected a known annotation, found "never-redy". Use never-ready'],
    ["exit-cod.main", 'expected a known annotation, found "exit-cod". Use exit-code.main'],
    ["exit-code.mian", 'expected a container of the pod, found "mian". Use exit-code.main'],
    ["exit-code.nope", 'expected a container of the pod, found "nope". Use one of init, main'],
    ["exit-code.", 'expected a container of the pod, found "". Use one of init, main'],
    ["never-ready.main", 'expected an annotation of the whole pod, found one of container "main". Use never-ready'],
    [
      "speed",
      'expected a known annotation, found "speed". Use one of start-delay, ready-delay, stop-delay, never-ready, unschedulable, image-pull-failure, run-duration, exit-code, exit-times, exit-message, log',
    ],
  ])("rejects the annotation %s", (annotation, problem) => {
    const { container } = script({ [annotation]: "true" }, ["init", "main"]);
    expect(container("main").problem).toBe(`annotation ${simulationPrefix}${annotation}: ${problem}`);
  });

  it("ignores annotations with other prefixes", () => {
    expect(parsePodScript({ "example.com/never-redy": "true" }, ["main"]).container("main").problem).toBeUndefined();
  });
});
