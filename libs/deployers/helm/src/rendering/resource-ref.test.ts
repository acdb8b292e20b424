// Charts that are resources of components: fetched by whoever made the deployer, refused without.
import { describe, expect, it } from "@jest/globals";
import type { FetchResource } from "./chart-store.ts";
import { mapChart, useHelmBench } from "../../test/helm-bench.ts";
import { packChart } from "../../test/index.ts";

const resourceRef = Buffer.from(
  "component: { name: example.org/app, version: 1.2.3 }\nresource: { name: chart }\n",
).toString("base64");
const asked: string[] = [];
const fetchResource: FetchResource = async ({ component, resource }, { item }) => {
  asked.push(`${resource["name"]} of ${component.name}:${component.version} for ${item.metadata.name}`);
  return await packChart(mapChart);
};

describe("with who fetches it", () => {
  const bench = useHelmBench({ fetchResource });

  it("a chart of a component is deployed", async () => {
    const done = await bench.deploy({ chart: { resourceRef } });
    expect(done.status).toMatchObject({
      phase: "Succeeded",
      providerStatus: { chart: { name: "app", from: "resource chart of component example.org/app:1.2.3" } },
    });
    expect(asked).toContain("chart of example.org/app:1.2.3 for item");
  });
});

describe("without", () => {
  const bench = useHelmBench();

  it.each([
    [
      resourceRef,
      "resource chart of component example.org/app:1.2.3: component resources are not available in this deployer yet",
    ],
    [
      "AAAA",
      "expected base64 of YAML with component and resource, as getResourceKey makes it, found base64 of something else",
    ],
  ])("%s ends the job", async (key, problem) => {
    const done = await bench.deploy({ chart: { resourceRef: key } });
    expect(done.status).toMatchObject({
      phase: "Failed",
      lastError: { reason: "InvalidChartSource", message: expect.stringContaining(`chart.resourceRef: ${problem}`) },
    });
  });
});
