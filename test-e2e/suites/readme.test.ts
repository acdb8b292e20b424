// What README shows first, with the services that it starts.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, resources, type KubeObject, type ResourceType } from "@landscaper/api";
import { waitFor } from "@landscaper/controller-runtime/testing";
import { startEnvironment, type Environment } from "../src/environment.ts";
import { readGuideExamples } from "../src/guide-examples.ts";
import { clustersUnderTest } from "../src/selected-clusters.ts";

const readme = readGuideExamples("../../README.md");
const namespace = "default";

describe.each(clustersUnderTest())("README's first Installation on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await startEnvironment({
      cluster,
      services: ["landscaper-core", "manifest-deployer", "helm-deployer"],
    });
  }, 120_000);
  afterAll(async () => environment.stop());

  const createFrom = async <T extends KubeObject>(type: ResourceType<T>, example: string): Promise<void> => {
    const [object] = readme.load(example);
    // The example is of this kind.
    await environment.client.create(type, object as T);
  };

  it("reaches Succeeded, and its ConfigMap is there", async () => {
    const kubeconfig = Buffer.from(environment.targetKubeconfig).toString("base64");
    await environment.client.create(kubeResources.secret, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "my-cluster", namespace },
      data: { kubeconfig },
    });
    await createFrom(resources.target, "first-target");
    await createFrom(resources.installation, "first-installation");
    const ended = await waitFor(
      async () => {
        const found = await environment.client.get(resources.installation, { namespace, name: "hello" });
        return found.status?.jobIDFinished === undefined ? undefined : found;
      },
      { timeoutMs: 60_000 },
    );
    expect([ended.status?.phase, ended.status?.lastError]).toEqual(["Succeeded", undefined]);
    const map = await environment.targetClient.get(kubeResources.configMap, { namespace, name: "hello" });
    expect(map.data).toEqual({ greeting: "hello" });
  });
});
