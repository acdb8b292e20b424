// What Installations leave on a target, and who may take it over (docs/reference/objects-on-targets.md#ownership).
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  annotations,
  kubernetesClusterTargetType,
  kubeResources,
  operations,
  resources,
  type UnstructuredObject,
} from "@landscaper/api";
import { rawChart } from "@landscaper/helm-deployer-lib/testing";
import { waitFor } from "@landscaper/testkit";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { helmItem, itemsInstallation, manifestItem } from "../src/installations/inline-installation.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";
import { startEnvironment, type Environment } from "../src/services/environment.ts";

const services = ["landscaper-core", "manifest-deployer", "helm-deployer"] as const;
const configMap = (metadata: object): UnstructuredObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "map", ...metadata },
  data: { a: "1" },
});

/** An item that deploys ConfigMap "map" into a namespace of the target. */
type ItemOf = (namespace: string) => Promise<Record<string, unknown>>;
const itemsOf: readonly (readonly [what: string, itemOf: ItemOf])[] = [
  ["manifests", (namespace) => Promise.resolve(manifestItem({ manifests: [configMap({ namespace })] }))],
  [
    "a release",
    async (namespace) => {
      const chart = await rawChart({ "templates/map.yaml": JSON.stringify(configMap({})) });
      return helmItem({ namespace, config: { chart } });
    },
  ],
];

async function remove(scope: TestNamespace, marks: Readonly<Record<string, string>> = {}): Promise<void> {
  await scope.annotate(resources.installation, "root", marks);
  await scope.delete(resources.installation, "root");
  await scope.untilGone(resources.installation, "root");
}

const withoutUninstall = { [annotations.deleteWithoutUninstall]: "true" };

async function uidOf({ environment }: TestNamespace, namespace: string): Promise<string | undefined> {
  const found = await environment.targetClient.find(kubeResources.configMap, { namespace, name: "map" });
  return found?.metadata.uid;
}

/** Until an event TakenOver has this text. */
async function untilTold({ name, environment }: TestNamespace, text: string): Promise<void> {
  await waitFor(async () => {
    const { items } = await environment.client.list(kubeResources.event, { namespace: name });
    const told = items.filter((event) => Reflect.get(event, "reason") === "TakenOver");
    return told.some((event) => String(Reflect.get(event, "note")).includes(text));
  });
}

describe.each(clustersUnderTest())("what Installations leave on %s", (cluster) => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await startEnvironment({ cluster, services: [...services] });
  });
  afterAll(async () => environment.stop());

  it.each(itemsOf)("the same Installation takes %s back after delete-without-uninstall", async (_, itemOf) => {
    const scope = await environment.namespace("left");
    const item = await itemOf(scope.targetNamespace);
    await scope.apply(scope.target("target"), itemsInstallation([item]));
    await scope.waitForPhase("root", "Succeeded");
    const uid = await uidOf(scope, scope.targetNamespace);
    expect(uid).toBeDefined();
    await remove(scope, withoutUninstall);
    expect(await uidOf(scope, scope.targetNamespace)).toBe(uid);
    await scope.apply(itemsInstallation([item]));
    await scope.waitForPhase("root", "Succeeded");
    expect(await uidOf(scope, scope.targetNamespace)).toBe(uid);
    await untilTold(scope, ", which had no owner");
    await remove(scope);
    expect(await uidOf(scope, scope.targetNamespace)).toBe(undefined);
  });

  it.each(itemsOf)(
    "an Installation takes %s over from one of its namespace that went while its target was away",
    async (_, itemOf) => {
      const scope = await environment.namespace("lost");
      const item = await itemOf(scope.targetNamespace);
      await scope.apply(scope.target("target"), itemsInstallation([item]));
      await scope.waitForPhase("root", "Succeeded");
      const uid = await uidOf(scope, scope.targetNamespace);
      const { port } = new URL(environment.target.url);
      const kubeconfig = environment.targetKubeconfig.replaceAll(`:${port}`, ":1");
      await scope.apply({
        ...scope.target("target"),
        spec: { type: kubernetesClusterTargetType, config: { kubeconfig } },
      });
      await remove(scope, withoutUninstall);
      await scope.apply(scope.target("target"), itemsInstallation([item]));
      await scope.waitForPhase("root", "Succeeded");
      expect(await uidOf(scope, scope.targetNamespace)).toBe(uid);
      await untilTold(scope, "(root/item)");
      await remove(scope);
      expect(await uidOf(scope, scope.targetNamespace)).toBe(undefined);
    },
  );
});

describe("two landscaper clusters with one target", () => {
  let first: Environment;
  let second: Environment;
  beforeAll(async () => {
    first = await startEnvironment({ cluster: "embedded", services: [...services] });
    second = await startEnvironment({
      cluster: "embedded",
      services: [...services],
      targetKubeconfig: () => first.targetKubeconfig,
    });
  });
  afterAll(async () => {
    await second.stop();
    await first.stop();
  });

  it.each(itemsOf)("the second one takes %s over only with the annotation that its job names", async (_, itemOf) => {
    const [former, next] = [await first.namespace("former"), await second.namespace("next")];
    const place = former.targetNamespace;
    const installation = itemsInstallation([await itemOf(place)]);
    await former.apply(former.target("target"), installation);
    await former.waitForPhase("root", "Succeeded");
    const uid = await uidOf(former, place);
    await next.apply(next.target("target"), installation);
    const message = await waitFor(async () => {
      const item = (await next.deployItems("root")).get("item");
      return item?.status?.lastError?.message;
    });
    const [, value = ""] = /take-over-from: "([^"]+)" on the Installation/.exec(message) ?? [];
    expect([message, value]).toEqual([
      expect.stringContaining(`${former.name}/`),
      expect.stringMatching(new RegExp(`^[\\w-]+/${former.name}$`)),
    ]);
    await next.annotate(resources.installation, "root", { [annotations.operation]: operations.interrupt });
    await next.waitForPhase("root", "Failed");
    await next.annotate(resources.installation, "root", { [annotations.takeOverFrom]: value });
    await next.trigger("root");
    await next.waitForPhase("root", "Succeeded");
    await untilTold(next, "(root/item) of landscaper cluster ");
    // The former owner leaves it alone.
    await remove(former);
    expect(await uidOf(former, place)).toBe(uid);
    await remove(next);
    expect(await uidOf(former, place)).toBe(undefined);
  });
});
