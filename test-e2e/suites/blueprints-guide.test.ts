import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, resources } from "@landscaper/api";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import { readGuideExamples } from "../src/examples/guide-examples.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

const guide = readGuideExamples("blueprints.md");

it("the guide to blueprints has no example that nobody runs", () => {
  const names = ["blueprint", "importer", "data-mappings", "checks", "state", "nested", "context"];
  expect(guide.names).toEqual(names);
});

describe.each(clustersUnderTest())("the examples of blueprints on %s", (cluster) => {
  let environment: Environment;
  let scope: TestNamespace;

  beforeAll(async () => {
    environment = await startEnvironment({ cluster, services: ["landscaper-core", "manifest-deployer"] });
    scope = await environment.namespace("blueprints");
    await scope.apply(scope.target("cluster"));
  });
  afterAll(async () => environment.stop());

  async function apply(example: string): Promise<void> {
    await scope.apply(...guide.load(example, { namespace: scope.targetNamespace }));
  }

  it("a blueprint, and an Installation that imports what it exports", async () => {
    await apply("importer");
    await apply("blueprint");
    await scope.waitForPhase("shop", "Succeeded");
    const deployed = await scope.findOnTarget(kubeResources.configMap, "shop");
    expect(deployed?.data).toEqual({ greeting: "Welcome", port: "8080" });
    expect(await scope.exported("shop-address")).toBe("http://shop:8080");
    await scope.waitForPhase("advert", "Succeeded");
    expect(await scope.exported("advert-text")).toBe("Visit http://shop:8080");
  });

  it("data mappings", async () => {
    await apply("data-mappings");
    await scope.waitForPhase("report", "Succeeded");
    expect(await scope.exported("report-summary")).toEqual({ lines: ["Report of blue, 3 pages", "no changes"] });
  });

  it("checks, which a correction passes", async () => {
    await apply("checks");
    const failed = await scope.waitForPhase("network", "Failed");
    expect(failed.status?.lastError?.message).toContain("pods and services need ranges of their own");
    const body = { spec: { importDataMappings: { services: "10.2.0.0/16" } } };
    const key = { namespace: scope.name, name: "network" };
    await environment.client.patch(resources.installation, key, { type: "merge", body });
    await scope.trigger("network");
    await scope.waitForPhase("network", "Succeeded");
    expect(await scope.exported("network-ranges")).toEqual(["10.1.0.0/16", "10.2.0.0/16"]);
  });

  it("state that is kept from job to job", async () => {
    const passwords = async () => Promise.all(["go", "spiff"].map((by) => scope.exported(`password-by-${by}`)));
    await apply("state");
    const { status } = await scope.waitForPhase("passwords", "Succeeded");
    const first = await passwords();
    expect(first).toEqual([expect.stringMatching(/^\w{20}$/), expect.stringMatching(/^\w{20}$/)]);
    await scope.trigger("passwords");
    const second = await scope.waitForPhase("passwords", "Succeeded");
    expect(second.status?.jobID).not.toBe(status?.jobID);
    expect(await passwords()).toEqual(first);
  });

  it("nested Installations", async () => {
    await apply("nested");
    await scope.waitForPhase("platform", "Succeeded");
    expect(await scope.exported("platform-addresses")).toEqual(["web.zone.example.com", "mail.zone.example.com"]);
  });

  it("a context, which deploy items get", async () => {
    await apply("context");
    await scope.waitForPhase("in-staging", "Succeeded");
    const items = await scope.deployItems("in-staging");
    expect(items.get("nothing")?.spec.context).toBe("staging");
  });
});
