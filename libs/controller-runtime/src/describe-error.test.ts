import { LandscaperError } from "@landscaper/api";
import { describe, expect, it } from "@jest/globals";
import { ApiError } from "./client/api-error.ts";
import { describeError, explainError } from "./describe-error.ts";

describe("describeError", () => {
  it("tells what the API server has refused, not with which body", () => {
    const error = new ApiError(
      { method: "PUT", path: "/api/v1/x" },
      { status: 422, statusObject: { reason: "Invalid", message: "x is invalid", details: { causes: [] } } },
    );
    expect(describeError(error)).toEqual({
      type: "ApiError",
      message: "PUT /api/v1/x: 422 x is invalid",
      status: 422,
      reason: "Invalid",
    });
  });

  it("tells code and reason of ours, without a stack", () => {
    const error = new LandscaperError({ message: "m", reason: "R", codes: ["ERR_TIMEOUT"] });
    expect(describeError(error)).toEqual({ type: "LandscaperError", message: "m", code: "ERR_TIMEOUT", reason: "R" });
  });

  it("leaves out all other members of an error", () => {
    const error = Object.assign(new LandscaperError({ message: "m", reason: "R" }), {
      body: "hunter2",
      values: ["hunter2"],
    });
    expect(JSON.stringify(describeError(error))).not.toContain("hunter2");
  });

  it.each([new TypeError("x"), new Error("x"), new RangeError("x")])("shows the stack of %p", (error) => {
    expect(describeError(error)).toEqual({ type: error.name, message: "x", stack: error.stack });
  });

  it.each([
    ["a text", "string", "a text"],
    [undefined, "undefined", "unknown failure"],
    [{ code: "ENOENT" }, "object", "ENOENT"],
  ])("copes with %p, which is no error", (thrown, type, message) => {
    expect(describeError(thrown)).toMatchObject({ type, message });
  });

  it("describes a failure of the file system in the words of Landscaper, with only the places of its stack", () => {
    const fields = { code: "EACCES", syscall: "open", path: "/data/a.yaml" };
    const error = Object.assign(new Error("EACCES: permission denied, open '/data/a.yaml'"), fields);
    const { stack, ...others } = describeError(error);
    expect(others).toEqual({ type: "Error", code: "EACCES", message: "cannot open /data/a.yaml: permission denied" });
    expect(stack).toMatch(/^\s+at /);
  });
});

describe("explainError", () => {
  it.each<[string, unknown, string]>([
    ["a mistake", new LandscaperError({ message: "m", reason: "R" }), "m"],
    [
      "a refusal",
      new ApiError({ method: "GET", path: "/x" }, { status: 403, statusObject: { message: "forbidden" } }),
      "GET /x: 403 forbidden",
    ],
    ["a fault", new TypeError("hunter2 is not a function"), "internal error: TypeError"],
    ["a text", "hunter2", "internal error: string"],
  ])("of %s", (_what, error, text) => {
    expect(explainError(error)).toBe(text);
  });
});
