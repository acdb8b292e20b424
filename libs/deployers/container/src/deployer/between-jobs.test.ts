// What a container item does between its jobs, and what is removed when it is gone, on embedded clusters: the Pods are played.
import { describe, expect, it } from "@jest/globals";
import { annotations, kubeResources, resources, type DeployItem } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { containerLabels } from "../contract/labels.ts";
import { settingsOf, specOf, useContainerBench } from "../../test/container-bench.ts";
import { createContainerDeployer } from "./container-deployer.ts";

const bench = useContainerBench("container-between");
const keyOf = (name: string) => ({ namespace: bench.scope.namespace, name });

async function annotate(operation: string): Promise<void> {
  const body = { metadata: { annotations: { [annotations.operation]: operation } } };
  await bench.fixture.hubClient.patch(resources.deployItem, keyOf("item"), { type: "merge", body });
}

const conditionOf = ({ status }: DeployItem, wanted: string) => status?.conditions?.find(({ type }) => type === wanted);

describe("what is repeated between jobs", () => {
  it("is another run of the program, whose exports count", async () => {
    bench.start();
    await bench.scope.create({ name: "item", spec: specOf() });
    const first = await bench.untilPod();
    await bench.finish(first, { exports: "run: 1" });
    await bench.scope.waitForEnd("item");
    await annotate("refresh");
    const second = await bench.untilPod([first]);
    expect(second.metadata.name).not.toBe(first.metadata.name);
    await bench.finish(second, { exports: "run: 2" });
    await bench.scope.waitFor(
      "item",
      ({ conditions }) =>
        conditions?.some(({ type, status }) => type === "ContinuousReconcile" && status === "True") === true,
    );
    expect(await bench.exportsOf(await bench.scope.get("item"))).toEqual({ run: 2 });
  });
});

describe("the plan of a container item", () => {
  async function plan(): Promise<{ readonly summary: string | undefined; readonly changes: unknown }> {
    await annotate("plan");
    await waitFor(async () => {
      const item = await bench.scope.get("item");
      return item.metadata.annotations?.[annotations.operation] === undefined && conditionOf(item, "Planned");
    });
    const secret = await bench.fixture.hubClient.get(kubeResources.secret, keyOf("item-plan"));
    const document = JSON.parse(Buffer.from(secret.data?.["plan.json"] ?? "", "base64").toString()) as {
      changes: unknown;
    };
    return { summary: conditionOf(await bench.scope.get("item"), "Planned")?.message, changes: document.changes };
  }

  it("says which image would run, and which inputs are others than in the last run, without values", async () => {
    bench.start();
    await bench.scope.create({ name: "item", spec: specOf({ importValues: { a: "secret-a", b: "secret-b" } }) });
    await bench.finish(await bench.untilPod());
    const item = await bench.scope.waitForEnd("item");
    const same = await plan();
    expect(same.summary).toContain("run registry.example/program:1: with the configuration of the last run");
    const { config } = specOf({ importValues: { a: "secret-a", b: "other" }, image: "registry.example/program:2" });
    await bench.fixture.hubClient.update(resources.deployItem, {
      ...(await bench.scope.get("item")),
      spec: { ...item.spec, ...(config === undefined ? {} : { config }) },
    });
    const other = await plan();
    expect(other.summary).toContain("run registry.example/program:2: 2 changed");
    expect(other.changes).toEqual([
      {
        type: "run",
        operation: "RECONCILE",
        image: "registry.example/program:2",
        isFirst: false,
        changed: ["image", "importValues.b"],
      },
    ]);
    expect(JSON.stringify(await bench.scope.get("item")).split('"conditions"')[1]).not.toMatch(/secret-|other/);
    expect(await bench.pods()).toEqual([]);
  });
});

