import { describe, expect, it } from "@jest/globals";
import type { Pod } from "@landscaper/api";
import { recordedGate } from "../../contract/labels.ts";
import { imageOf, observePod, ungating } from "./pod-state.ts";

const podOf = (spec: Record<string, unknown>): Pod => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p", uid: "u" },
  spec,
});

describe("the patch that removes the gate", () => {
  it("leaves the gates of other controllers, and fails if the Pod or its gates have changed", () => {
    const pod = podOf({ schedulingGates: [{ name: "kueue.x-k8s.io/admission" }, { name: recordedGate }] });
    expect(ungating(observePod(pod))).toEqual([
      { op: "test", path: "/metadata/uid", value: "u" },
      { op: "test", path: "/spec/schedulingGates/1/name", value: recordedGate },
      { op: "remove", path: "/spec/schedulingGates/1" },
    ]);
  });
});

describe("the image of a container", () => {
  it.each([
    ["init", "i"],
    ["main", "m"],
    ["other", ""],
  ])("%s is %p", (container, image) => {
    const pod = podOf({ initContainers: [{ name: "init", image: "i" }], containers: [{ name: "main", image: "m" }] });
    expect(imageOf(pod, container)).toBe(image);
  });
});
