// Charts of registries whose tags have moved since the core rendered the item (docs/reference/components.md#pins).
import { annotations, resources } from "@landscaper/api";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { descriptorOf, digest, pushArtifact, pushComponents, type TestPlace } from "@landscaper/components/testing";
import { createRegistryClient, type RegistryClient } from "@landscaper/oci";
import { startTestRegistry, type TestRegistry } from "@landscaper/oci/testing";
import { describeUnless, programAbsence } from "@landscaper/testkit";
import { useHelmBench } from "../../test/helm-bench.ts";
import {
  chartMediaType,
  chartOf,
  componentWith,
  deployPinned,
  leftBehind,
  nothing,
  pinOf,
  resourceRefOf,
} from "../../test/pinned-charts.ts";

describeUnless(programAbsence("docker-registry"), describe)("a chart that an item is pinned to", () => {
  const bench = useHelmBench();
  let registry: TestRegistry;
  let client: RegistryClient;
  let repositories = 0;
  beforeAll(async () => {
    registry = await startTestRegistry();
    client = createRegistryClient({ userAgent: "test" });
  });
  afterAll(async () => {
    await client?.close();
    await registry?.stop();
  });

  /** Each in a path of its own. */
  function newPlace(): TestPlace & { readonly repository: { readonly type: string; readonly baseUrl: string } } {
    const baseUrl = `http://${registry.host}/place-${++repositories}`;
    return { baseUrl, session: client.session([]), repository: { type: "OCIRegistry", baseUrl } };
  }

  async function pushChart(place: TestPlace, key: string, repository = "charts/app"): Promise<string> {
    const content = await chartOf(key);
    const describe = (mediaType: string, bytes: Uint8Array | string): object => ({
      mediaType,
      digest: digest(bytes),
      size: Buffer.byteLength(bytes),
    });
    const manifest = {
      schemaVersion: 2,
      config: describe("application/vnd.cncf.helm.config.v1+json", "{}"),
      layers: [describe(chartMediaType, content)],
    };
    return await pushArtifact({ repository, tag: "1.0.0", manifest, blobs: ["{}", content] }, place);
  }

  it("is deployed as long as its component is the same, and refused with both digests afterwards", async () => {
    const place = newPlace();
    const [before, after] = [await componentWith("before"), await componentWith("after")];
    await pushComponents(place, before);
    const pin = pinOf(before, place.repository);
    const done = await deployPinned(bench, { resourceRef: resourceRefOf(before) }, pin);
    expect(done.status?.phase).toBe("Succeeded");
    await pushComponents(place, after);
    await bench.scope.trigger("item");
    const failed = await bench.scope.waitForEnd("item");
    const [pinned, found] = [before, after].map((each) => digest(JSON.stringify(descriptorOf(each))));
    expect(failed.status).toMatchObject({
      phase: "Failed",
      lastError: {
        reason: "ComponentChanged",
        codes: ["ERR_CONFIGURATION_PROBLEM"],
        message: expect.stringContaining(
          `component example.com/app:1.0.0: descriptor: digest mismatch: the job was rendered with ${pinned}, the repository now has ${found}`,
        ),
      },
    });
    expect(await bench.data()).toMatchObject({ key: "before" });
    expect(await bench.revisions()).toEqual(["app.v1 deployed"]);
  });

  it("is not installed when it had another descriptor", async () => {
    const place = newPlace();
    const before = await componentWith("before");
    await pushComponents(place, await componentWith("after"));
    const pin = pinOf(before, place.repository);
    const failed = await deployPinned(bench, { resourceRef: resourceRefOf(before) }, pin);
    expect(failed.status?.lastError).toMatchObject({
      reason: "ComponentChanged",
      message: expect.stringContaining("component example.com/app:1.0.0: descriptor: digest mismatch"),
    });
    expect(await leftBehind(bench)).toEqual(nothing);
  });

  it("is not installed when the descriptor now says another digest of it", async () => {
    const place = newPlace();
    const [before, after] = [await componentWith("before"), await componentWith("after")];
    await pushComponents(place, after);
    // As the core writes it for a descriptor that stands in the Installation.
    const { descriptor: _, ...pin } = pinOf(before, place.repository);
    const failed = await deployPinned(bench, { resourceRef: resourceRefOf(before) }, pin);
    const [pinned, found] = [pin.digest?.value, pinOf(after).digest?.value];
    expect(failed.status?.lastError).toMatchObject({
      reason: "ComponentChanged",
      message: expect.stringContaining(
        `component example.com/app:1.0.0: resource "chart": digest mismatch: the job was rendered with SHA-256:${pinned} (genericBlobDigest/v1), the repository now has SHA-256:${found} (genericBlobDigest/v1)`,
      ),
    });
    expect(await leftBehind(bench)).toEqual(nothing);
  });

  it("is not installed when it has no digest in the descriptor, and is not the pinned one", async () => {
    const place = newPlace();
    await pushChart(place, "after");
    const access = { type: "ociArtifact", imageReference: `${registry.host}/place-${repositories}/charts/app:1.0.0` };
    const component = await componentWith("any", { access });
    await pushComponents(place, component);
    const value = "0".repeat(64);
    const wanted = { hashAlgorithm: "SHA-256", normalisationAlgorithm: "ociArtifactDigest/v1", value };
    const pin = { ...pinOf(component, place.repository), digest: wanted };
    const failed = await deployPinned(bench, { resourceRef: resourceRefOf(component) }, pin);
    expect(failed.status?.lastError?.message).toContain(
      `resource "chart": digest mismatch: the descriptor has ${value}`,
    );
    expect(await leftBehind(bench)).toEqual(nothing);
  });

  it("is looked for where the core has found it, whatever the Context says", async () => {
    const [place, other] = [newPlace(), newPlace()];
    const component = await componentWith("overwritten");
    await pushComponents(place, component);
    await bench.fixture.hubClient.create(resources.context, {
      apiVersion: "landscaper.gardener.cloud/v1alpha1",
      kind: "Context",
      metadata: { name: "default", namespace: bench.namespace },
      repositoryContext: other.repository,
    });
    const chart = { resourceRef: resourceRefOf(component) };
    const done = await deployPinned(bench, chart, pinOf(component, place.repository));
    expect(done.status?.phase).toBe("Succeeded");
    expect(await bench.data()).toMatchObject({ key: "overwritten" });
    await bench.annotate(annotations.componentPins, undefined);
    await bench.scope.trigger("item");
    expect((await bench.scope.waitForEnd("item")).status?.lastError).toMatchObject({ reason: "ComponentNotFound" });
  });

  it("is refused by its reference, too, when the tag has moved", async () => {
    const place = newPlace();
    const ref = `${place.baseUrl}/charts/app:1.0.0`;
    const manifest = await pushChart(place, "before");
    expect((await deployPinned(bench, { ref }, { manifest })).status?.phase).toBe("Succeeded");
    const found = await pushChart(place, "after");
    await bench.scope.trigger("item");
    expect((await bench.scope.waitForEnd("item")).status).toMatchObject({
      phase: "Failed",
      lastError: {
        reason: "ComponentChanged",
        message: expect.stringContaining(
          `chart.ref: ${ref}: digest mismatch: the job was rendered with ${manifest}, the repository now has ${found}`,
        ),
      },
    });
    expect(await bench.data()).toMatchObject({ key: "before" });
    expect(await bench.revisions()).toEqual(["app.v1 deployed"]);
  });

  it("is not compared when its reference is not that of a resource", async () => {
    const place = newPlace();
    const ref = `${place.baseUrl}/charts/app:1.0.0`;
    await pushChart(place, "before");
    const pin = pinOf(await componentWith("of another source"), place.repository);
    expect((await deployPinned(bench, { ref }, pin)).status?.phase).toBe("Succeeded");
    await pushChart(place, "after");
    await bench.scope.trigger("item");
    expect((await bench.scope.waitForEnd("item")).status?.phase).toBe("Succeeded");
    expect(await bench.data()).toMatchObject({ key: "after" });
  });
});
