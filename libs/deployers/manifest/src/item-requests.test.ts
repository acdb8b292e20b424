// What an item costs at hub and target, on two embedded clusters.
import { describe, expect, it } from "@jest/globals";
import { useManifestBench } from "../test/manifest-bench.ts";
import { configMap, specOf } from "../test/manifests.ts";

const bench = useManifestBench("requests");

describe("the requests of an item with one ConfigMap and an export", () => {
  it("are a look at the Target and four writes for the first job, two for the same again, three for its deletion", async () => {
    let requests: string[] = [];
    const record =
      (cluster: string) => (request: { verb: string; resource: string; subresource: string; userAgent: string }) => {
        const { verb, resource, subresource, userAgent } = request;
        const isOurs = userAgent.startsWith("manifest.deployer") && !["watch", "list"].includes(verb);
        // The Lease is the process's. Discovery, once per target, has no resource.
        if (isOurs && !["events", "leases", ""].includes(resource))
          requests.push(`${cluster}: ${verb} ${resource}${subresource === "" ? "" : `/${subresource}`}`);
        return undefined;
      };
    bench.fixture.hub.setFault(record("hub"));
    bench.fixture.target.setFault(record("target"));
    const fromResource = { apiVersion: "v1", kind: "ConfigMap", name: "a", namespace: bench.n };
    const exports = { exports: [{ key: "k", jsonPath: ".data.x", fromResource }] };
    const spec = specOf([configMap(`${bench.n}/a`, { x: "1" })], { exports });
    await bench.scope.create({ name: "item", spec });
    await bench.scope.waitForEnd("item");
    expect(requests).toEqual([
      "hub: get targets",
      "hub: update deployitems/status",
      "target: create configmaps",
      "hub: create secrets",
      "hub: update deployitems/status",
    ]);
    requests = [];
    await bench.scope.trigger("item");
    await bench.scope.waitForEnd("item");
    expect(requests).toEqual([
      "hub: get targets",
      "hub: update deployitems/status",
      "target: get configmaps",
      "hub: get secrets",
      "hub: update deployitems/status",
    ]);
    requests = [];
    await bench.scope.remove("item");
    await bench.scope.waitUntilGone("item");
    expect(requests).toEqual([
      "hub: get targets",
      "hub: update deployitems/status",
      "target: get configmaps",
      "target: delete configmaps",
      "hub: update deployitems",
    ]);
  });
});
