import { describe, expect, it } from "@jest/globals";
import { apiVersion, type Installation, type InstallationSpec } from "@landscaper/api";
import { blueprintResource, gzip, tarOf, type TestResource } from "@landscaper/components/testing";
import { blueprintOfInstallation } from "./installation-blueprint.ts";
import { createRenderCaches } from "../render-caches.ts";
import { withComponents } from "../../test/components.ts";

const app = { name: "example.com/app", version: "1.0.0" };

const installationOf = (blueprint: InstallationSpec["blueprint"]): Installation => ({
  apiVersion,
  kind: "Installation",
  metadata: { name: "root" },
  spec: { blueprint },
});
const byName = (resourceName: string): Installation => installationOf({ ref: { resourceName } });

async function read(resources: Readonly<Record<string, TestResource | string>>, name = "blueprint") {
  return await withComponents([{ ...app, resources }], async (closure) =>
    blueprintOfInstallation(byName(name), closure),
  );
}

describe("a blueprint that is a resource", () => {
  const files = { "blueprint.yaml": "imports: [{ name: a, schema: true }]", "folder/a.txt": "text" };

  it("is read with all its files", async () => {
    const { definition, files: found } = await read({ blueprint: await blueprintResource(files) });
    expect(definition.imports?.map(({ name }) => name)).toEqual(["a"]);
    expect(found.readText("folder/a.txt")).toBe("text");
    expect(found.readDir("/").map(({ name, isDirectory }) => [name, isDirectory])).toEqual([
      ["blueprint.yaml", false],
      ["folder", true],
    ]);
  });

  it("may have the short type, and no compression", async () => {
    const archive = await tarOf(...Object.entries(files).map(([name, content]) => ({ name, content })));
    const { definition } = await read({ blueprint: { content: archive, type: "blueprint" } });
    expect(definition.imports).toHaveLength(1);
  });

  it("is read once as long as its archive is the same", async () => {
    const caches = createRenderCaches();
    const component = { ...app, resources: { blueprint: await blueprintResource(files) } };
    const readAgain = async () =>
      await withComponents([component], async (closure) =>
        blueprintOfInstallation(byName("blueprint"), closure, caches),
      );
    expect(await readAgain()).toBe(await readAgain());
  });

  it.each<[string, Readonly<Record<string, TestResource | string>>, string]>([
    [
      "is not there",
      { other: { content: "", type: "blueprint" } },
      'spec.blueprint.ref: component example.com/app:1.0.0 has no resource "blueprint", it has "other"',
    ],
    [
      "is something else",
      { blueprint: "text" },
      'spec.blueprint.ref: component example.com/app:1.0.0: resource "blueprint": expected the type landscaper.gardener.cloud/blueprint, found "plainText"',
    ],
    [
      "is no archive",
      { blueprint: { content: "text", type: "blueprint" } },
      'blueprint: resource "blueprint" of component example.com/app:1.0.0 in test: not a tar archive, or damaged',
    ],
    [
      "is damaged",
      { blueprint: { content: gzip(Buffer.from("x".repeat(600))).subarray(0, 20), type: "blueprint" } },
      "not a tar archive, or damaged",
    ],
    [
      "has an access that is not valid",
      { blueprint: { content: "", type: "blueprint", access: { type: "localBlob" } } },
      'component example.com/app:1.0.0: resource "blueprint": access.localReference: expected a text',
    ],
  ])("%s", async (_title, resources, message) => {
    await expect(read(resources)).rejects.toMatchObject({
      reason: "ResolveBlueprint",
      operation: "InitPrerequisites",
      retry: "never",
      message: expect.stringContaining(message),
    });
  });

  it("without blueprint.yaml says so", async () => {
    await expect(read({ blueprint: await blueprintResource({ "a.txt": "" }) })).rejects.toMatchObject({
      message:
        'blueprint: resource "blueprint" of component example.com/app:1.0.0: expected a file blueprint.yaml, found none',
    });
  });

  it("needs a component", async () => {
    await expect(blueprintOfInstallation(byName("a"), undefined)).rejects.toMatchObject({
      reason: "ResolveBlueprint",
      message: 'spec.blueprint.ref "a": the Installation has no component that the blueprint could be a resource of',
    });
  });
});
