import { describe, expect, it } from "@jest/globals";
import { annotations, LandscaperError, operations } from "@landscaper/api";
import { ApiError, ConnectionError } from "@landscaper/controller-runtime";
import { describeErrors, listDoneAnnotations, reportSync, withoutDoneAnnotations } from "./report-sync.ts";
import { storedTargetSync } from "../../test/target-syncs.ts";

const now = new Date("2026-06-01T12:00:00.5Z");
const error = (message: string) => new LandscaperError({ message, reason: "SourceClusterFailed" });
const request = { method: "PUT", path: "/x" };
const rotation = { at: new Date("2026-06-01T11:59:59Z"), secretVersion: "5" };

describe("the report of a try", () => {
  it("says which generation was worked on, and takes errors that are over away", () => {
    const targetSync = storedTargetSync({ status: { lastErrors: ["old"] } }, { generation: 3 });
    expect(reportSync(targetSync, { errors: [] }, now)).toEqual({
      observedGeneration: 3,
      lastUpdateTime: "2026-06-01T12:00:00Z",
      lastErrors: null,
    });
    expect(reportSync(targetSync, { errors: [error("new")], rotation }, now)).toEqual({
      observedGeneration: 3,
      lastUpdateTime: "2026-06-01T12:00:00Z",
      lastErrors: ["new"],
      lastTokenRotationTime: "2026-06-01T11:59:59Z",
    });
  });

  it("tells each error once, in order, and not those that the next try decides", () => {
    const conflict = new ApiError(request, { status: 409, statusObject: { reason: "Conflict", message: "changed" } });
    const away = new ConnectionError(request, { server: "https://x", problem: "refused", maybeSent: false });
    expect(describeErrors([error("b"), conflict, error("a"), away, error("b")])).toEqual([
      "PUT /x: no answer from https://x (refused)",
      "a",
      "b",
    ]);
  });

  it("is bounded", () => {
    const many = Array.from({ length: 30 }, (_, index) => error(`${index + 10}`));
    const texts = describeErrors(many);
    expect(texts).toHaveLength(21);
    expect(texts.at(-1)).toBe("... and 10 more");
    expect(describeErrors([error("x".repeat(5_000))]).map((text) => text.length)).toEqual([1_000]);
  });

  it("does not hide faults of ours", () => {
    expect(() => describeErrors([new TypeError("x")])).toThrow(new TypeError("x"));
  });
});

describe("annotations after a try", () => {
  const both = { [annotations.operation]: operations.reconcile, [annotations.rotateToken]: "true", other: "stays" };
  it.each<[annotations: Record<string, string>, hasRotated: boolean, done: readonly string[]]>([
    [{}, true, []],
    [both, true, [annotations.operation, annotations.rotateToken]],
    [both, false, [annotations.operation]],
    [{ [annotations.operation]: "interrupt" }, false, []],
  ])("%j, rotated: %s", (given, hasRotated, done) => {
    const targetSync = storedTargetSync({ annotations: given });
    const outcome = { errors: [error("x")], rotation: hasRotated ? rotation : undefined };
    expect(listDoneAnnotations(targetSync, outcome)).toEqual(done);
    const left = Object.keys(withoutDoneAnnotations(targetSync, outcome).metadata.annotations ?? {});
    expect(left).toEqual(Object.keys(given).filter((name) => !done.includes(name)));
  });
});
