import { describe, expect, it } from "@jest/globals";
import { goTemplateTarget } from "../../src/fuzz/compare-go-templates.ts";
import { helmArchiveTarget } from "../../src/fuzz/compare-helm-archives.ts";
import { helmChartTarget } from "../../src/fuzz/compare-helm-charts.ts";
import { helmSchemaTarget } from "../../src/fuzz/compare-helm-schemas.ts";
import { helmSetTarget } from "../../src/fuzz/compare-helm-sets.ts";
import { helmTemplateTarget } from "../../src/fuzz/compare-helm-templates.ts";
import { helmCommandTargets } from "../../src/fuzz/helm-commands/helm-command-targets.ts";
import { threeWayTarget } from "../../src/fuzz/compare-three-way.ts";
import { spiffExpressionTarget } from "../../src/fuzz/compare-spiff-expressions.ts";
import { spiffInterpolationTarget } from "../../src/fuzz/compare-spiff-interpolations.ts";
import { spiffOutputTarget } from "../../src/fuzz/compare-spiff-output.ts";
import { spiffTarget } from "../../src/fuzz/compare-spiff.ts";
import { runFuzz, type FuzzLimits } from "../../src/fuzz/run-fuzz.ts";
import { casesOfRun } from "../../src/clusters/selected-clusters.ts";

// A fixed seed, so that the same cases run each time; `npm run fuzz` looks for new ones.
const limits: FuzzLimits = { seed: 20_260_101, batchSize: 500, goesOn: (batches) => batches < 2, shrinkMs: 20_000 };
const agreed = { seed: limits.seed, cases: 1000, difference: undefined };

describe("generated cases give the same in the real engine and in ours", () => {
  it("Go templates: output and error texts", async () => {
    expect(await runFuzz(goTemplateTarget, limits)).toEqual(agreed);
  });

  it("Helm's --set flags: values with their types, and error texts", async () => {
    expect(await runFuzz(helmSetTarget, limits)).toEqual(agreed);
  });

  it("dependencies and values of Helm charts: charts, values, warnings", async () => {
    expect(await runFuzz(helmChartTarget, limits)).toEqual(agreed);
  });

  it("three-way patches: what becomes of the live object", async () => {
    expect(await runFuzz(threeWayTarget, limits)).toEqual(agreed);
  });

  it("whole Helm charts: manifests, hooks, notes and error texts", async () => {
    expect(await runFuzz(helmTemplateTarget, limits)).toEqual(agreed);
  });

  it("damaged archives of Helm charts: files and error texts", async () => {
    expect(await runFuzz(helmArchiveTarget, limits)).toEqual(agreed);
  });

  it("schemas of Helm charts: what does not fit", async () => {
    expect(await runFuzz(helmSchemaTarget, limits)).toEqual(agreed);
  });

  it("spiff documents: output, and which nodes fail", async () => {
    expect(await runFuzz(spiffTarget, limits)).toEqual(agreed);
  });

  it("calls of spiff's functions", async () => {
    expect(await runFuzz(spiffExpressionTarget, limits)).toEqual(agreed);
  });

  it("expressions within text: brackets, quotes and marks at any place", async () => {
    expect(await runFuzz(spiffInterpolationTarget, limits)).toEqual(agreed);
  });

  it("the YAML that spiff prints", async () => {
    expect(await runFuzz(spiffOutputTarget, limits)).toEqual(agreed);
  });
});

// One process of Helm for each case and version: a run of `npm test` takes a third of the cases.
const shares = casesOfRun("oracles/generated", [0, 1, 2]);

describe("generated command lines give the same in the real helm and in ours", () => {
  it.each(helmCommandTargets.flatMap(({ name, target }) => shares.map((share) => ({ name, target, share }))))(
    "$name, share $share",
    async ({ target, share }) => {
      const few = { ...limits, seed: limits.seed + share, batchSize: 40, goesOn: (batches: number) => batches < 1 };
      expect(await runFuzz(target, few)).toEqual({ seed: few.seed, cases: 40, difference: undefined });
    },
  );
});
