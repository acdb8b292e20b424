import { describe, expect, it } from "@jest/globals";
import { warningHeaders } from "./warning-headers.ts";

// As recorded from a real kube-apiserver, which writes other characters in UTF-8.
describe("warningHeaders", () => {
  it("quotes each text once", () => {
    expect(warningHeaders(["a", 'quote"\\', "a", "ü"])).toEqual([
      '299 - "a"',
      String.raw`299 - "quote\"\\"`,
      '299 - "?"',
    ]);
  });

  it("leaves out empty texts and texts with control characters", () => {
    expect(warningHeaders(["", "line\nbreak", "ctl\u0001", "tab\t", "a"])).toEqual(['299 - "a"']);
  });

  it("keeps long texts that fit together", () => {
    const text = "x".repeat(4096);
    expect(warningHeaders([text])).toEqual([`299 - "${text}"`]);
  });

  it("cuts the texts if they do not fit together", () => {
    expect(warningHeaders(["a", "x".repeat(5000)])).toEqual(['299 - "a"', `299 - "${"x".repeat(256)}"`]);
  });

  it("leaves out the texts after the limit", () => {
    const texts = Array.from({ length: 40 }, (_, i) => `${i} ${"y".repeat(200)}`);
    expect(warningHeaders(texts)).toEqual(texts.slice(0, 21).map((text) => `299 - "${text}"`));
  });
});
