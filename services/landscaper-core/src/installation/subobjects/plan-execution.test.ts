import { describe, expect, it } from "@jest/globals";
import {
  annotations,
  apiVersion,
  encodeDeployItems,
  finalizer,
  inheritedAnnotations,
  type DeployItemTemplate,
  type Execution,
} from "@landscaper/api";
import { findRenderedItems, planExecution, renderingMark } from "./plan-execution.ts";
import { installationOf } from "../../../test/installations.ts";

const installation = installationOf({ name: "root", spec: { context: "default" }, status: { jobID: "job" } });
const mark = renderingMark(installation, "hash");

function item(name: string): DeployItemTemplate {
  return { name, type: "test", config: { apiVersion: "v1", kind: "Test" } };
}

function execution(items: readonly DeployItemTemplate[], fields: Partial<Execution["spec"]> = {}): Execution {
  return {
    apiVersion,
    kind: "Execution",
    metadata: { name: "root", namespace: "ns", uid: "e", annotations: { mine: "x", [annotations.renderedBy]: "old" } },
    spec: { context: "default", deployItemsCompressed: encodeDeployItems(items), ...fields },
    status: { phase: "Succeeded" },
  };
}

describe("the Execution (core.md §1.3 no. 60, §4.30)", () => {
  it("is created compressed, owned, with finalizer and the marks of the original and of this job", () => {
    expect(planExecution({ installation, deployItems: [item("a")], mark, existing: undefined })).toEqual({
      kind: "create",
      execution: {
        apiVersion,
        kind: "Execution",
        metadata: {
          name: "root",
          namespace: "ns",
          annotations: { [annotations.operation]: "reconcile", [annotations.renderedBy]: "job/1/hash" },
          finalizers: [finalizer],
          ownerReferences: [
            { apiVersion, kind: "Installation", name: "root", uid: "root", controller: true, blockOwnerDeletion: true },
          ],
        },
        spec: { context: "default", deployItemsCompressed: encodeDeployItems([item("a")]) },
      },
    });
  });

  it.each(inheritedAnnotations)("takes %s over, and lets it go (core.md §1.3 no. 70)", (annotation) => {
    const own = { [annotation]: "true" };
    const caching = { ...installation, metadata: { ...installation.metadata, annotations: own } };
    const deployItems = [item("a")];
    const marked = planExecution({ installation: caching, deployItems, mark, existing: execution(deployItems) });
    if (marked.kind !== "update") throw new Error(`expected an update, found ${marked.kind}`);
    expect(marked.execution.metadata.annotations).toMatchObject({ ...own, mine: "x" });
    expect(planExecution({ installation: caching, deployItems, mark, existing: marked.execution }).kind).toBe("keep");
    const unmarked = planExecution({ installation, deployItems, mark, existing: marked.execution });
    if (unmarked.kind !== "update") throw new Error(`expected an update, found ${unmarked.kind}`);
    expect(unmarked.execution.metadata.annotations).not.toHaveProperty([annotation]);
  });

  it("is not there without items", () => {
    expect(planExecution({ installation, deployItems: [], mark, existing: undefined })).toEqual({ kind: "keep" });
  });

  it("goes with the last item (core.md §4.10 fixed)", () => {
    const existing = execution([item("a")]);
    expect(planExecution({ installation, deployItems: [], mark, existing })).toEqual({
      kind: "delete",
      execution: existing,
    });
  });

  it("is written again when any other field of its spec differs, also one that a later version adds", () => {
    const existing = execution([item("a")], { added: "x" } as object);
    const plan = planExecution({ installation, deployItems: [item("a")], mark, existing });
    expect(plan).toMatchObject({ kind: "update", execution: { spec: execution([item("a")]).spec } });
  });

  it("stays untouched with the same items, in either form and key order", () => {
    const reordered = { config: { kind: "Test", apiVersion: "v1" }, type: "test", name: "a" };
    const plain = execution([], { deployItems: [item("a")] });
    delete plain.spec.deployItemsCompressed;
    for (const existing of [execution([item("a")]), execution([reordered]), plain]) {
      expect(planExecution({ installation, deployItems: [item("a")], mark, existing })).toEqual({ kind: "keep" });
    }
  });

  it("is updated with other items; its status and foreign annotations stay", () => {
    const plan = planExecution({ installation, deployItems: [item("b")], mark, existing: execution([item("a")]) });
    expect(plan).toEqual({
      kind: "update",
      execution: {
        ...execution([item("b")]),
        metadata: {
          ...execution([]).metadata,
          annotations: { mine: "x", [annotations.operation]: "reconcile", [annotations.renderedBy]: "job/1/hash" },
        },
      },
    });
  });

  it("is updated when something else of the same items derives from secrets", () => {
    const existing = execution([item("a")]);
    const deployItems = [item("a")];
    const marked = { [annotations.sensitiveConfig]: '{"a":["/x"]}' };
    existing.metadata.annotations = { ...existing.metadata.annotations, ...marked };
    expect(planExecution({ installation, deployItems, mark, existing, sensitive: '{"a":["/x"]}' })).toEqual({
      kind: "keep",
    });
    const plan = planExecution({ installation, deployItems, mark, existing });
    expect(plan.kind === "update" && plan.execution.metadata.annotations).not.toHaveProperty(
      annotations.sensitiveConfig,
    );
  });

  it("is updated with another context", () => {
    const plan = planExecution({
      installation,
      deployItems: [item("a")],
      mark,
      existing: execution([item("a")], { context: "x" }),
    });
    expect(plan).toMatchObject({ kind: "update", execution: { spec: { context: "default" } } });
  });
});

describe("a job that starts again after a crash (design.md §3.2)", () => {
  const written = execution([item("a")]);
  written.metadata.annotations = { [annotations.renderedBy]: mark };

  it("takes the items that it has written", () => {
    expect(findRenderedItems(written, mark)).toEqual({ items: [item("a")], sensitive: undefined });
  });

  it.each([
    ["another job", renderingMark({ ...installation, status: { jobID: "other" } }, "hash")],
    ["other imports", renderingMark(installation, "other")],
    ["another spec", renderingMark({ ...installation, metadata: { ...installation.metadata, generation: 2 } }, "hash")],
  ])("does not take those of %s", (_name, other) => {
    expect(findRenderedItems(written, other)).toBeUndefined();
  });

  it("renders when there is no Execution", () => {
    expect(findRenderedItems(undefined, mark)).toBeUndefined();
  });
});
