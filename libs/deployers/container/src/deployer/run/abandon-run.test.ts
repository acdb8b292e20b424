import { describe, expect, it } from "@jest/globals";
import type { ContainerState, DeployItem, Pod } from "@landscaper/api";
import { abandonedConditions, isRunLeft } from "./abandon-run.ts";

const problem = 'the job was ended from outside at: "work"';
const running: ContainerState = { running: { startedAt: "2026-01-01T00:00:00Z" } };
const ended: ContainerState = { terminated: { exitCode: 0, reason: "Completed" } };

function podOf(states: Readonly<Record<string, ContainerState>>, phase = "Running"): Pod {
  const statuses = (names: readonly string[]) =>
    names.flatMap((name) =>
      states[name] === undefined
        ? []
        : [{ name, state: states[name], ready: false, restartCount: 0, image: "i", imageID: "" }],
    );
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p" },
    spec: { terminationGracePeriodSeconds: 300 },
    status: { phase, initContainerStatuses: statuses(["init", "wait"]), containerStatuses: statuses(["main"]) },
  };
}

const shown = (pod: Pod | undefined, before: Parameters<typeof abandonedConditions>[1]["before"] = []) =>
  abandonedConditions(pod, { problem, before }).map(
    ({ type, status, reason, message }) => `${type} ${status} ${reason}: ${message}`,
  );

describe("the conditions of an item whose job has ended without its program", () => {
  it.each<[string, Pod, string, string, string]>([
    [
      "runs",
      podOf({ init: ended, main: running, wait: running }),
      "InitContainer True ContainerSucceeded: container init has done its work",
      `WaitContainer Unknown JobEnded: container wait of Pod p; ${problem}`,
      `ProgramRun False JobEnded: Pod p is being deleted: its program has 300 s to end, and its state is saved; ${problem}`,
    ],
    [
      "has not started",
      podOf({}, "Pending"),
      `InitContainer Unknown JobEnded: container init of Pod p; ${problem}`,
      `WaitContainer Unknown JobEnded: container wait of Pod p; ${problem}`,
      `ProgramRun False JobEnded: Pod p is being deleted: its program has not started; ${problem}`,
    ],
    [
      "has ended, and is being saved",
      podOf({ init: ended, main: ended, wait: running }),
      "InitContainer True ContainerSucceeded: container init has done its work",
      `WaitContainer Unknown JobEnded: container wait of Pod p; ${problem}`,
      `ProgramRun False JobEnded: Pod p is being deleted: its program has ended, and its state is saved; ${problem}`,
    ],
    [
      "has just succeeded",
      podOf({ init: ended, main: ended, wait: ended }, "Succeeded"),
      "InitContainer True ContainerSucceeded: container init has done its work",
      "WaitContainer True ContainerSucceeded: container wait has done its work",
      "ProgramRun True Succeeded: Pod p has succeeded",
    ],
  ])("say so when it %s", (_title, pod, ...expected) => {
    expect(shown(pod)).toEqual(expected);
  });

  it("say that there is no Pod where the program was to start", () => {
    const times = { lastTransitionTime: "2026-01-01T00:00:00Z", lastUpdateTime: "2026-01-01T00:00:00Z" };
    const before = { type: "ProgramRun", status: "Progressing" as const, reason: "Starting", message: "", ...times };
    expect(shown(undefined, [before])).toEqual([`ProgramRun False Failed: the program has no Pod; ${problem}`]);
    expect(shown(undefined, [{ ...before, status: "True" }])).toEqual([]);
  });
});

describe("a job has left its run", () => {
  const times = { lastTransitionTime: "2026-01-01T00:00:00Z", lastUpdateTime: "2026-01-01T00:00:00Z" };
  const itemOf = (status: string | undefined, runID = "job"): DeployItem => ({
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "DeployItem",
    metadata: { name: "item", namespace: "n" },
    spec: { type: "landscaper.gardener.cloud/container" },
    status: {
      observedGeneration: 1,
      jobID: "job",
      ...(status === undefined
        ? {}
        : { conditions: [{ type: "ProgramRun", status, reason: "Running", message: "", ...times }] }),
      providerStatus: {
        apiVersion: "container.deployer.landscaper.gardener.cloud/v1alpha1",
        kind: "ProviderStatus",
        podStatus: { podName: "p", runID, lastRun: "2026-01-01T00:00:00Z" },
      },
    },
  });

  it.each([
    ["that goes on by what is said of it", itemOf("Progressing"), true],
    ["of which the end was said", itemOf("False"), false],
    ["of which nothing was said", itemOf(undefined), false],
    ["that is a repetition", itemOf("Progressing", "repetition"), false],
  ])("%s", (_title, item, expected) => {
    expect(isRunLeft(item)).toBe(expected);
  });
});
