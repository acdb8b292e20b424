// The public charts that LANDSCAPER_SAMPLES hands over. Our own charts, with what Helm makes of them, are tested in libs/helm.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import {
  ChartError,
  formatTemplate,
  loadChart,
  processDependencies,
  renderChart,
  renderValues,
  valuesOfFlags,
} from "@landscaper/helm";
import { TemplateError } from "@landscaper/gotemplate";
import {
  goldenOf,
  maskRandom,
  type SampleChart,
  sampleChartPath,
  sampleCharts,
  wordsOfSample,
} from "../../src/artifacts/sample-charts.ts";

/** Renders as the command does. */
async function render({ chart: path, values }: SampleChart): Promise<{ output: string } | { error: string }> {
  try {
    const files = values === null ? [] : [sampleChartPath(values)];
    const given = valuesOfFlags({ valueFiles: files }, (name) => readFileSync(name));
    const chart = processDependencies(await loadChart(sampleChartPath(path)), given);
    const rendered = renderChart(chart, {
      values: renderValues(chart, given),
      release: { name: "rel", namespace: "ns" },
      capabilities: { kubeVersion: "v1.35.0" },
      now: () => new Date(),
      random: (bytes) => randomBytes(bytes),
    });
    return { output: formatTemplate(rendered) };
  } catch (error) {
    if (error instanceof ChartError || error instanceof TemplateError) return { error: error.message };
    throw error;
  }
}

const samples = sampleCharts();

describe("public charts are rendered as Helm renders them", () => {
  it.each(samples.map((sample) => [sample.id, sample] as const))("%s", async (_, sample) => {
    const golden = goldenOf(sample);
    const ours = await render(sample);
    if (!("output" in ours)) {
      // The command adds advice to what comes of templates.
      const shown = golden.replace("\n\nUse --debug flag to render out invalid YAML\n", "\n");
      expect({ expect: sample.expect, text: `Error: ${ours.error}\n` }).toEqual({ expect: "error", text: shown });
    } else if (sample.random) {
      const second = await render(sample);
      const runs = [ours.output, "output" in second ? second.output : ""] as const;
      expect(maskRandom(ours.output, runs)).toBe(maskRandom(golden, runs));
    } else expect({ expect: sample.expect, output: ours.output }).toEqual({ expect: "output", output: golden });
  });
});

describe("landscaper helm template prints what Helm prints", () => {
  const firsts = samples.filter(
    ({ chart, random }, at) => !random && samples.findIndex((other) => other.chart === chart && !other.random) === at,
  );

  it.each(firsts.map((sample) => [sample.id, sample] as const))("%s", (_, sample) => {
    const command = join(import.meta.dirname, "../../../bin/landscaper");
    const { stdout, stderr, status } = spawnSync(command, ["helm", "template", ...wordsOfSample(sample)], {
      encoding: "utf8",
      maxBuffer: 1 << 28,
      // Without the settings of this machine.
      env: { PATH: process.env["PATH"], HOME: "/nonexistent" },
    });
    const golden = goldenOf(sample);
    const wanted =
      sample.expect === "error" ? { stdout: "", stderr: golden, status: 1 } : { stdout: golden, stderr: "", status: 0 };
    expect({ stdout, stderr, status }).toEqual(wanted);
  });
});
