// Which credentials the Pods of an item get, on embedded clusters: the Pods are played.
import { describe, expect, it } from "@jest/globals";
import { annotations, kubeResources, resources, type Pod } from "@landscaper/api";
import { formatPins } from "@landscaper/components";
import { specOf, useContainerBench } from "../../../test/container-bench.ts";

const bench = useContainerBench("container-credentials");
const base64 = (text: string): string => Buffer.from(text).toString("base64");

async function createSecret(name: string, auths: object): Promise<void> {
  const metadata = { name, namespace: bench.scope.namespace };
  const data = { ".dockerconfigjson": base64(JSON.stringify({ auths })) };
  const type = "kubernetes.io/dockerconfigjson";
  await bench.fixture.hubClient.create(kubeResources.secret, {
    apiVersion: "v1",
    kind: "Secret",
    metadata,
    type,
    data,
  });
}

async function readHost(object: string): Promise<unknown> {
  const { namespace } = bench.scope;
  const secret = await bench.host.find(kubeResources.secret, { namespace, name: `${namespace}-item-${object}` });
  if (secret === undefined) return undefined;
  expect(secret.type).toBe("kubernetes.io/dockerconfigjson");
  return JSON.parse(Buffer.from(secret.data?.[".dockerconfigjson"] ?? "", "base64").toString());
}

const authOf = (user: string) => ({ username: user, password: `${user}-pw`, auth: base64(`${user}:${user}-pw`) });

