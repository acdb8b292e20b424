import { describe, expect, it } from "@jest/globals";
import { annotations, finalizer, type Installation } from "@landscaper/api";
import { buildMetadataPatch, isTriggered, lacksMetadata, withDefaultContext } from "./metadata-patch.ts";
import { installationOf, type InstallationState } from "../../test/installations.ts";

function installation(finalizers: string[], state: Partial<InstallationState> = {}): Installation {
  const found = installationOf({ name: "root", ...state });
  return { ...found, metadata: { ...found.metadata, finalizers } };
}
const complete = installation([finalizer], { spec: { context: "mine" } });
const trigger = { [annotations.operation]: "reconcile" };

describe("the metadata of an Installation", () => {
  it.each([
    ["complete", complete, false],
    ["without finalizer", installation([], { spec: { context: "mine" } }), true],
    ["without context", installation([finalizer]), true],
    ["being deleted", installation([], { isDeleting: true }), false],
  ])("is lacking or not: %s", (_name, object, want) => expect(lacksMetadata(object)).toBe(want));

  it("gets everything that it lacks in one guarded patch", () => {
    expect(buildMetadataPatch(installation(["other"], { annotations: trigger }), true)).toEqual({
      metadata: {
        resourceVersion: "1",
        finalizers: ["other", finalizer],
        annotations: { [annotations.operation]: null },
      },
      spec: { context: "default" },
    });
  });

  it("loses the reason of the trigger with the trigger", () => {
    const retry = { ...trigger, [annotations.reconcileReason]: "retry" };
    const found = installation([finalizer], { annotations: retry, spec: { context: "mine" } });
    expect(buildMetadataPatch(found, true)).toEqual({
      metadata: {
        resourceVersion: "1",
        annotations: { [annotations.operation]: null, [annotations.reconcileReason]: null },
      },
    });
  });

  it("gets nothing new while it is being deleted", () => {
    const found = installation(["other"], { isDeleting: true, annotations: trigger });
    expect(buildMetadataPatch(found, true)).toEqual({
      metadata: { resourceVersion: "1", annotations: { [annotations.operation]: null } },
    });
  });

  it("makes a generation of its own with the default context", () => {
    expect(withDefaultContext(complete)).toBe(complete);
    const found = withDefaultContext(installation([], { generation: 4 }));
    expect([found.spec.context, found.metadata.generation]).toEqual(["default", 5]);
  });

  it("says whether a trigger waits", () => {
    expect(isTriggered(complete)).toBe(false);
    expect(isTriggered(installation([], { annotations: trigger }))).toBe(true);
    expect(isTriggered(installation([], { annotations: { [annotations.operation]: "interrupt" } }))).toBe(false);
  });
});
