// Charts of components whose registry fails: what the item says of it, and that its job goes on (docs/reference/components.md#failures).
import { rmSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import {
  artifactOf,
  digest,
  newFolder,
  startArtifactRegistry,
  type ArtifactRegistry,
  type Interference,
  type TestArtifact,
  type TestComponent,
} from "@landscaper/components/testing";
import { useHelmBench } from "../../test/helm-bench.ts";
import { componentWith, deployPinned, leftBehind, nothing, pinOf, resourceRefOf } from "../../test/pinned-charts.ts";

type Answer = (response: Parameters<Interference>[1]) => void;

const cache = newFolder();
const place = "team/component-descriptors/example.com/app";
const component = "component example.com/app:1.0.0";

describe("the chart of a component whose registry fails", () => {
  const bench = useHelmBench({ oci: { cache: { path: cache }, allowPlainHttp: false, insecureSkipVerify: false } });
  let registry: ArtifactRegistry;
  let app: TestComponent;
  let artifact: TestArtifact;
  let chartDigest = "";
  beforeAll(async () => {
    app = await componentWith("deployed");
    artifact = await artifactOf(app);
    chartDigest = digest(artifact.blobs[2] ?? "");
    registry = await startArtifactRegistry([artifact]);
  });
  afterEach(() => registry.setInterference(undefined));
  afterAll(async () => {
    await registry?.stop();
    rmSync(cache, { recursive: true, force: true });
  });

  const at =
    (end: () => string, answer: Answer): Interference =>
    ({ url }, response) => {
      if (!url.endsWith(end())) return false;
      answer(response);
      return true;
    };
  const deploy = async () =>
    await deployPinned(bench, { resourceRef: resourceRefOf(app) }, pinOf(app, registry.context));

  it.each<readonly [string, Answer, string, string]>([
    [
      "has other bytes",
      (response) => void response.end("other bytes"),
      "DigestMismatch",
      `${component}: resource "chart": HOST/${place}@CHART: expected`,
    ],
    [
      "is not there",
      (response) => void response.writeHead(404).end(),
      "RegistryNotFound",
      `${component}: resource "chart": ORIGIN/v2/${place}/blobs/CHART: not found (404)`,
    ],
    [
      "needs credentials",
      (response) => void response.writeHead(401).end(),
      "RegistryUnauthorized",
      `${component}: resource "chart": ORIGIN/v2/${place}/blobs/CHART: credentials are needed (401)`,
    ],
    [
      "lies on a host that may not be asked",
      (response) => void response.writeHead(307, { location: "http://169.254.169.254/latest" }).end(),
      "EgressDenied",
      `${component}: resource "chart": redirect 1 of ORIGIN: http://169.254.169.254/latest: host 169.254.169.254, port 80: denied`,
    ],
  ])("%s: the job ends with component, resource and host", async (...[, answer, reason, message]) => {
    registry.setInterference(at(() => chartDigest, answer));
    const { status } = await deploy();
    const { lastError } = status ?? {};
    const text = (lastError?.message ?? "")
      .replaceAll(registry.origin, "ORIGIN")
      .replaceAll(registry.host, "HOST")
      .replaceAll(chartDigest, "CHART");
    expect([status?.phase, lastError?.reason, text]).toEqual(["Failed", reason, expect.stringContaining(message)]);
    expect(await leftBehind(bench)).toEqual(nothing);
  });

  it("is waited for, and what is there is not fetched again", async () => {
    registry.requests.splice(0);
    let isAway = true;
    registry.setInterference(
      (request, response, index) =>
        isAway &&
        at(
          () => chartDigest,
          () => void response.writeHead(503).end(),
        )(request, response, index),
    );
    const deploying = deploy();
    await bench.waitForWords(
      `${component}: resource "chart": ${registry.origin}/v2/${place}/blobs/${chartDigest}: the registry answered 503`,
    );
    isAway = false;
    expect((await deploying).status?.phase).toBe("Succeeded");
    expect(await bench.data()).toMatchObject({ key: "deployed" });
    // Manifest and descriptor are on the disk since the first test.
    const fetched = registry.requests.filter(({ method, url }) => method === "GET" && !url.endsWith(chartDigest));
    expect(fetched).toEqual([]);
  });
});
