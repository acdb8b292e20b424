// Releases that items of several namespaces and landscaper clusters, or an item and Helm, have under one name.
import { describe, expect, it } from "@jest/globals";
import { annotations, kubeResources, labels, resources } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { helmSpec } from "../../test/index.ts";
import { mapChart, useHelmBench } from "../../test/helm-bench.ts";
import { rawChart } from "../../test/index.ts";

const bench = useHelmBench();
const { ownedBy, ownedByHub, ownedByItem, hubId, takeOverFrom } = annotations;
const record = "sh.helm.release.v1.app.v1";
type Marks = Readonly<Record<string, string | null>>;

/** Whose a revision of the release is; null: nobody's, as one that Helm has written. */
async function mark(marks: Marks, name = record): Promise<void> {
  const key = { namespace: bench.namespace, name };
  await bench.fixture.targetClient.patch(kubeResources.secret, key, {
    type: "merge",
    body: { metadata: { annotations: marks } },
  });
}

const helmVersion = "helm.deployer.landscaper.gardener.cloud/helm-version";

/** Returns the annotations of a record that name its owner. */
async function marksOf(name = record): Promise<Readonly<Record<string, string>>> {
  const { [helmVersion]: _unowned, ...marks } =
    (await bench.find(kubeResources.secret, name))?.metadata.annotations ?? {};
  return marks;
}

/** An item of landscaper cluster hub-1 that has the release. */
async function deploy(marks: Record<string, string> = {}): Promise<string> {
  const spec = helmSpec(bench.namespace, { chart: await rawChart(mapChart) });
  const ofItem = { [labels.managedBy]: "blog", [labels.managedName]: "web" };
  await bench.scope.create({ name: "item", spec, annotations: { [hubId]: "hub-1", ...marks }, labels: ofItem });
  const { metadata } = await bench.scope.waitForEnd("item");
  return `${bench.namespace}/item/${metadata.uid}`;
}

const apart = "uninstall it there, or deploy it under another name";
const hintOf = (value: string): string =>
  `if its former owner no longer exists, set the annotation ${takeOverFrom}: "${value}" on the Installation (or on the DeployItem, if it has no Installation), and trigger a new job`;
const belongsTo = (owner: string): string =>
  `release ${bench.namespace}/app belongs to deploy item ${owner}, by the annotation ${ownedBy} of its newest revision`;

/** The message of the next job, which does not get the release. */
async function failure(): Promise<string | undefined> {
  await bench.scope.trigger("item");
  const failing = await bench.scope.waitFor("item", ({ lastError }) => lastError !== undefined);
  expect(failing.status?.lastError?.reason).toBe("TargetOwnedByOther");
  await bench.scope.interrupt("item");
  await bench.scope.waitForEnd("item");
  return failing.status?.lastError?.message;
}

/** Until there is an event that says so. */
async function untilTold(note: string): Promise<void> {
  await waitFor(async () => {
    const { items } = await bench.fixture.hubClient.list(kubeResources.event, { namespace: bench.namespace });
    return items.some((event) => Reflect.get(event, "note") === note);
  });
}

describe("a release", () => {
  it("bears the marks of its item", async () => {
    const owner = await deploy();
    expect(await marksOf()).toEqual({ [ownedBy]: owner, [ownedByHub]: "hub-1", [ownedByItem]: "blog/web" });
  });

  it("of another item is neither upgraded nor uninstalled", async () => {
    await deploy();
    await mark({ [ownedBy]: "others/item/uid", [ownedByHub]: null, [ownedByItem]: null });
    expect(await failure()).toBe(`${belongsTo("others/item")}; ${hintOf("others/item")}`);
    await bench.scope.remove("item");
    await bench.scope.waitUntilGone("item");
    expect(await bench.revisions()).toEqual(["app.v1 deployed"]);
    expect(await bench.data()).toBeDefined();
  });

  it("that Helm has written is taken over", async () => {
    await deploy();
    await mark({ [ownedBy]: null, [ownedByHub]: null, [ownedByItem]: null });
    await bench.remove();
    expect(await bench.revisions()).toEqual([]);
  });

  it.each<[owner: string, hub: string, words: string, hint: string]>([
    ["theirs/former", "hub-1", "theirs/former (blog/web)", "hub-1/theirs"],
    ["theirs/former", "hub-2", "theirs/former (blog/web) of landscaper cluster hub-2", "hub-2/theirs"],
  ])("of %s of %s that is gone is only taken over with the annotation", async (...[owner, hub, words, value]) => {
    const ours = await deploy();
    await mark({ [ownedBy]: `${owner}/uid`, [ownedByHub]: hub });
    expect(await failure()).toBe(`${belongsTo(words)}; ${hintOf(value)}`);
    await bench.annotate(takeOverFrom, value);
    await bench.scope.trigger("item");
    expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    expect(await marksOf()).toEqual({ [ownedBy]: ours, [ownedByHub]: "hub-1", [ownedByItem]: "blog/web" });
    await bench.remove();
    expect(await bench.revisions()).toEqual([]);
  });

  it("of an item of this namespace that is gone is taken over, and an event says so", async () => {
    const ours = await deploy();
    await mark({ [ownedBy]: `${bench.namespace}/former/uid`, [ownedByItem]: "blog/former" });
    await bench.scope.trigger("item");
    expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    expect((await marksOf())?.[ownedBy]).toBe(ours);
    await untilTold(`took over release ${bench.namespace}/app from deploy item former (blog/former)`);
  });

  it("of an item of this namespace that exists is refused, whatever the annotation says", async () => {
    await deploy({ [takeOverFrom]: "hub-1" });
    await bench.scope.create({ name: "former", spec: { type: "example.org/other" } });
    const { uid } = (await bench.scope.get("former")).metadata;
    await mark({ [ownedBy]: `${bench.namespace}/former/${uid}`, [ownedByItem]: null });
    expect(await failure()).toBe(`${belongsTo("former")}; ${apart}`);
  });

  it("of an item that is being deleted is waited for", async () => {
    await deploy();
    await bench.scope.create({ name: "former", spec: { type: "example.org/other" } });
    const { uid } = (await bench.scope.get("former")).metadata;
    const key = { namespace: bench.namespace, name: "former" };
    await bench.fixture.hubClient.delete(resources.deployItem, key);
    await mark({ [ownedBy]: `${bench.namespace}/former/${uid}`, [ownedByItem]: null });
    expect(await failure()).toBe(
      `${belongsTo("former")}; the deploy item is being deleted; the job continues when it is gone`,
    );
  });

  it("loses its marks when its item is deleted without uninstalling it", async () => {
    await deploy({ [annotations.deleteWithoutUninstall]: "true" });
    await bench.remove();
    expect([await bench.revisions(), await marksOf()]).toEqual([["app.v1 deployed"], {}]);
  });

  it("that such an item has left is taken back, and an event says so", async () => {
    await deploy({ [annotations.deleteWithoutUninstall]: "true" });
    await bench.remove();
    const owner = await deploy();
    expect((await marksOf("sh.helm.release.v1.app.v2"))?.[ownedBy]).toBe(owner);
    await untilTold(`took over release ${bench.namespace}/app, which had no owner`);
    await bench.remove();
    expect(await bench.revisions()).toEqual([]);
  });

  it("is not unmarked by an item that it does not belong to", async () => {
    await deploy({ [annotations.deleteWithoutUninstall]: "true" });
    const marks = { [ownedBy]: "others/item/uid", [ownedByHub]: "hub-2", [ownedByItem]: "a/b" };
    await mark(marks);
    await bench.remove();
    expect(await marksOf()).toEqual(marks);
  });
});
