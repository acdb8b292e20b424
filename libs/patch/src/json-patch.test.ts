import { describe, expect, it } from "@jest/globals";
import { applyJsonPatch } from "./json-patch.ts";
import { PatchError } from "./patch-error.ts";

function errorOf(run: () => unknown): PatchError {
  try {
    run();
  } catch (error) {
    if (error instanceof PatchError) {
      return error;
    }
  }
  throw new Error("expected a PatchError");
}

describe("applyJsonPatch", () => {
  it("refuses a patch that is no list with 400", () => {
    const error = errorOf(() => applyJsonPatch({}, { op: "add" }));
    expect([error.status, error.message]).toEqual([400, "error decoding patch: expected a list of operations"]);
  });

  it("refuses an operation that is no object with 400", () => {
    const error = errorOf(() => applyJsonPatch({}, ["add"]));
    expect([error.status, error.message]).toEqual([
      400,
      "error decoding patch: expected every operation to be an object",
    ]);
  });

  it("refuses more than 10,000 operations with 413", () => {
    const patch = Array.from({ length: 10_001 }, () => ({ op: "test", path: "/a", value: null }));
    const error = errorOf(() => applyJsonPatch({}, patch));
    expect([error.status, error.message]).toEqual([
      413,
      "The allowed maximum operations in a JSON patch is 10000, got 10001",
    ]);
  });

  // The text, the limit and the number are recorded from a real API server.
  it("refuses copies of copies that grow beyond 3 MiB", () => {
    const patch = Array.from({ length: 10_000 }, (_, i) => ({
      op: "copy",
      from: "/data",
      path: `/data/${i % 2 === 1 ? "x" : "y"}`,
    }));
    const error = errorOf(() => applyJsonPatch({ data: { a: "b".repeat(1000) } }, patch));
    expect([error.status, error.message]).toEqual([
      422,
      "Unable to complete the copy, the accumulated size increase of copy is 4217044, exceeding the limit 3145728",
    ]);
  });

  it("hides the details of a patch that does not apply from the status message, as the API server", () => {
    const error = errorOf(() => applyJsonPatch({ a: 1 }, [{ op: "test", path: "/a", value: 2 }]));
    expect(error.status).toBe(422);
    expect(error.message).toBe("testing value /a failed: test failed");
    expect(error.statusMessage).toBe("the server rejected our request due to an error in our request");
  });

  it("leaves the document alone when a later operation fails", () => {
    const document = { list: [1] };
    errorOf(() =>
      applyJsonPatch(document, [
        { op: "add", path: "/list/-", value: 2 },
        { op: "remove", path: "/q" },
      ]),
    );
    expect(document).toEqual({ list: [1] });
  });

  it("copies values instead of sharing them", () => {
    const value = { a: 1 };
    const result = applyJsonPatch({}, [
      { op: "add", path: "/x", value },
      { op: "copy", from: "/x", path: "/y" },
      { op: "replace", path: "/y/a", value: 2 },
    ]);
    expect([result, value]).toEqual([{ x: { a: 1 }, y: { a: 2 } }, { a: 1 }]);
  });

  it("does not reach the prototype of objects", () => {
    const error = errorOf(() => applyJsonPatch({}, [{ op: "add", path: "/__proto__/polluted", value: 1 }]));
    expect(error.message).toBe(
      'add operation does not apply: doc is missing path: "/__proto__/polluted": missing value',
    );
    expect(applyJsonPatch({}, [{ op: "add", path: "/__proto__", value: { polluted: 1 } }])).not.toHaveProperty(
      "polluted",
    );
    expect(errorOf(() => applyJsonPatch({}, [{ op: "remove", path: "/constructor" }])).status).toBe(422);
  });
});
