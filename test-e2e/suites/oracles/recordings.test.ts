import { describe, expect, it } from "@jest/globals";
import { recordings } from "../../oracles/recordings.ts";

// The unit tests of the libraries replay the recordings. Here the real engines say whether these still hold: plan-run.ts
// leaves this suite out, and says so, where there is no Go.
describe.each(recordings)("the recordings of $name", (recording) => {
  it.each(recording.files())("are what the real engine says today: %s", async (file) => {
    const cases = await recording.ask(file);
    const today = cases.map(({ name, real }) => ({ name, result: real }));
    const then = cases.map(({ name, recorded }) => ({ name, result: recorded }));
    expect(cases.length).toBeGreaterThan(0);
    expect(today).toEqual(then);
  });
});
