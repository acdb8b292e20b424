import { describe, expect, it } from "@jest/globals";
import type { ContainerState, Pod } from "@landscaper/api";
import { statuses } from "../../../test/played-pods.ts";
import { newsAfterMs, reportAfterMs, summarizePod } from "./report-pace.ts";

const running: ContainerState = { running: { startedAt: "2026-01-01T00:00:00Z" } };
const ended: ContainerState = { terminated: { exitCode: 0, reason: "Completed" } };
const waits = (reason: string): ContainerState => ({ waiting: { reason } });

interface PodOptions {
  readonly uid?: string;
  readonly phase?: string;
  readonly isDeleting?: boolean;
  readonly status?: Pod["status"];
}

function podOf({ uid = "u", phase = "Pending", isDeleting = false, status = {} }: PodOptions = {}): Pod {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", uid, ...(isDeleting ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {}) },
    spec: {},
    status: { phase, ...status },
  };
}

const reported = { uid: "u", summary: summarizePod(podOf()), waitingFor: "it", atMs: 10_000 };
const starting = statuses({ init: ended, main: waits("PodInitializing"), wait: running });

describe("a Pod of which something was reported", () => {
  it.each<[string, PodOptions, (number | undefined)[]]>([
    ["is the same", {}, [undefined, undefined]],
    ["has got a node", { status: { conditions: [{ type: "PodScheduled", status: "True" }] } }, [9000, undefined]],
    ["has containers that start", { status: starting }, [9000, undefined]],
    [
      "runs its program",
      { phase: "Running", status: statuses({ init: ended, main: running, wait: running }) },
      [2000, 2000],
    ],
    ["saves", { phase: "Running", status: statuses({ init: ended, main: ended, wait: running }) }, [9000, undefined]],
    ["has succeeded", { phase: "Succeeded", status: statuses({ init: ended, main: ended, wait: ended }) }, [0, 0]],
    ["has failed", { phase: "Failed" }, [0, 0]],
    ["is deleted", { isDeleting: true }, [0, 0]],
    ["gets no image", { status: statuses({ init: waits("ErrImagePull"), main: waits(""), wait: waits("") }) }, [0, 0]],
    [
      "gets no image for long",
      { status: statuses({ init: ended, main: waits("ImagePullBackOff"), wait: running }) },
      [0, 0],
    ],
    ["is another one of its name", { uid: "other" }, [0, 0]],
  ])("is reported, and looked at, in time when it %s", (_title, pod, [reportMs, newsMs]) => {
    expect(reportAfterMs(podOf(pod), reported, 11_000)).toBe(reportMs);
    expect(newsAfterMs(podOf(pod), reported, 11_000)).toBe(newsMs);
  });

  it("is reported at once when the last report is old", () => {
    const pod = podOf({ status: starting });
    expect([19_999, 20_000, 60_000].map((now) => reportAfterMs(pod, reported, now))).toEqual([1, 0, 0]);
  });
});

it("a Pod of which nothing was reported yet is looked at at once", () => {
  expect(reportAfterMs(podOf(), undefined, 11_000)).toBe(0);
  expect(newsAfterMs(podOf(), undefined, 11_000)).toBe(0);
});
