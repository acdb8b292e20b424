import { expect, it } from "@jest/globals";
import { withoutSecrets } from "./remediation-error.ts";

it("what a record says of a failure is kept without what valuesFrom has given", () => {
  const cause = {
    message: "post-install hook Job n/a has failed: password correct-horse is wrong",
    reason: "ReleaseFailed",
  };
  const attempts = { jobID: "1", inputs: "sha256:1", failed: 1, cause };
  expect(withoutSecrets(attempts, [{ db: { password: "correct-horse" } }])).toEqual({
    ...attempts,
    cause: { ...cause, message: "post-install hook Job n/a has failed: password [...] is wrong" },
  });
  expect([withoutSecrets(attempts, []), withoutSecrets({ ...attempts, cause: undefined }, ["correct-horse"])]).toEqual([
    attempts,
    { ...attempts, cause: undefined },
  ]);
});
