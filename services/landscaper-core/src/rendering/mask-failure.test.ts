import { describe, expect, it } from "@jest/globals";
import { LandscaperError } from "@landscaper/api";
import { maskFailure } from "./mask-failure.ts";

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
});
