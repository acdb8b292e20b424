// Items that go and leave their objects, and items that take objects over, with the test as Landscaper.
import { afterEach, describe, expect, it } from "@jest/globals";
import { annotations, kubeResources, labels, resources, type KubeObject } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { useManifestBench } from "../test/manifest-bench.ts";
import { configMap, specOf } from "../test/manifests.ts";

const bench = useManifestBench("take-over");
const ofHub = { [annotations.hubId]: "hub-1" };
const ofItem = { [labels.managedBy]: "blog", [labels.managedName]: "web" };
const isRefused = ({ lastError }: { lastError?: { reason?: string } }): boolean =>
  lastError?.reason === "TargetOwnedByOther";
afterEach(() => bench.clearFaults());

const spec = () => specOf([configMap(`${bench.n}/a`, { x: "1" })]);

async function marksOf(name: string): Promise<KubeObject["metadata"]["annotations"]> {
  return (await bench.find(name))?.metadata.annotations;
}

/** Messages of Events of one reason about an item. */
async function eventsOf(item: string, reason: string): Promise<readonly unknown[]> {
  const { items } = await bench.fixture.hubClient.list(kubeResources.event, { namespace: bench.n });
  return items
    .filter((event) => Reflect.get(event, "reason") === reason)
    .filter((event) => Reflect.get(Object(Reflect.get(event, "regarding")), "name") === item)
    .map((event) => Reflect.get(event, "note"));
}

/** The item goes, and nobody takes its marks off. */
async function loseItem(name: string): Promise<void> {
  const key = { namespace: bench.n, name };
  await bench.fixture.hubClient.patch(resources.deployItem, key, {
    type: "merge",
    body: { metadata: { finalizers: null } },
  });
  await bench.fixture.hubClient.delete(resources.deployItem, key);
  await bench.scope.waitUntilGone(name);
}