describe("what an item leaves that goes without its finalizer", () => {
  it("is removed by the next sweep, and nothing of other items or deployers", async () => {
    const garbageCollection = { requeueTimeSeconds: 1 };
    bench.start({ garbageCollection });
    for (const name of ["gone", "stays"]) {
      const known = await bench.pods();
      await bench.scope.create({ name, spec: specOf() });
      await bench.finish(await bench.untilPod(known), { state: ["one"], exports: "a: 1" });
      await bench.scope.waitForEnd(name);
    }
    await waitFor(async () => (await bench.pods()).length === 0);
    const { namespace } = bench.scope;
    const labels = { [containerLabels.deployerId]: "another", [containerLabels.uid]: "of-nobody", app: "other" };
    const foreign = { apiVersion: "v1", kind: "Secret", metadata: { name: "foreign", namespace, labels } };
    await bench.host.create(kubeResources.secret, foreign);
    const before = await bench.hostObjects();
    const merge = { type: "merge", body: { metadata: { finalizers: null } } } as const;
    await bench.fixture.hubClient.patch(resources.deployItem, keyOf("gone"), merge);
    await bench.fixture.hubClient.delete(resources.deployItem, keyOf("gone"));
    await waitFor(async () => !(await bench.hostObjects()).some((name) => name.includes("gone")));
    expect(await bench.hostObjects()).toEqual(before.filter((name) => !name.includes("gone")));
  });

  it("stays where the collection is off", async () => {
    const settings = settingsOf({ garbageCollection: { disable: true } }, "default");
    const ended = createContainerDeployer(settings).background?.({} as never);
    await expect(ended).resolves.toBeUndefined();
  });
});

describe("items whose names make the same names on the host", () => {
  it("have objects of their own, and none loses any by the deletion of the other", async () => {
    bench.start();
    const host = bench.scope.namespace;
    // Namespace "x" with item "y-z", and namespace "x-y" with item "z".
    const other = await bench.fixture.scope(`${host}-y`);
    await bench.scope.create({ name: "y-z", spec: specOf({ importValues: { of: "one" } }) });
    const first = await bench.untilPod();
    await other.create({ name: "z", spec: specOf({ importValues: { of: "other" } }) });
    const second = await bench.untilPod([first]);
    const [oneJob, otherJob] = [await bench.job(first), await bench.job(second)];
    expect(oneJob.exports.name).toBe(`${host}-y-z-export`);
    // Nobody has written these yet.
    expect(otherJob.exports.name).toMatch(new RegExp(`^${host}-y-z-export-\\w{8}$`));
    expect(oneJob.state.index.name).toBe(`${host}-y-z-state-index`);
    expect(otherJob.state.index.name).toMatch(new RegExp(`^${host}-y-z-state-index-\\w{8}$`));
    const configOf = (pod: typeof first): string => {
      const volumes = pod.spec?.["volumes"] as { name: string; secret?: { secretName: string } }[];
      return volumes.find(({ name }) => name === "configuration")?.secret?.secretName ?? "";
    };
    expect(configOf(first)).toBe(`${host}-y-z-config`);
    expect(configOf(second)).toMatch(new RegExp(`^${host}-y-z-config-\\w{8}$`));
    for (const [pod, of] of [
      [first, "one"],
      [second, "other"],
    ] as const) {
      const secret = await bench.host.get(kubeResources.secret, { namespace: host, name: configOf(pod) });
      const text = Buffer.from(secret.data?.["configuration.json"] ?? "", "base64").toString();
      expect(JSON.parse(text)).toMatchObject({ importValues: { of } });
    }
    await bench.finish(first, { exports: "of: one" });
    await bench.scope.waitForEnd("y-z");
    // Now the name of the exports is taken by the first.
    await bench.finish(second, { exports: "of: other", state: ["other"] });
    await other.waitForEnd("z");
    expect(await bench.exportsOf(await bench.scope.get("y-z"))).toEqual({ of: "one" });
    await bench.scope.remove("y-z");
    await bench.finish(await bench.untilPod([first, second]));
    await bench.scope.waitUntilGone("y-z");
    const left = await bench.hostObjects();
    expect(left).toContain(`Secret ${configOf(second)}`);
    expect(left.filter((name) => name.startsWith("Secret state-"))).toHaveLength(1);
  });
});