describe("the pull secrets of an item", () => {
  it("become one entry each: that of the image, and that of its component", async () => {
    bench.start();
    await createSecret("pull", {
      "registry.example": { auth: base64("image:image-pw") },
      "other.example": { auth: base64("other:other-pw") },
    });
    await createSecret("of-context", { "components.example/team": { auth: base64("parts:parts-pw") } });
    const { namespace } = bench.scope;
    await bench.fixture.hubClient.create(resources.context, {
      apiVersion: "landscaper.gardener.cloud/v1alpha1",
      kind: "Context",
      metadata: { name: "default", namespace },
      registryPullSecrets: [{ name: "of-context" }],
    });
    const ref = {
      componentName: "example.com/x",
      version: "1",
      repositoryContext: { type: "OCIRegistry", baseUrl: "components.example/team" },
    };
    const config = {
      registryPullSecrets: [{ name: "pull", namespace }],
      componentDescriptor: { ref },
      blueprint: { ref: { resourceName: "b" } },
    };
    await bench.scope.create({ name: "item", spec: specOf(config) });
    const pod: Pod = await bench.untilPod();
    expect(pod.spec?.["imagePullSecrets"]).toEqual([{ name: `${namespace}-item-imgpullsec` }]);
    expect(await readHost("imgpullsec")).toEqual({ auths: { "registry.example": authOf("image") } });
    const component = { auths: { "components.example/team": authOf("parts") } };
    expect(await readHost("cdpullsec")).toEqual(component);
    expect(await readHost("bppullsec")).toEqual(component);
    const message = "denied: parts-pw, image-pw";
    await bench.finish(pod, { init: { exitCode: 1, message } });
    const { status } = await bench.scope.waitForEnd("item");
    expect(status?.lastError?.message).toContain("denied: [...], [...]");
  });

  it("give init that of the registry of the blueprint, and no Secret has one of another registry", async () => {
    bench.start();
    const auth = (user: string) => ({ auth: base64(`${user}:${user}-pw`) });
    await createSecret("pull", {
      "registry.example": auth("image"),
      "parts.example": auth("parts"),
      "blueprints.example": auth("blueprints"),
      "blueprints.example/secret": auth("sentinel"),
      "other.example": auth("sentinel"),
    });
    const { namespace } = bench.scope;
    const repositoryContext = { type: "OCIRegistry", baseUrl: "parts.example/team" };
    const config = {
      registryPullSecrets: [{ name: "pull", namespace }],
      componentDescriptor: { ref: { componentName: "example.com/x", version: "1", repositoryContext } },
      blueprint: { ref: { resourceName: "b" } },
    };
    const pin = formatPins({ blueprint: "blueprints.example/team/bp:1" });
    await bench.scope.create({
      name: "item",
      spec: specOf(config),
      annotations: { [annotations.componentPins]: pin },
    });
    const pod = await bench.untilPod();
    expect(await readHost("bppullsec")).toEqual({ auths: { "blueprints.example": authOf("blueprints") } });
    expect(await readHost("cdpullsec")).toEqual({ auths: { "parts.example": authOf("parts") } });
    expect(await readHost("imgpullsec")).toEqual({ auths: { "registry.example": authOf("image") } });
    const { items } = await bench.host.list(kubeResources.secret, { namespace });
    const texts = items
      .filter(({ metadata }) => metadata.name !== "pull")
      .flatMap(({ data = {} }) => Object.values(data).map((value) => Buffer.from(value, "base64").toString()));
    expect(texts.join()).toContain(base64("image:image-pw"));
    expect(texts.join()).not.toMatch(new RegExp(`sentinel|${base64("sentinel:sentinel-pw")}`));
    await bench.finish(pod);
    await bench.scope.waitForEnd("item");
  });

  it("of Docker Hub have the name by which clients of registries know it", async () => {
    bench.start();
    await createSecret("pull", { "docker.io": { auth: base64("hub:hub-pw") } });
    const registryPullSecrets = [{ name: "pull", namespace: bench.scope.namespace }];
    await bench.scope.create({ name: "item", spec: specOf({ image: "ubuntu:18.04", registryPullSecrets }) });
    await bench.untilPod();
    expect(await readHost("imgpullsec")).toEqual({ auths: { "https://index.docker.io/v1/": authOf("hub") } });
  });

  it("are not made for an image of another registry", async () => {
    bench.start();
    await createSecret("pull", { "other.example": { auth: base64("other:other-pw") } });
    const registryPullSecrets = [{ name: "pull", namespace: bench.scope.namespace }];
    await bench.scope.create({ name: "item", spec: specOf({ registryPullSecrets }) });
    const pod = await bench.untilPod();
    expect(pod.spec).not.toHaveProperty("imagePullSecrets");
    expect(await readHost("imgpullsec")).toBeUndefined();
  });

  it("cannot be those of another namespace", async () => {
    bench.start();
    await bench.scope.create({
      name: "item",
      spec: specOf({ registryPullSecrets: [{ name: "p", namespace: "kube-system" }] }),
    });
    const { status } = await bench.scope.waitForEnd("item");
    expect(status?.lastError).toMatchObject({
      reason: "PullSecretMissing",
      message: `spec.config: registryPullSecrets[0].namespace: expected "${bench.scope.namespace}", the namespace of the item, found "kube-system"`,
    });
  });

  it("are waited for while they do not exist, but not by the run that takes back", async () => {
    bench.start();
    const registryPullSecrets = [{ name: "pull", namespace: bench.scope.namespace }];
    await bench.scope.create({ name: "item", spec: specOf({ registryPullSecrets }) });
    await bench.scope.waitFor(
      "item",
      ({ lastError }) =>
        lastError?.message.includes("Secret pull, which spec.config.registryPullSecrets names, does not exist") ===
        true,
    );
    await createSecret("pull", { "registry.example": { auth: base64("image:image-pw") } });
    await bench.finish(await bench.untilPod());
    await bench.scope.waitForEnd("item");
    await bench.fixture.hubClient.delete(kubeResources.secret, { namespace: bench.scope.namespace, name: "pull" });
    await bench.scope.remove("item");
    const pod = await bench.untilPod();
    expect(pod.spec?.["imagePullSecrets"]).toEqual([{ name: `${bench.scope.namespace}-item-imgpullsec` }]);
    await bench.finish(pod);
    await bench.scope.waitUntilGone("item");
  });
});
