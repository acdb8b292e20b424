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

const notFound =
  "component example.org/app:1.2.3: no repository is known for it: neither the Installation nor its Context has a repositoryContext, and no resolver of the OCM configuration fits";

describe("from the repositories of the Context", () => {
  const bench = useHelmBench();

  it.each([
    [resourceRef, "RepositoryContextMissing", notFound],
    [
      "AAAA",
      "InvalidChartSource",
      "chart.resourceRef: expected base64 of YAML with component and resource, as getResourceKey makes it, found base64 of something else",
    ],
  ])("%s ends the job where there is none", async (key, reason, message) => {
    const done = await bench.deploy({ chart: { resourceRef: key } });
    expect(done.status).toMatchObject({
      phase: "Failed",
      lastError: { reason, message: expect.stringContaining(message) },
    });
  });
});
