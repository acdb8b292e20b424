import { describe, expect, it } from "@jest/globals";
import { findPodTrouble, findStuckContainer, type Trouble } from "./pod-trouble.ts";
import { remedies } from "./remedies.ts";

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

const rows: readonly (readonly [name: string, status: Status, trouble: Pick<Trouble, "text" | "log"> | undefined])[] = [
  ["no status", {}, undefined],
  ["starting", { containerStatuses: [waiting("ContainerCreating")] }, undefined],
  ["a first failure to pull", { containerStatuses: [waiting("ErrImagePull")] }, undefined],
  [
    "an image that cannot be pulled",
    { containerStatuses: [{ name: "ok", state: { running: {} } }, waiting("ImagePullBackOff")] },
    { text: "container main: ImagePullBackOff" },
  ],
  [
    "an image name that is none",
    { containerStatuses: [waiting("InvalidImageName")] },
    { text: "container main: InvalidImageName" },
  ],
  ["a single crash", { phase: "Running", containerStatuses: [ended("main", 1)] }, undefined],
  [
    "a crash loop",
    { containerStatuses: [waiting("CrashLoopBackOff", crashed)] },
    { text: "container main: CrashLoopBackOff, exited with 3 (Error)", log: { container: "main", previous: true } },
  ],
  [
    "a crash loop of an init container",
    { initContainerStatuses: [waiting("CrashLoopBackOff", crashed)], containerStatuses: [waiting("PodInitializing")] },
    { text: "container main: CrashLoopBackOff, exited with 3 (Error)", log: { container: "main", previous: true } },
  ],
  [
    "failed",
    { phase: "Failed", containerStatuses: [ended("ok", 0), ended("bad", 2)] },
    { text: "has failed, container bad exited with 2 (Error)", log: { container: "bad", previous: false } },
  ],
  ["evicted", { phase: "Failed", reason: "Evicted" }, { text: "has failed (Evicted)" }],
];

describe("findPodTrouble", () => {
  it.each(rows)("%s", (_name, status, trouble) => {
    const { remedy, ...found } = findPodTrouble(pod(status)) ?? {};
    expect(found).toEqual(trouble ?? {});
    expect(remedy === undefined).toBe(trouble === undefined);
  });

  it("names the image of the manifest, which is masked later, and tells a lack of memory from a crash", () => {
    const spec = {
      initContainers: [{ name: "other", image: "x" }],
      containers: [{ name: "main", image: "registry.example/app:9" }],
    };
    const pulling = { ...pod({ containerStatuses: [waiting("ImagePullBackOff")] }), spec };
    expect(findPodTrouble(pulling)).toEqual({
      text: "container main: ImagePullBackOff",
      said: "image registry.example/app:9",
      remedy: remedies.image,
    });
    const lastState = { terminated: { exitCode: 137, reason: "OOMKilled" } };
    const hungry = pod({ containerStatuses: [waiting("CrashLoopBackOff", { lastState })] });
    expect(findPodTrouble(hungry)?.remedy).toBe(remedies.memory);
  });

  it("leaves crashes to whoever counts them", () => {
    const crashing = pod({ containerStatuses: [waiting("CrashLoopBackOff", crashed)] });
    expect(findStuckContainer(crashing, { ignoreCrashes: true })).toBe(undefined);
    expect(
      findStuckContainer(pod({ containerStatuses: [waiting("ImagePullBackOff")] }), { ignoreCrashes: true }),
    ).toEqual({
      text: "container main: ImagePullBackOff",
      remedy: remedies.image,
    });
  });
});
