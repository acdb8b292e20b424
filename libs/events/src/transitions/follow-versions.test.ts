import { expect, it } from "@jest/globals";
import type { KubeObject } from "@landscaper/api";
import { reduceObject } from "./follow-versions.ts";

it("keeps of an object only what events are made from", () => {
  const object: KubeObject & { status: object; spec: object } = {
    apiVersion: "v1",
    kind: "Installation",
    metadata: { name: "a", namespace: "n", uid: "u", resourceVersion: "1", annotations: { x: "y" } },
    spec: { imports: "secret" },
    status: { phase: "Failed", jobID: "j", conditions: [], lastError: { reason: "R", message: "m".repeat(5_000) } },
  };
  const message: unknown = expect.stringMatching(/^m+ \[\.\.\. \d+ characters cut\] m+$/);
  const reduced = reduceObject(object);
  expect(JSON.stringify(reduced).length).toBeLessThan(1_400);
  expect(reduced).toEqual({
    apiVersion: "v1",
    kind: "Installation",
    metadata: { name: "a", namespace: "n", uid: "u", resourceVersion: "1" },
    status: { phase: "Failed", jobID: "j", jobIDFinished: "", lastError: { reason: "R", message } },
  });
});
