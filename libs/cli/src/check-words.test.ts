import { describe, expect, it } from "@jest/globals";
import { findRefusal } from "./check-words.ts";

describe("findRefusal", () => {
  it.each<readonly [words: string, refusal: string | undefined]>([
    ["tree", undefined],
    ["--help", undefined],
    ["--version", undefined],
    ["install COMPONENT --target cluster=a.yaml --target other=b.yaml", undefined],
    ["helm template NAME chart --no-such-flag", undefined],
    ["install a --no-such-flag", "error: unknown option '--no-such-flag'"],
    ["tree a b", expect.stringContaining("error: too many arguments") as unknown as string],
    ["wy", "error: unknown command 'wy'"],
    ["component nothing", "error: unknown command 'nothing'"],
  ])("parses %j", (words, refusal) => {
    expect(findRefusal(words.split(" "))).toEqual(refusal);
  });
});