describe("an item", () => {
  it("marks its objects with the landscaper cluster and the Installation", async () => {
    await bench.scope.create({ name: "item", spec: spec(), annotations: ofHub, labels: ofItem });
    const { metadata } = await bench.scope.waitForEnd("item");
    expect(await marksOf("a")).toEqual({
      [annotations.ownedBy]: `${bench.n}/item/${metadata.uid}`,
      [annotations.ownedByHub]: "hub-1",
      [annotations.ownedByItem]: "blog/web",
    });
  });

  it("that goes without being uninstalled takes its marks off", async () => {
    const leaving = { ...ofHub, [annotations.deleteWithoutUninstall]: "true" };
    await bench.scope.create({ name: "item", spec: spec(), annotations: leaving, labels: ofItem });
    await bench.scope.waitForEnd("item");
    await bench.scope.remove("item");
    await bench.scope.waitUntilGone("item");
    const left = await bench.find("a");
    expect([left?.data, left?.metadata.annotations ?? {}, left?.metadata.labels ?? {}]).toEqual([{ x: "1" }, {}, {}]);
  });

  it("takes back what an item has left that went without being uninstalled, and says so in an event", async () => {
    const leaving = { ...ofHub, [annotations.deleteWithoutUninstall]: "true" };
    await bench.scope.create({ name: "item", spec: spec(), annotations: leaving });
    await bench.scope.waitForEnd("item");
    await bench.scope.remove("item");
    await bench.scope.waitUntilGone("item");
    await bench.scope.create({ name: "item", spec: spec(), annotations: ofHub });
    const { status, metadata } = await bench.scope.waitForEnd("item");
    expect(status?.phase).toBe("Succeeded");
    expect((await marksOf("a"))?.[annotations.ownedBy]).toBe(`${bench.n}/item/${metadata.uid}`);
    const note = `took over ConfigMap ${bench.n}/a, which had no owner`;
    await waitFor(async () => (await eventsOf("item", "TakenOver")).includes(note));
  });

  it("that goes without being uninstalled does not wait for a target that is away", async () => {
    const leaving = { ...ofHub, [annotations.deleteWithoutUninstall]: "true" };
    await bench.scope.create({ name: "item", spec: spec(), annotations: leaving });
    await bench.scope.waitForEnd("item");
    bench.fixture.target.setFault(() => ({ status: 503, reason: "ServiceUnavailable", message: "away" }));
    await bench.scope.remove("item");
    await bench.scope.waitUntilGone("item");
  });

  it("takes over what an item of its namespace has left that is gone, and says so in an event", async () => {
    await bench.scope.create({ name: "former", spec: spec(), annotations: ofHub, labels: ofItem });
    await bench.scope.waitForEnd("former");
    await loseItem("former");
    await bench.scope.create({ name: "item", spec: spec(), annotations: ofHub });
    const { status, metadata } = await bench.scope.waitForEnd("item");
    expect(status?.phase).toBe("Succeeded");
    expect((await marksOf("a"))?.[annotations.ownedBy]).toBe(`${bench.n}/item/${metadata.uid}`);
    const note = `took over ConfigMap ${bench.n}/a from deploy item former (blog/web)`;
    await waitFor(async () => (await eventsOf("item", "TakenOver")).includes(note));
  });

  it("waits for an owner that is being deleted, and says why", async () => {
    await bench.scope.create({ name: "former", spec: spec(), annotations: ofHub });
    await bench.scope.waitForEnd("former");
    const key = { namespace: bench.n, name: "former" };
    await bench.fixture.hubClient.delete(resources.deployItem, key);
    await bench.scope.create({ name: "item", spec: spec(), annotations: ofHub });
    const waiting = await bench.scope.waitFor("item", isRefused);
    expect(waiting.status?.lastError?.message).toBe(
      `ConfigMap ${bench.n}/a belongs to deploy item former, by its annotation ${annotations.ownedBy}; the deploy item is being deleted; the job continues when it is gone`,
    );
    await bench.fixture.hubClient.patch(resources.deployItem, key, {
      type: "merge",
      body: { metadata: { finalizers: null } },
    });
    expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
  });

  it("waits while the owner cannot be looked up", async () => {
    await bench.scope.create({ name: "former", spec: spec(), annotations: ofHub });
    await bench.scope.waitForEnd("former");
    await loseItem("former");
    bench.fixture.hub.setFault(({ verb, resource, name }) =>
      verb === "get" && resource === "deployitems" && name === "former"
        ? { status: 403, reason: "Forbidden", message: "no" }
        : undefined,
    );
    await bench.scope.create({ name: "item", spec: spec(), annotations: ofHub });
    const waiting = await bench.scope.waitFor("item", isRefused);
    expect(waiting.status?.lastError?.message).toBe(
      `ConfigMap ${bench.n}/a belongs to deploy item former, by its annotation ${annotations.ownedBy}; ` +
        "the deploy item cannot be looked up: the landscaper cluster answers 403; grant the deployer the right to get DeployItems there",
    );
    bench.fixture.hub.setFault(undefined);
    expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
  });

  it("is refused the object of an item that exists", async () => {
    await bench.scope.create({ name: "former", spec: spec(), annotations: ofHub });
    await bench.scope.waitForEnd("former");
    const all = { ...ofHub, [annotations.takeOverFrom]: `hub-1,hub-1/${bench.n},${bench.n}/former` };
    await bench.scope.create({ name: "item", spec: spec(), annotations: all });
    const waiting = await bench.scope.waitFor("item", isRefused);
    expect(waiting.status?.lastError?.message).toBe(
      `ConfigMap ${bench.n}/a belongs to deploy item former, by its annotation ${annotations.ownedBy}; ` +
        "remove the object from the other item, or set adopt: true in the entry of the manifest to take it over",
    );
    await bench.scope.interrupt("item");
  });

  it("takes over from another landscaper cluster what the annotation names", async () => {
    await bench.scope.create({ name: "former", spec: spec(), annotations: { [annotations.hubId]: "hub-2" } });
    await bench.scope.waitForEnd("former");
    await loseItem("former");
    await bench.scope.create({ name: "item", spec: spec(), annotations: ofHub });
    const waiting = await bench.scope.waitFor("item", isRefused);
    expect(waiting.status?.lastError?.message).toContain(`${annotations.takeOverFrom}: "hub-2/${bench.n}"`);
    await bench.scope.interrupt("item");
    await bench.scope.waitForEnd("item");
    const body = { metadata: { annotations: { [annotations.takeOverFrom]: `hub-2/${bench.n}` } } };
    const key = { namespace: bench.n, name: "item" };
    await bench.fixture.hubClient.patch(resources.deployItem, key, { type: "merge", body });
    await bench.scope.trigger("item");
    expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    expect((await marksOf("a"))?.[annotations.ownedByHub]).toBe("hub-1");
  });
});
