import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { parseConstructor } from "@landscaper/ocm";
import { newFolder, unusedTools, writeLayout } from "../../test/index.ts";
import { buildComponents } from "../build/build-component.ts";
import { openFolderTarget } from "../write/target-repository.ts";
import { downloadResource } from "./download-resource.ts";

const { signal } = new AbortController();
const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true }));

describe("downloadResource", () => {
  it("does not unpack an index of images, and names the remedy", async () => {
    for (const architecture of ["amd64", "arm64"]) {
      writeLayout(join(folder, architecture), [{ layer: architecture, architecture }]);
    }
    const input = { type: "dockermulti", variants: ["amd64", "arm64"] };
    const resources = [{ name: "image", type: "ociImage", input }];
    const value = { name: "example.com/app", version: "1.0.0", provider: "a", resources };
    const target = await openFolderTarget(join(folder, "ctf"));
    await buildComponents(parseConstructor(value, "file"), target, {
      folder,
      tools: unusedTools,
      warn: () => undefined,
      schemaVersion: "v2",
      overwrite: false,
      resolveArtifact: undefined,
      signal,
    });
    const found = await target.find({ name: "example.com/app", version: "1.0.0" }, { signal });
    if (found === undefined) throw new Error("the component is not there");
    const options = {
      selector: { name: "image" },
      output: join(folder, "out"),
      overwrite: false,
      openRegistry: unusedTools.openRegistry,
      signal,
    };
    await expect(downloadResource(found, { ...options, unpack: true })).rejects.toThrow(
      'component example.com/app:1.0.0: resource "image": expected one image to unpack, found an index of images. Download the index without --unpack.',
    );
    await downloadResource(found, { ...options, unpack: false });
  });
});
