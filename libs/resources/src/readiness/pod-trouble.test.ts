import { describe, expect, it } from "@jest/globals";
import { findPodTrouble, findStuckContainer, type PodTrouble } from "./pod-trouble.ts";

type Status = Readonly<Record<string, unknown>>;

function pod(status: Status): Parameters<typeof findPodTrouble>[0] {
  return { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, status };
}

const waiting = (reason: string, rest: object = {}): object => ({
  name: "main",
  state: { waiting: { reason, message: "sentinel text" } },
  ...rest,
});
const crashed = { lastState: { terminated: { exitCode: 3, reason: "Error" } } };
const ended = (name: string, exitCode: number): object => ({
  name,
  state: { terminated: { exitCode, reason: exitCode === 0 ? "Completed" : "Error" } },
});

const rows: readonly (readonly [name: string, status: Status, trouble: PodTrouble | undefined])[] = [
  ["no status", {}, undefined],
  ["starting", { containerStatuses: [waiting("ContainerCreating")] }, undefined],
  ["a first failure to pull", { containerStatuses: [waiting("ErrImagePull")] }, undefined],
  [
    "an image that cannot be pulled",
    { containerStatuses: [{ name: "ok", state: { running: {} } }, waiting("ImagePullBackOff")] },
    { message: "container main: ImagePullBackOff", log: undefined },
  ],
  [
    "an image name that is none",
    { containerStatuses: [waiting("InvalidImageName")] },
    { message: "container main: InvalidImageName", log: undefined },
  ],
  ["a single crash", { phase: "Running", containerStatuses: [ended("main", 1)] }, undefined],
  [
    "a crash loop",
    { containerStatuses: [waiting("CrashLoopBackOff", crashed)] },
    { message: "container main: CrashLoopBackOff, exited with 3 (Error)", log: { container: "main", previous: true } },
  ],
  [
    "a crash loop of an init container",
    { initContainerStatuses: [waiting("CrashLoopBackOff", crashed)], containerStatuses: [waiting("PodInitializing")] },
    { message: "container main: CrashLoopBackOff, exited with 3 (Error)", log: { container: "main", previous: true } },
  ],
  [
    "failed",
    { phase: "Failed", containerStatuses: [ended("ok", 0), ended("bad", 2)] },
    { message: "has failed, container bad exited with 2 (Error)", log: { container: "bad", previous: false } },
  ],
  ["evicted", { phase: "Failed", reason: "Evicted" }, { message: "has failed (Evicted)" }],
];

describe("findPodTrouble", () => {
  it.each(rows)("%s", (_name, status, trouble) => {
    expect(findPodTrouble(pod(status))).toEqual(trouble);
  });

  it("leaves crashes to whoever counts them", () => {
    const crashing = pod({ containerStatuses: [waiting("CrashLoopBackOff", crashed)] });
    expect(findStuckContainer(crashing, { ignoreCrashes: true })).toBe(undefined);
    expect(
      findStuckContainer(pod({ containerStatuses: [waiting("ImagePullBackOff")] }), { ignoreCrashes: true }),
    ).toEqual({
      message: "container main: ImagePullBackOff",
      log: undefined,
    });
  });
});
