// The deployer that docs/deployer-authors.md builds, and from which `npm run new -- deployer` makes a new one: scripts/new reads both marked parts.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, LandscaperError, resources } from "@landscaper/api";
import type { Deployer } from "./deployer-interface.ts";
import { createDeployerFixture, type DeployerFixture } from "../test/index.ts";

// begin of the example
interface Greeting {
  readonly namespace: string;
  readonly text: string;
}

/** Writes a greeting into a ConfigMap of the target cluster and exports its length. */
const greetingDeployer: Deployer<Greeting> = {
  type: "example.org/greeting",
  name: "greeting.deployer.example.org",
  version: "v1.0.0",

  parseConfig(value, where) {
    const { namespace, text } = Object(value) as Partial<Greeting>;
    if (typeof namespace === "string" && typeof text === "string") return { namespace, text };
    throw new LandscaperError({
      message: `${where}: expected namespace and text, two strings`,
      reason: "InvalidInput",
      codes: ["ERR_CONFIGURATION_PROBLEM"],
    });
  },

  // What is about to exist goes into the status before anything is done.
  plan: ({ item, config }) => ({ configMap: { namespace: config.namespace, name: item.metadata.name } }),

  async reconcile({ item, config, target, signal }) {
    const { client } = await target.cluster();
    const metadata = { name: item.metadata.name ?? "", namespace: config.namespace };
    const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { greeting: config.text } };
    const live = await client.find(kubeResources.configMap, metadata, { signal });
    if (live === undefined) await client.create(kubeResources.configMap, configMap, { signal });
    else await client.update(kubeResources.configMap, { ...live, data: configMap.data }, { signal });
    if (config.text === "") return { type: "waiting", for: "somebody to say something" };
    return { type: "succeeded", exports: { length: config.text.length } };
  },

  async delete({ providerStatus, target, signal }) {
    const planned = providerStatus?.["configMap"] as { namespace: string; name: string } | undefined;
    if (planned === undefined) return "done";
    const { client } = await target.cluster();
    const kept = await client.delete(kubeResources.configMap, planned, { signal });
    return kept === undefined ? "done" : "pending";
  },

  // For operation "plan": the clusters that it gets here can only be read.
  async preview({ item, config, target, signal }) {
    const { client } = await target.cluster();
    const metadata = { name: item.metadata.name ?? "", namespace: config.namespace };
    const live = await client.find(kubeResources.configMap, metadata, { signal });
    if (live?.data?.["greeting"] === config.text)
      return { summary: "nothing to do", text: "nothing to do\n", changes: [] };
    const type = live === undefined ? "create" : "update";
    const summary = `${type} ConfigMap ${metadata.namespace}/${metadata.name}`;
    return { summary, text: `${summary}\n`, changes: [{ type, resource: metadata }] };
  },
};
// end of the example

describe("docs/deployer-authors.md", () => {
  it("shows the deployer as it is tested here", () => {
    const source = readFileSync(join(import.meta.dirname, "greeting-deployer.test.ts"), "utf8");
    const [, example = "missing"] = /\/\/ begin of the example\n(.*?)\/\/ end of the example/s.exec(source) ?? [];
    const page = readFileSync(join(import.meta.dirname, "../../../docs/deployer-authors.md"), "utf8");
    expect(page).toContain(example);
  });
});

// begin of its tests
describe("the greeting deployer", () => {
  let fixture: DeployerFixture;
  beforeAll(async () => {
    fixture = await createDeployerFixture();
    fixture.start({ deployer: greetingDeployer });
  });
  afterAll(() => fixture.stop());

  it("deploys, exports, updates and deletes", async () => {
    const scope = await fixture.scope("greeting");
    await scope.createTarget();
    const { namespace } = scope;
    const spec = (text: unknown) => ({
      type: "example.org/greeting",
      target: { name: "cluster" },
      config: { apiVersion: "example.org/v1", kind: "Greeting", namespace, text },
    });
    const greeting = async (): Promise<string | undefined> =>
      (await fixture.targetClient.find(kubeResources.configMap, { namespace, name: "item" }))?.data?.["greeting"];
    await scope.create({ name: "item", spec: spec("hello") });
    expect((await scope.waitForEnd("item")).status).toMatchObject({
      phase: "Succeeded",
      providerStatus: { configMap: { namespace, name: "item" } },
      exportRef: { name: "item-export", namespace },
    });
    expect(await greeting()).toBe("hello");
    await scope.trigger("item", spec("hello again"));
    await scope.waitForEnd("item");
    expect(await greeting()).toBe("hello again");
    await scope.trigger("item", spec(7));
    expect((await scope.waitForEnd("item")).status?.lastError?.message).toBe(
      "spec.config: expected namespace and text, two strings",
    );
    await scope.remove("item");
    await scope.waitUntilGone("item");
    expect(await greeting()).toBe(undefined);
  });

  it("says before a job what it would do", async () => {
    const scope = await fixture.scope("foreseen");
    await scope.createTarget();
    const { namespace } = scope;
    const config = { apiVersion: "example.org/v1", kind: "Greeting", namespace, text: "hello" };
    await scope.create({ name: "item", spec: { type: "example.org/greeting", target: { name: "cluster" }, config } });
    await scope.waitForEnd("item");
    const plan = async (text: string): Promise<string | undefined> => {
      const body = {
        metadata: { annotations: { "landscaper.gardener.cloud/operation": "plan" } },
        spec: { config: { text } },
      };
      const asked = await fixture.hubClient.patch(
        resources.deployItem,
        { namespace, name: "item" },
        { type: "merge", body },
      );
      const { generation } = asked.metadata;
      const answer = (status: typeof asked.status) =>
        status?.conditions?.find((one) => one.type === "Planned" && one.observedGeneration === generation);
      const answered = await scope.waitFor("item", (status) => answer(status)?.status === "True");
      return answer(answered.status)?.message;
    };
    expect(await plan("hello")).toBe("nothing to do; see Secret item-plan");
    expect(await plan("hello again")).toBe(`update ConfigMap ${namespace}/item; see Secret item-plan`);
    const live = await fixture.targetClient.get(kubeResources.configMap, { namespace, name: "item" });
    expect(live.data).toEqual({ greeting: "hello" });
  });
});
// end of its tests
