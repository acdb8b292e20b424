import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { ociLayoutOf, readSavedImage } from "./docker-archive.ts";
import { readArchive } from "./oci-archive.ts";
import { runCommand } from "../run-command.ts";

const config = {
  architecture: "amd64",
  os: "linux",
  config: { User: "65532:65532" },
  rootfs: { type: "layers", diff_ids: ["sha256:1", "sha256:2"] },
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "docker-archive-"));
  for (const layer of ["one", "two"]) {
    mkdirSync(join(folder, layer));
    writeFileSync(join(folder, layer, "layer.tar"), `layer ${layer}`);
  }
  writeFileSync(join(folder, "abc.json"), JSON.stringify(config));
  const saved = [{ Config: "abc.json", RepoTags: ["a:1"], Layers: ["one/layer.tar", "two/layer.tar"] }];
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(saved));
});
afterAll(() => rmSync(folder, { recursive: true }));

it("makes an OCI archive of what docker has saved, with the layers in their order", () => {
  const layout = ociLayoutOf(readSavedImage(folder), "1.2.3");
  const archive = join(folder, "out.tar");
  mkdirSync(join(folder, "layout/blobs/sha256"), { recursive: true });
  for (const [path, data] of layout) writeFileSync(join(folder, "layout", path), data);
  runCommand(["tar", "-cf", archive, "-C", join(folder, "layout"), "blobs", "index.json", "oci-layout"]);
  const image = readArchive(archive);
  expect(image.config).toEqual(config);
  const contents = image.layers.map(({ digest, size }) => {
    const blob = layout.get(`blobs/${digest.replace(":", "/")}`) ?? Buffer.alloc(0);
    expect(`sha256:${createHash("sha256").update(blob).digest("hex")}`).toBe(digest);
    expect(blob.length).toBe(size);
    return gunzipSync(blob).toString();
  });
  expect(contents).toEqual(["layer one", "layer two"]);
});

it("refuses an archive of several images", () => {
  const several = join(folder, "several");
  mkdirSync(several);
  writeFileSync(join(several, "manifest.json"), "[{}, {}]");
  expect(() => readSavedImage(several)).toThrow(new Error("docker save: expected one image, found 2"));
});
