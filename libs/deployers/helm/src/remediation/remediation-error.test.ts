import { expect, it } from "@jest/globals";
import { LandscaperError, redacted } from "@landscaper/api";
import { causeOf, maskAttempts } from "./remediation-error.ts";

const mask = async (text: string): Promise<string> => text.replaceAll("correct-horse", redacted);

it("what a record says of a failure is kept masked", async () => {
  const cause = {
    message: "post-install hook Job n/a has failed: password correct-horse is wrong",
    reason: "ReleaseFailed",
  };
  const attempts = { jobID: "1", inputs: "sha256:1", failed: 1, cause };
  expect(await maskAttempts(attempts, mask)).toEqual({
    ...attempts,
    cause: { ...cause, message: "post-install hook Job n/a has failed: password [...] is wrong" },
  });
  expect(await maskAttempts({ ...attempts, cause: undefined }, mask)).toEqual({ ...attempts, cause: undefined });
});

it("the cause of an attempt is masked before it is cut to the length that a status has", async () => {
  const text = `correct-horse${"x".repeat(4096 - "horse".length)}`;
  const { message } = await causeOf(new LandscaperError({ message: text, reason: "ReleaseFailed" }), mask);
  expect(message).toHaveLength(4096);
  expect(message).not.toContain("horse");
});
