import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { ConfigMap, DeployItem, KubeObject } from "@landscaper/api";
import { annotations, kubeResources, labels, operations, resources } from "@landscaper/api";
import type { Environment } from "../src/services/environment.ts";
import { startEnvironment } from "../src/services/environment.ts";
import { readGuideExamples } from "../src/examples/guide-examples.ts";
import { itemsInstallation } from "../src/installations/inline-installation.ts";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";

const guide = readGuideExamples("manifests.md");
const jobs = { group: "batch", version: "v1", kind: "Job", plural: "jobs", namespaced: true } as const;

it("the guide to manifests has no example that nobody runs", () => {
  const names = [
    "item",
    "policies",
    "apply",
    "adopt",
    "kstatus",
    "custom-checks",
    "exports",
    "hooks",
    "approval",
    "ignore-fields",
    "drift",
    "plan",
    "deletion-groups",
  ];
  expect(guide.names).toEqual(names);
});

/** An Installation with one manifest item, whose configuration is an example of the guide. */
class GuidedInstallation {
  readonly #scope: TestNamespace;
  readonly #name: string;

  constructor(scope: TestNamespace, name: string) {
    this.#scope = scope;
    this.#name = name;
  }

  async apply(example: string, values: Readonly<Record<string, string>> = {}): Promise<void> {
    const config = guide.loadPart(example, { namespace: this.#scope.targetNamespace, ...values });
    const type = "landscaper.gardener.cloud/kubernetes-manifest";
    const item = { name: "item", type, target: { import: "cluster" }, config };
    await this.#scope.apply(itemsInstallation([item], { name: this.#name, target: "cluster" }));
  }

  async succeed(example: string, values: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.apply(example, values);
    await this.#scope.waitForPhase(this.#name, "Succeeded");
  }

  /** The message of the failure. */
  async fail(): Promise<string> {
    const { status } = await this.#scope.waitForPhase(this.#name, "Failed");
    return status?.lastError?.message ?? "";
  }

  async item(): Promise<DeployItem | undefined> {
    return (await this.#scope.deployItems(this.#name)).get("item");
  }

  async remove(): Promise<void> {
    await this.#scope.delete(resources.installation, this.#name);
    await this.#scope.untilGone(resources.installation, this.#name);
  }
}

describe.each(clustersUnderTest())("the examples of manifests on %s", (cluster) => {
  let environment: Environment;

  beforeAll(async () => {
    environment = await startEnvironment({ cluster, services: ["landscaper-core", "manifest-deployer"] });
  });
  afterAll(async () => environment.stop());

  async function open(name: string): Promise<{ scope: TestNamespace; installation: GuidedInstallation }> {
    const scope = await environment.namespace(name);
    await scope.apply(scope.target("cluster"));
    return { scope, installation: new GuidedInstallation(scope, "guided") };
  }

  async function data(scope: TestNamespace, name: string): Promise<ConfigMap["data"] | "absent"> {
    const found = await scope.findOnTarget(kubeResources.configMap, name);
    return found === undefined ? "absent" : found.data;
  }

  /** What somebody else does on the target. */
  async function edit(scope: TestNamespace, name: string, body: object): Promise<void> {
    const key = { namespace: scope.targetNamespace, name };
    const patch = { type: "merge", body, fieldManager: "kubectl-edit" } as const;
    await environment.targetClient.patch(kubeResources.configMap, key, patch);
  }

  it("an item", async () => {
    const { scope, installation } = await open("item");
    await installation.succeed("item");
    expect(await data(scope, "web")).toEqual({ text: "hello" });
  });

  it("policies (A10)", async () => {
    const { scope, installation } = await open("policies");
    await installation.succeed("policies", { step: "1" });
    const created = { managed: "1", kept: "1", shared: "1", initial: "1", ignored: "absent" };
    const steps = async (): Promise<object> =>
      Object.fromEntries(
        await Promise.all(
          Object.keys(created).map(async (name) => {
            const found = await data(scope, name);
            return [name, found === "absent" ? found : found?.["step"]];
          }),
        ),
      );
    expect(await steps()).toEqual(created);
    await edit(scope, "shared", { metadata: { labels: { [labels.manifestDeployItem]: "somebody" } } });
    await installation.succeed("policies", { step: "2" });
    expect(await steps()).toEqual({ managed: "2", kept: "2", shared: "1", initial: "1", ignored: "absent" });
    await installation.remove();
    expect(await steps()).toEqual({ managed: "absent", kept: "2", shared: "1", initial: "absent", ignored: "absent" });
    expect((await scope.findOnTarget(kubeResources.configMap, "kept"))?.metadata.labels ?? {}).toEqual({});
  });

  it("server-side apply, a conflict, and force (B1)", async () => {
    const { scope, installation } = await open("apply");
    await installation.succeed("apply", { force: "false" });
    await edit(scope, "settings", { data: { theirs: "stays" } });
    await installation.succeed("apply", { force: "false" });
    expect(await data(scope, "settings")).toEqual({ level: "info", theirs: "stays" });
    await edit(scope, "settings", { data: { level: "debug" } });
    await installation.apply("apply", { force: "false" });
    expect(await installation.fail()).toContain(
      `apply ConfigMap ${scope.targetNamespace}/settings: kubectl-edit manages .data.level`,
    );
    expect(await data(scope, "settings")).toEqual({ level: "debug", theirs: "stays" });
    await installation.succeed("apply", { force: "true" });
    expect(await data(scope, "settings")).toEqual({ level: "info", theirs: "stays" });
  });

  it("adoption (B13)", async () => {
    const { scope, installation } = await open("adopt");
    await installation.succeed("item");
    const second = new GuidedInstallation(scope, "second");
    await second.succeed("adopt");
    await installation.remove();
    expect(await data(scope, "web")).toEqual({ text: "taken over" });
  });

  describe("a Job with kstatus (B7, B9)", () => {
    const time = "2026-01-01T00:00:00Z";

    async function end(scope: TestNamespace, status: object): Promise<void> {
      await scope.waitOnTarget(jobs, "migration", (found) => found !== undefined);
      const patch = { type: "merge", body: { status }, subresource: "status" } as const;
      await environment.targetClient.patch(jobs, { namespace: scope.targetNamespace, name: "migration" }, patch);
    }
    const conditions = (...types: readonly string[]): object[] =>
      types.map((type) => ({ type, status: "True", reason: "BackoffLimitExceeded", lastTransitionTime: time }));

    it("is waited for", async () => {
      const { scope, installation } = await open("job");
      await installation.apply("kstatus");
      await scope.waitOnTarget(jobs, "migration", (found: KubeObject | undefined) => found !== undefined);
      expect((await installation.item())?.status?.jobIDFinished).toBe(undefined);
      const done = { startTime: time, completionTime: time, succeeded: 1 };
      await end(scope, { ...done, conditions: conditions("SuccessCriteriaMet", "Complete") });
      await scope.waitForPhase("guided", "Succeeded");
    });

    it("ends the job when it fails", async () => {
      const { scope, installation } = await open("failed-job");
      await installation.apply("kstatus");
      await end(scope, { startTime: time, failed: 7, conditions: conditions("FailureTarget", "Failed") });
      expect(await installation.fail()).toContain(
        `Job ${scope.targetNamespace}/migration: has failed (BackoffLimitExceeded)`,
      );
    });
  });

  it("checks of one's own (A5)", async () => {
    const { scope, installation } = await open("checks");
    await installation.apply("custom-checks");
    await scope.waitOnTarget(kubeResources.configMap, "certificate", (found) => found !== undefined);
    await edit(scope, "certificate", { data: { state: "issued", error: "none" } });
    await scope.until(resources.execution, "guided", (found) => found?.status?.phase === "Progressing");
    await edit(scope, "certificate", { data: { error: null } });
    await scope.waitForPhase("guided", "Succeeded");
  });

  it("exports (A14)", async () => {
    const { scope, installation } = await open("exports");
    await installation.succeed("exports");
    const name = (await installation.item())?.status?.exportRef?.name ?? "";
    const secret = await scope.get(kubeResources.secret, name);
    const config: unknown = JSON.parse(Buffer.from(secret.data?.["config"] ?? "", "base64").toString());
    expect(config).toEqual({ robot: { team: "blue", token: "YWJj" } });
  });

  it("changes before and after (A12)", async () => {
    const { scope, installation } = await open("hooks");
    await installation.succeed("hooks");
    const made = await scope.findOnTarget(kubeResources.configMap, "service");
    expect(made).toMatchObject({
      metadata: { annotations: { "example.com/made-by": "landscaper" } },
      data: { phase: "running" },
    });
    await scope.delete(resources.installation, "guided");
    await scope.waitOnTarget(
      kubeResources.configMap,
      "service",
      (found) => found?.metadata.deletionTimestamp !== undefined,
    );
    expect(await scope.findOnTarget(kubeResources.configMap, "service")).toMatchObject({
      metadata: { annotations: { "example.com/confirmed": "true" } },
      data: { phase: "stopping" },
    });
    await edit(scope, "service", { metadata: { finalizers: null } });
    await scope.untilGone(resources.installation, "guided");
  });

  it("approval (B6)", async () => {
    const { scope, installation } = await open("approval");
    await installation.apply("approval", { price: "2.50" });
    await scope.until(resources.execution, "guided", (found) => found?.status?.phase === "Progressing");
    const name = (await installation.item())?.metadata.name ?? "";
    const isWaiting = (item: DeployItem | undefined): boolean =>
      item?.status?.conditions?.some(({ message }) => message.startsWith("waiting for approval of 1 to create: ")) ===
      true;
    const item = await scope.until(resources.deployItem, name, isWaiting);
    expect(await data(scope, "prices")).toBe("absent");
    const body = { metadata: { annotations: { "landscaper.gardener.cloud/approved-job": item?.status?.jobID } } };
    await environment.client.patch(resources.deployItem, { namespace: scope.name, name }, { type: "merge", body });
    await scope.waitForPhase("guided", "Succeeded");
    expect(await data(scope, "prices")).toEqual({ bread: "2.50" });
  });

  it("fields that others may change", async () => {
    const { scope, installation } = await open("ignore-fields");
    await installation.succeed("ignore-fields");
    await edit(scope, "logging", { data: { level: "debug", format: "text" } });
    await installation.succeed("ignore-fields");
    expect(await data(scope, "logging")).toEqual({ level: "debug", format: "json" });
  });

  describe("drift", () => {
    async function waitForReason(
      scope: TestNamespace,
      installation: GuidedInstallation,
      reason: string,
    ): Promise<string> {
      const name = (await installation.item())?.metadata.name ?? "";
      const drifted = (item: DeployItem | undefined) =>
        item?.status?.conditions?.find(({ type }) => type === "Drifted");
      const item = await scope.until(resources.deployItem, name, (found) => drifted(found)?.reason === reason);
      return drifted(item)?.message ?? "";
    }

    it("is reported (B3)", async () => {
      const { scope, installation } = await open("warn");
      await installation.succeed("drift", { mode: "warn", every: "1s" });
      await edit(scope, "limits", { data: { cpu: "4", counter: "7" } });
      const message = await waitForReason(scope, installation, "Drifted");
      expect(message).toBe(`ConfigMap ${scope.targetNamespace}/limits: .data.cpu`);
      expect(await data(scope, "limits")).toEqual({ cpu: "4", counter: "7" });
      expect((await scope.get(resources.installation, "guided")).status?.phase).toBe("Succeeded");
    });

    it("is corrected, but for the fields that others may change (B4)", async () => {
      const { scope, installation } = await open("correct");
      await installation.succeed("drift", { mode: "correct", every: "1s" });
      await edit(scope, "limits", { data: { cpu: "4", counter: "7" } });
      await scope.waitOnTarget(kubeResources.configMap, "limits", (found) => found?.data?.["cpu"] === "2");
      expect(await data(scope, "limits")).toEqual({ cpu: "2", counter: "7" });
    });
  });

  it("what a job would change (B5)", async () => {
    const { scope, installation } = await open("plan");
    await installation.succeed("plan", { password: "sesame" });
    const password = { data: { password: Buffer.from("open sesame").toString("base64") } };
    const key = { namespace: scope.targetNamespace, name: "login" };
    await environment.targetClient.patch(kubeResources.secret, key, { type: "merge", body: password });
    await edit(scope, "settings", { data: { level: "debug" } });
    await environment.targetClient.delete(kubeResources.configMap, { ...key, name: "motd" });
    const name = (await installation.item())?.metadata.name ?? "";
    const body = { metadata: { annotations: { [annotations.operation]: operations.plan } } };
    await environment.client.patch(resources.deployItem, { namespace: scope.name, name }, { type: "merge", body });
    await scope.until(
      resources.deployItem,
      name,
      (found) => found?.metadata.annotations?.[annotations.operation] === undefined,
    );
    const secret = await scope.get(kubeResources.secret, `${name}-plan`);
    const text = Buffer.from(secret.data?.["plan.txt"] ?? "", "base64").toString();
    expect(text.replaceAll(scope.targetNamespace, "shop").replaceAll(name, "ITEM")).toBe(guide.output("plan"));
  });

  it("deletion groups (A15)", async () => {
    const { scope, installation } = await open("groups");
    await installation.succeed("deletion-groups");
    await installation.remove();
    expect([await data(scope, "operator"), await data(scope, "database")]).toEqual(["absent", "absent"]);
    expect(await scope.findOnTarget(kubeResources.secret, "leftover")).toBeDefined();
  });
});
