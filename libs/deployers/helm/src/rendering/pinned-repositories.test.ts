// The annotation of an item says which repository its chart is fetched from (docs/reference/components.md#pins): in its context, in files, and where it must not lead.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { ErrorStatus } from "@landscaper/api";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  artifactOf,
  descriptorOf,
  digest,
  newFolder,
  writeTransport,
  type TestComponent,
} from "@landscaper/components/testing";
import { createEgressPolicy } from "@landscaper/egress";
import { startScriptedRegistry, type ScriptedRegistry } from "@landscaper/oci/testing";
import { mapChart, useHelmBench } from "../../test/helm-bench.ts";
import {
  chartOf,
  componentWith,
  deployPinned,
  leftBehind,
  nothing,
  pinOf,
  resourceRefOf,
} from "../../test/pinned-charts.ts";

const base = newFolder();
const localRoot = join(base, "allowed");

/** A folder of descriptors with the content beside them. */
async function writeLocal(folder: string, component: TestComponent, key: string): Promise<void> {
  mkdirSync(join(folder, "blobs"), { recursive: true });
  writeFileSync(join(folder, "descriptor.json"), JSON.stringify(descriptorOf(component)));
  const chart = await chartOf(key);
  writeFileSync(join(folder, "blobs", digest(chart)), chart);
}

describe("a repository in files beside the pin of a chart", () => {
  const bench = useHelmBench({ localRoot });
  let component: TestComponent;
  beforeAll(async () => {
    component = await componentWith("a file");
    await writeLocal(join(localRoot, "local"), component, "a file");
    await writeLocal(join(base, "outside"), component, "a file");
    for (const folder of [join(localRoot, "transport"), join(base, "transport")]) {
      mkdirSync(folder);
      writeTransport(folder, [await artifactOf(component)]);
    }
    symlinkSync(join(base, "outside"), join(localRoot, "link"));
  });
  const deploy = async (type: string, filePath: string) =>
    await deployPinned(bench, { resourceRef: resourceRefOf(component) }, pinOf(component, { type, filePath }));

  it.each([
    ["local", "local"],
    ["local", "/./local/"],
    ["CommonTransportFormat", "transport"],
  ])("of the type %s is opened below the folder of the configuration: %s", async (type, filePath) => {
    expect((await deploy(type, filePath)).status?.phase).toBe("Succeeded");
    expect(await bench.data()).toMatchObject({ key: "a file" });
  });

  it.each([
    ["local", "../outside"],
    ["local", "local/../../outside"],
    ["local", "link"],
    ["ComponentArchive", "link"],
    ["CommonTransportFormat", "../transport"],
  ])("of the type %s leads nowhere else: %s", async (type, filePath) => {
    const { status } = await deploy(type, filePath);
    expect(status?.phase).toBe("Failed");
    expect(status?.lastError).toMatchObject({
      reason: "InvalidComponent",
      message: expect.stringContaining(
        `component example.com/app:1.0.0: repositoryContext: filePath: expected a path below the folder of local repositories, found ${JSON.stringify(filePath)}`,
      ),
    });
    expect(await leftBehind(bench)).toEqual(nothing);
  });

  it("may have the chart as a folder", async () => {
    const access = { type: "localBlob", localReference: "chart" };
    const unpacked = await componentWith("", { access });
    await writeLocal(join(localRoot, "unpacked"), unpacked, "unused");
    const chart = join(localRoot, "unpacked", "blobs", "chart", "app");
    mkdirSync(join(chart, "templates"), { recursive: true });
    writeFileSync(join(chart, "Chart.yaml"), "apiVersion: v2\nname: app\nversion: 1.0.0\n");
    writeFileSync(join(chart, "values.yaml"), "key: of a folder\n");
    writeFileSync(join(chart, "templates", "map.yaml"), mapChart["templates/map.yaml"] ?? "");
    const pin = pinOf(unpacked, { type: "local", filePath: "unpacked" });
    const done = await deployPinned(bench, { resourceRef: resourceRefOf(unpacked) }, pin);
    expect(done.status?.phase).toBe("Succeeded");
    expect(await bench.data()).toMatchObject({ key: "of a folder" });
  });

  it("has paths of that folder alone, also with a slash in front", async () => {
    const { status } = await deploy("local", join(base, "outside"));
    expect(status?.lastError).toMatchObject({
      reason: "InvalidComponent",
      message: expect.stringContaining(`filePath: there is no ${JSON.stringify(join(base, "outside"))}`),
    });
  });
});

describe("without a folder for files", () => {
  const denied = "127.0.0.1/32";
  const bench = useHelmBench({ egress: createEgressPolicy({ deny: [denied] }) });
  let registry: ScriptedRegistry;
  let component: TestComponent;
  beforeAll(async () => {
    component = await componentWith("inline");
    await writeLocal(join(base, "unset"), component, "inline");
    registry = await startScriptedRegistry((_request, response) => response.writeHead(404).end());
  });
  afterAll(async () => registry?.stop());
  const failureOf = async (pin: Parameters<typeof deployPinned>[2]): Promise<ErrorStatus | undefined> => {
    const { status } = await deployPinned(bench, { resourceRef: resourceRefOf(component) }, pin);
    expect(status?.phase).toBe("Failed");
    expect(await leftBehind(bench)).toEqual(nothing);
    return status?.lastError;
  };

  it.each(["local", "CommonTransportFormat", "ComponentArchive"])(
    "repositories of the type %s are refused",
    async (type) => {
      expect(await failureOf(pinOf(component, { type, filePath: join(base, "unset") }))).toMatchObject({
        reason: "InvalidComponent",
        message: expect.stringContaining(
          "repositoryContext: type: repositories in files are not allowed, because no folder is configured for them (registry.local.rootPath)",
        ),
      });
    },
  );

  it("a registry that the operator denies is not asked", async () => {
    const error = await failureOf(pinOf(component, { type: "OCIRegistry", baseUrl: registry.origin }));
    expect(error?.message).toBe(
      `component example.com/app:1.0.0: ${registry.origin}/v2/component-descriptors/example.com/app/manifests/1.0.0: host 127.0.0.1, port ${registry.host.split(":")[1]}: denied by the entry "127.0.0.1/32" of egress.deny; ask the operator`,
    );
    expect(registry.requests).toEqual([]);
  });

  it.each([
    ["is no JSON", "{"],
    ["unpacks to too much", `gzip:${gzipSync(Buffer.alloc(64 * 1024 * 1024, " ")).toString("base64")}`],
    [
      "is nested without end",
      `{"component":"example.com/app:1.0.0","repository":{"type":"inline","a":${"[".repeat(50_000)}${"]".repeat(50_000)}}}`,
    ],
  ])("an annotation ends the job when it %s", async (_title, text) => {
    const error = await failureOf(text);
    expect(error).toMatchObject({ reason: "InvalidComponent", codes: ["ERR_CONFIGURATION_PROBLEM"] });
    expect(error?.message).toMatch(/^annotation landscaper\.gardener\.cloud\/component-pins: .{20,200}$/);
  });

  it("an annotation that cannot be read ends the job of an item with another chart, too", async () => {
    const raw = (await chartOf("raw")).toString("base64");
    const { status } = await deployPinned(bench, { archive: { raw } }, "{");
    expect(status?.lastError).toMatchObject({ reason: "InvalidComponent" });
    expect(await leftBehind(bench)).toEqual(nothing);
  });
});
