// Charts of components that stand in a repository context, which the annotation of the item has (docs/reference/components.md#inline-repositories).
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createChartPinner, readClosure, SupplyReader, type ChartPin } from "@landscaper/components";
import { descriptorOf, type TestComponent } from "@landscaper/components/testing";
import type { RepositoryContext } from "@landscaper/ocm";
import { mapChart, useHelmBench } from "../../test/helm-bench.ts";
import { startChartServer, type ChartServer } from "../../test/index.ts";
import { chartOf, componentWith, deployPinned, leftBehind, nothing, resourceRefOf } from "../../test/pinned-charts.ts";

const local = { access: { type: "localBlob", localReference: "chart", mediaType: "application/x-tar" } };
const files = (key: string): object => ({
  app: {
    "Chart.yaml": "apiVersion: v2\nname: app\nversion: 1.0.0\n",
    "values.yaml": `key: ${key}\n`,
    templates: { "map.yaml": mapChart["templates/map.yaml"] },
  },
});

function contextOf(component: TestComponent, key: string): RepositoryContext {
  const fileSystem = { "app.json": JSON.stringify(descriptorOf(component)), blobs: { chart: files(key) } };
  return { type: "inline", fileSystem };
}

/** What the core writes. */
async function pinOfCore(
  component: TestComponent,
  context: RepositoryContext | undefined,
  isInline = false,
): Promise<ChartPin> {
  const root = isInline ? { inline: descriptorOf(component) } : component;
  const selection = { root, context, overwrites: [], hasResolvers: false };
  const closure = await readClosure(selection, { supplies: new SupplyReader([]), where: "test" });
  const pin = createChartPinner(closure)({ resourceRef: resourceRefOf(component) });
  if (pin === undefined) throw new Error("it is not pinned");
  return pin;
}

async function pinFor(component: TestComponent, context: RepositoryContext): Promise<ChartPin> {
  const pin = await pinOfCore(component, context);
  if (pin.descriptor === undefined || pin.repository === undefined) throw new Error("it is not pinned");
  return pin;
}

describe("the chart of an inline repository", () => {
  const bench = useHelmBench();
  let server: ChartServer;
  beforeAll(async () => {
    server = await startChartServer(await chartOf("in a registry"));
  });
  afterAll(async () => server?.stop());

  it("is deployed from the context", async () => {
    const component = await componentWith("", local);
    const pin = await pinFor(component, contextOf(component, "inline"));
    const { status } = await deployPinned(bench, { resourceRef: resourceRefOf(component) }, pin);
    expect(status?.lastError).toBeUndefined();
    expect(await bench.data()).toMatchObject({ key: "inline" });
  });

  it("is fetched when it lies in a registry", async () => {
    const access = { type: "ociArtifact", imageReference: `http://${server.host}/charts/app:1.0.0` };
    const component = await componentWith("", { access });
    const pin = await pinFor(component, contextOf(component, "not asked for"));
    const { status } = await deployPinned(bench, { resourceRef: resourceRefOf(component) }, pin);
    expect(status?.phase).toBe("Succeeded");
    expect(await bench.data()).toMatchObject({ key: "in a registry" });
  });

  it("is deployed although its component refers to one of another repository", async () => {
    const references = [{ name: "other", componentName: "example.com/other", version: "1.0.0" }];
    const component = { ...(await componentWith("", local)), references };
    const repository = contextOf(component, "inline");
    const pin = { component: "example.com/app:1.0.0", repository };
    const { status } = await deployPinned(bench, { resourceRef: resourceRefOf(component) }, pin);
    expect(status?.phase).toBe("Succeeded");
  });

  const nowhere =
    "component example.com/app:1.0.0: no repository is known for it: neither the Installation nor its Context has a repositoryContext, and no resolver of the OCM configuration fits";
  const standsInInstallation =
    "its descriptor stands in the Installation, and the deployer reads charts from repositories only: store the component version there as well";

  it("is not found when the repository is too long for the annotation, and the message says so", async () => {
    const component = await componentWith("", local);
    const pin = await pinOfCore(component, contextOf(component, "x".repeat(40_000)));
    expect(pin.repository).toBeUndefined();
    const { status } = await deployPinned(bench, { resourceRef: resourceRefOf(component) }, pin);
    expect(status?.lastError).toMatchObject({
      reason: "RepositoryContextMissing",
      message: expect.stringContaining(
        `${nowhere}; the repository in which the core has found it has more than 32 KiB and does not go with the deploy item: name it in the Context, or use a registry`,
      ),
    });
  });

  it.each<[string, RepositoryContext | undefined, string]>([
    ["without a repository", undefined, nowhere],
    [
      "with a repository that does not have it",
      { type: "inline", fileSystem: {} },
      "component example.com/app:1.0.0: there is no such component version in the inline repository",
    ],
  ])(
    "is not found for a descriptor in the Installation %s, and the message says so",
    async (...[, context, problem]) => {
      const component = await componentWith("", local);
      const pin = await pinOfCore(component, context, true);
      const { status } = await deployPinned(bench, { resourceRef: resourceRefOf(component) }, pin);
      expect(status?.lastError?.message).toContain(`${problem}; ${standsInInstallation}`);
      expect(await leftBehind(bench)).toEqual(nothing);
    },
  );

  it("is not deployed when its descriptor is not the pinned one", async () => {
    const component = await componentWith("", local);
    const pin = await pinFor(component, contextOf(component, "inline"));
    const other = { ...component, references: [{ name: "other", componentName: "example.com/o", version: "1.0.0" }] };
    const changed = { ...pin, repository: contextOf(other, "inline") };
    const { status } = await deployPinned(bench, { resourceRef: resourceRefOf(component) }, changed);
    expect(status?.lastError).toMatchObject({
      reason: "ComponentChanged",
      message: expect.stringContaining(
        `component example.com/app:1.0.0: descriptor: digest mismatch: the job was rendered with ${pin.descriptor}, the repository now has sha256:`,
      ),
    });
    expect(await leftBehind(bench)).toEqual(nothing);
  });

  it("is not deployed when it is not what the pinned digest says", async () => {
    const component = await componentWith("", local);
    const value = "0".repeat(64);
    const pin = {
      ...(await pinFor(component, contextOf(component, "inline"))),
      digest: { hashAlgorithm: "SHA-256", normalisationAlgorithm: "genericBlobDigest/v1", value },
    };
    const { status } = await deployPinned(bench, { resourceRef: resourceRefOf(component) }, pin);
    expect(status?.lastError?.message).toContain(`resource "chart": digest mismatch: the descriptor has ${value}`);
    expect(await leftBehind(bench)).toEqual(nothing);
  });

  it("is not there in a context that holds no component", async () => {
    const component = await componentWith("", local);
    const pin = { component: "example.com/app:1.0.0", repository: { type: "inline", fileSystem: "- no map" } };
    const { status } = await deployPinned(bench, { resourceRef: resourceRefOf(component) }, pin);
    expect(status?.lastError).toMatchObject({
      reason: "InvalidComponent",
      message: expect.stringContaining("inline repository: fileSystem: expected files and folders by name"),
    });
  });
});
