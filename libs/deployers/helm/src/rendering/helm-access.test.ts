// Charts of components whose access is a Helm repository (docs/reference/components.md#access).
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { apiVersion, resources } from "@landscaper/api";
import { artifactOf, newFolder, writeTransport, type TestComponent } from "@landscaper/components/testing";
import { startScriptedRegistry, type ScriptedRegistry } from "@landscaper/oci/testing";
import { useHelmBench } from "../../test/helm-bench.ts";
import {
  chartOf,
  componentWith,
  deployPinned,
  leftBehind,
  nothing,
  pinOf,
  resourceRefOf,
} from "../../test/pinned-charts.ts";

const localRoot = newFolder();
const authHeader = `Basic ${Buffer.from("me:sentinel").toString("base64")}`;

describe("a chart of a component in a Helm repository", () => {
  const bench = useHelmBench({ localRoot });
  let server: ScriptedRegistry;
  let component: TestComponent;
  beforeAll(async () => {
    const archive = await chartOf("of a repository");
    const entries = { app: [{ version: "1.0.0", urls: ["app.tgz"] }] };
    server = await startScriptedRegistry(({ url, authorization }, response) => {
      if (authorization !== authHeader) response.writeHead(401).end();
      else response.end(url === "/index.yaml" ? JSON.stringify({ apiVersion: "v1", entries }) : archive);
    });
    const access = { type: "helm/v1", helmRepository: server.origin, helmChart: "app:1.0.0" };
    component = await componentWith("", { access, mediaType: "" });
    writeTransport(localRoot, [await artifactOf(component)]);
  });
  afterAll(async () => server.stop());

  it("is deployed with the credentials of the Context", async () => {
    const pin = pinOf(component, { type: "CommonTransportFormat", filePath: "." });
    const chart = { resourceRef: resourceRefOf(component) };
    const refused = await deployPinned(bench, chart, pin);
    expect(refused.status?.lastError).toMatchObject({
      reason: "RegistryUnauthorized",
      message: expect.stringContaining(
        `component example.com/app:1.0.0: resource "chart": ${server.origin}/index.yaml: credentials are needed (401)`,
      ),
    });
    expect(await leftBehind(bench)).toEqual(nothing);
    await bench.fixture.hubClient.create(resources.context, {
      apiVersion,
      kind: "Context",
      metadata: { name: "default", namespace: bench.namespace },
      configurations: { helmChartRepoCredentials: { auths: [{ url: server.origin, authHeader }] } },
    });
    const done = await bench.redeploy({ chart });
    expect([done.status?.phase, done.status?.lastError?.message]).toEqual(["Succeeded", undefined]);
    expect(await bench.data()).toMatchObject({ key: "of a repository" });
    expect(JSON.stringify(done)).not.toContain(authHeader.slice("Basic ".length));
  });
});
