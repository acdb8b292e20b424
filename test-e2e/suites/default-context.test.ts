import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, resources } from "@landscaper/api";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";

const excluded = "e2e-without-context";
const repositoryContext = { type: "ociRegistry", baseUrl: "registry.example.test" };

describe.each(clustersUnderTest())("the default Context on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    const core = {
      apiVersion: "config.landscaper.gardener.cloud/v1alpha1",
      kind: "LandscaperConfiguration",
      controllers: { contexts: { config: { default: { excludedNamespaces: [excluded], repositoryContext } } } },
    };
    environment = await startEnvironment({
      cluster,
      services: ["landscaper-core"],
      configs: { "landscaper-core": core },
    });
  });
  afterAll(async () => environment.stop());

  it("scenario 25: appears in every new namespace but the excluded ones; what users add to it stays", async () => {
    const { client } = environment;
    await client.create(kubeResources.namespace, { apiVersion: "v1", kind: "Namespace", metadata: { name: excluded } });
    try {
      const scope = await environment.namespace("with-context");
      const made = await scope.until(resources.context, "default", (found) => found !== undefined);
      expect(made?.repositoryContext).toEqual(repositoryContext);
      const registryPullSecrets = [{ name: "mine" }];
      const key = { namespace: scope.name, name: "default" };
      const body = { registryPullSecrets, repositoryContext: { type: "other" } };
      await client.patch(resources.context, key, { type: "merge", body });
      const kept = await scope.until(
        resources.context,
        "default",
        (found) => found?.repositoryContext?.["type"] === repositoryContext.type,
      );
      expect(kept?.registryPullSecrets).toEqual(registryPullSecrets);
      expect(await client.find(resources.context, { namespace: excluded, name: "default" })).toBeUndefined();
    } finally {
      await client.delete(kubeResources.namespace, { name: excluded });
    }
  });
});
