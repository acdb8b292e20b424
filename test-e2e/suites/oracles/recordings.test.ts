import { describe, expect, it } from "@jest/globals";
import { describeUnless } from "@landscaper/testkit";
import { planRecording } from "../../oracles/confirmations.ts";
import { recordings } from "../../oracles/recordings.ts";
import { isWholeRun } from "../../src/clusters/selected-clusters.ts";

const turn = isWholeRun("oracles/recordings") ? undefined : process.env["E2E_TURN"];

// The unit tests of the libraries replay the recordings. Here the real engines say whether these still hold: plan-run.ts
// leaves this suite out, and says so, where there is no Go.
for (const recording of recordings) {
  // Looks for the engine, and builds a missing one.
  const { skipped, files } = planRecording(recording, { turn });
  describeUnless(skipped, describe)(`the recordings of ${recording.name}`, () => {
    it.each(files)("are what the real engine says today: $file", async ({ file, confirm }) => {
      const cases = await recording.ask(file);
      const today = cases.map(({ name, real }) => ({ name, result: real }));
      const then = cases.map(({ name, recorded }) => ({ name, result: recorded }));
      expect(cases.length).toBeGreaterThan(0);
      expect(today).toEqual(then);
      confirm();
    });
  });
}
