import { afterEach, describe, expect, it } from "@jest/globals";
import { largeChart } from "@landscaper/helm/testing";
import { ChartRenderer, type RenderingLimits } from "./chart-renderer.ts";
import { renderChart } from "../../test/render-chart.ts";

describe("large charts", () => {
  const renderers: ChartRenderer[] = [];

  function start(limits: RenderingLimits): ChartRenderer {
    const renderer = new ChartRenderer(limits);
    renderers.push(renderer);
    return renderer;
  }

  afterEach(async () => {
    await Promise.all(renderers.splice(0).map(async (renderer) => renderer.close()));
  });

  it.each(["crds", "values"] as const)("5 MB of %s are rendered within the limits of a job", async (shape) => {
    const { manifest } = await renderChart(largeChart(shape, 5_000_000), { renderer: start({ threads: 1 }) });
    expect(manifest.length).toBeGreaterThan(4_900_000);
  });

  it("says how large a chart is that renders to too much", async () => {
    await expect(
      renderChart(largeChart("range", 17_500_000), { renderer: start({ timeoutSeconds: 300 }) }),
    ).rejects.toMatchObject({
      reason: "ChartRenderingFailed",
      message: expect.stringMatching(
        /^chart large-range: template: large-range\/templates\/all\.yaml:\d.*: budget exceeded: output of at least 167\d{5} characters, the limit is 16777216$/,
      ),
      retry: "never",
    });
    await expect(
      renderChart(largeChart("templates", 17_500_000), { renderer: start({ timeoutSeconds: 300 }) }),
    ).rejects.toMatchObject({
      reason: "ChartRenderingFailed",
      message: expect.stringMatching(
        /^chart large-templates: template: large-templates\/templates\/w\d+\.yaml: budget exceeded: the files rendered so far have 16 MiB, the limit is 16 MiB$/,
      ),
      retry: "never",
    });
  });

  it("says where a template has taken the memory of a job", async () => {
    const template = `{{- range until 1000 }}{{ $_ := set $.Values (print .) (until 400000) }}{{ end }}`;
    await expect(
      renderChart({ "templates/lists.txt": template }, { renderer: start({ memoryMiB: 256 }) }),
    ).rejects.toMatchObject({
      reason: "ChartRenderingFailed",
      message: expect.stringMatching(
        /^chart app: template: app\/templates\/lists\.txt:1:\d+: .*: budget exceeded: \d+(?:\.\d)? MiB of memory in use, the limit is 128 MiB$/,
      ),
      retry: "never",
    });
  });
});
