import { describe, expect, it } from "@jest/globals";
import { encodeExports } from "./encode-exports.ts";

/** JSON of so many bytes: two for each letter, eight beside them. */
const exportsOf = (bytes: number) => ({ a: "é".repeat((bytes - 8) / 2) });

describe("exported values", () => {
  it("are base64 of their JSON, up to what a Secret holds", () => {
    const exports = exportsOf(1_048_576);
    expect(JSON.parse(Buffer.from(encodeExports(exports), "base64").toString("utf8"))).toEqual(exports);
  });

  it("that no Secret holds end the job with their size", () => {
    const encode = (): string => encodeExports(exportsOf(1_048_578));
    expect(encode).toThrow(
      new Error("exports: they are 1048578 bytes of JSON, expected at most 1048576: they are kept in a Secret"),
    );
    expect(encode).toThrow(expect.objectContaining({ reason: "ObjectTooLarge", retry: "never" }));
  });
});
