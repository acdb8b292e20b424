import { expect, it } from "@jest/globals";
import { goTemplateTarget } from "../../src/fuzz/compare-go-templates.ts";
import { runFuzz, type FuzzLimits } from "../../src/fuzz/run-fuzz.ts";

// A fixed seed, so that the same cases run each time; `npm run fuzz` looks for new ones.
const limits: FuzzLimits = { seed: 20_260_101, batchSize: 500, goesOn: (batches) => batches < 4, shrinkMs: 20_000 };

it("generated Go templates give the same output and errors as in Go", () => {
  expect(runFuzz(goTemplateTarget, limits)).toEqual({ seed: limits.seed, cases: 2000, difference: undefined });
});
