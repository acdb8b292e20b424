import { describe, expect, it } from "@jest/globals";
import type { ContainerPodStatus } from "@landscaper/api";
import { crashing, podOf, pulling, running } from "../../../test/observed-runs.ts";
import { observeStart, type FailingSince } from "./failing-start.ts";

const pod = podOf({ main: pulling });
const known: FailingSince = { uid: "u", container: "main", sinceMs: 1000 };
const recordedOf = (seconds: number, more: Partial<ContainerPodStatus> = {}): ContainerPodStatus => ({
  podName: "p0",
  podUID: "u",
  failing: { container: "main", seconds },
  ...more,
});

describe("the time that a container fails to start", () => {
  it.each<readonly [string, Partial<Parameters<typeof observeStart>[1]>, number]>([
    ["begins with the first observation", {}, 0],
    ["continues", { known }, 9000],
    ["continues from the status that an earlier process has written", { recorded: recordedOf(30) }, 30_000],
    ["is taken from the process if the status has it, too", { known, recorded: recordedOf(30) }, 9000],
    ["restarts for another Pod", { known: { ...known, uid: "v" } }, 0],
    ["restarts for another container", { known: { ...known, container: "init" } }, 0],
    ["restarts if the status is about another Pod", { recorded: recordedOf(30, { podUID: "v" }) }, 0],
    ["is not negative even if the status says so", { recorded: recordedOf(-30) }, 0],
  ])("%s", (_title, knowledge, failingMs) => {
    const observed = observeStart(pod, { known: undefined, recorded: undefined, elapsedMs: 10_000, ...knowledge });
    expect(observed.failing?.failingMs).toBe(failingMs);
    expect(observed.since).toMatchObject({ uid: "u", container: "main" });
  });

  it.each([
    [
      "is kept while the container waits for something else",
      podOf({ main: { waiting: { reason: "PodInitializing" } } }),
      true,
    ],
    ["is kept while it backs off", podOf({ main: crashing }), true],
    ["is forgotten when it runs", podOf({ main: running }), false],
  ])("%s", (_title, other, isKept) => {
    const observed = observeStart(other, { known, recorded: undefined, elapsedMs: 10_000 });
    expect(observed).toEqual({ failing: undefined, since: isKept ? known : undefined });
  });
});
