import { describe, expect, it } from "@jest/globals";
import { base32 } from "./base32.ts";

describe("base32", () => {
  // RFC 4648 §10, lower case and without padding.
  it.each([
    ["", ""],
    ["f", "my"],
    ["fo", "mzxq"],
    ["foo", "mzxw6"],
    ["foob", "mzxw6yq"],
    ["fooba", "mzxw6ytb"],
    ["foobar", "mzxw6ytboi"],
  ])("writes %p as %p", (text, want) => {
    expect(base32(Buffer.from(text))).toBe(want);
  });

  it("writes the 20 bytes of a SHA-1 sum as 32 characters", () => {
    expect(base32(Buffer.alloc(20, 0xff))).toBe("7".repeat(32));
    expect(base32(Buffer.alloc(20))).toBe("a".repeat(32));
  });
});
