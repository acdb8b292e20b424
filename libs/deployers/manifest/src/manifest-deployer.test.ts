import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, type DeployItemSpec } from "@landscaper/api";
import { createDeployerFixture, listInventory, type DeployerFixture } from "@landscaper/deployer/testing";
import { createManifestDeployer, manifestDeployItemType } from "./index.ts";

function specOf(manifests: readonly unknown[], others: Record<string, unknown> = {}): DeployItemSpec {
  return {
    type: manifestDeployItemType,
    target: { name: "cluster" },
    config: {
      apiVersion: "manifest.deployer.landscaper.gardener.cloud/v1alpha2",
      kind: "ProviderConfiguration",
      manifests: manifests.map((manifest) => ({ policy: "manage", manifest })),
      ...others,
    },
  };
}

function configMap(namespace: string, name: string, data: Record<string, string> = { key: "value" }) {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data };
}

describe("manifest deployer", () => {
  let fixture: DeployerFixture;
  beforeAll(async () => {
    fixture = await createDeployerFixture();
    fixture.start({ deployer: createManifestDeployer("v0.0.0-test") });
  }, 60_000);
  afterAll(() => fixture.stop());

  it("creates, exports and deletes", async () => {
    const scope = await fixture.scope("basic");
    await scope.createTarget();
    const manifest = configMap(scope.namespace, "hello");
    await scope.create({
      name: "item",
      spec: specOf([manifest], {
        exports: { exports: [{ key: "a.b", jsonPath: ".data.key", fromResource: { apiVersion: "v1", kind: "ConfigMap", name: "hello", namespace: scope.namespace } }] },
      }),
    });
    const done = await scope.waitForEnd("item");
    console.log(JSON.stringify(done, null, 1));
    expect(listInventory(done)).toEqual(["ConfigMap basic/hello"]);
    await scope.remove("item");
    await scope.waitUntilGone("item");
    expect(await fixture.targetClient.find(kubeResources.configMap, { namespace: "basic", name: "hello" })).toBe(undefined);
  });
});
