import { describe, expect, it } from "@jest/globals";
import { LandscaperError } from "@landscaper/api";
import { maskFailure, withTexts } from "./mask-failure.ts";

describe("maskFailure", () => {
  it("masks values in message and hint, and keeps the rest", () => {
    const error = new LandscaperError({
      message: "bad: secret-1",
      reason: "R",
      hint: "not secret-1",
      operation: "o",
      retry: "never",
    });
    expect(maskFailure(error, [{ deep: ["secret-1"] }])).toMatchObject({
      message: "bad: [...]",
      hint: "not [...]",
      reason: "R",
      operation: "o",
      retry: "never",
    });
  });

  it("keeps the words of an error that is masked already, and its mark", () => {
    const error = new LandscaperError({ message: "plain: secret-1", reason: "R", isMasked: true });
    expect(maskFailure(error, ["secret-1"])).toBe(error);
    const { message, isMasked } = withTexts(error, { message: "other", hint: undefined });
    expect([message, isMasked]).toEqual(["other", true]);
  });
});
