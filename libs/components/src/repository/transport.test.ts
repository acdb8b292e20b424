import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import {
  artifactOf,
  configType,
  descriptorOf,
  digest,
  newFolder,
  withTemporaryFolder,
  writeTransport,
  type TestComponent,
} from "../../test/index.ts";
import { createArtifactRepository } from "./artifact-repository.ts";
import { BlobFolder } from "./blob-folder.ts";
import type { ComponentRepository, ComponentVersion } from "./component-version.ts";
import { openComponentArchive } from "./component-archive.ts";
import { openFileRepository } from "./open-files.ts";
import { listRepositories, openTransportStore } from "./transport-store.ts";

const { signal } = new AbortController();
const app: TestComponent = { name: "example.com/app", version: "1.1.0+build.5", resources: { text: "hello" } };

let folder: string;
beforeEach(() => {
  folder = newFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function openRepository(
  subPath = "",
  mapping: "urlPath" | "sha256-digest" = "urlPath",
): Promise<ComponentRepository> {
  const store = await openTransportStore(new BlobFolder(folder));
  if (store === undefined) throw new Error("no transport format");
  return createArtifactRepository(store, { mapping, subPath });
}

async function contentOf(found: ComponentVersion | undefined, reference: string): Promise<string> {
  const local = await found?.findLocal(reference);
  const parts: Uint8Array[] = [];
  for await (const part of local?.stream({ signal }) ?? []) parts.push(part);
  return Buffer.concat(parts).toString();
}

describe("a component version in a transport archive", () => {
  it("is found by name and version, with its content", async () => {
    writeTransport(folder, [await artifactOf(app)]);
    const found = await (await openRepository()).find(app, { signal });
    expect(found?.descriptor).toMatchObject({ name: app.name, version: app.version });
    expect(found?.digest).toBe(digest(JSON.stringify(descriptorOf(app))));
    expect(await contentOf(found, digest("hello"))).toBe("hello");
  });

  it.each([
    {
      name: "below a path",
      subPath: "team/x",
      mapping: "urlPath" as const,
      repository: "team/x/component-descriptors/example.com/app",
    },
    {
      name: "by the hash of its name",
      subPath: "team",
      mapping: "sha256-digest" as const,
      repository: `team/${digest("example.com/app").slice("sha256:".length)}`,
    },
  ])("is found $name", async ({ subPath, mapping, repository }) => {
    writeTransport(folder, [await artifactOf(app, { repository })]);
    const found = await (await openRepository(subPath, mapping)).find(app, { signal });
    expect(found?.descriptor.name).toBe(app.name);
  });

  it("is not found when it is not there", async () => {
    writeTransport(folder, [await artifactOf(app)]);
    const repository = await openRepository();
    expect(await repository.find({ ...app, version: "2.0.0" }, { signal })).toBeUndefined();
    expect(await repository.find({ ...app, name: "example.com/other" }, { signal })).toBeUndefined();
  });

  it("is the one that has the tag, not an older one", async () => {
    const { tag: _, ...old } = await artifactOf({ ...app, resources: { text: "old" } });
    writeTransport(folder, [old, await artifactOf(app)]);
    const found = await (await openRepository()).find(app, { signal });
    expect(await contentOf(found, digest("hello"))).toBe("hello");
  });

  it("has its versions in the order of the index, with + for .build-", async () => {
    writeTransport(folder, [await artifactOf(app), await artifactOf({ ...app, version: "2.0.0" })]);
    expect(await (await openRepository()).listVersions(app.name, { signal })).toEqual(["1.1.0+build.5", "2.0.0"]);
    expect(await listRepositories(new BlobFolder(folder))).toEqual(["component-descriptors/example.com/app"]);
  });

  it("is found in an index around its manifest", async () => {
    const own = await artifactOf(app);
    const image = {
      ...own.manifest,
      config: { mediaType: "application/vnd.oci.image.config.v1+json", digest: digest("{}"), size: 2 },
    };
    const manifests = [image, own.manifest].map((manifest) => ({ digest: digest(JSON.stringify(manifest)) }));
    const mediaType = "application/vnd.oci.image.index.v1+json";
    const { tag: _, ...untagged } = own;
    writeTransport(folder, [
      { ...untagged, manifest: image },
      untagged,
      { ...own, mediaType, manifest: { schemaVersion: 2, mediaType, manifests } },
    ]);
    expect((await (await openRepository()).find(app, { signal }))?.descriptor.name).toBe(app.name);
  });
});

describe("a component version is refused", () => {
  const where = (): string =>
    `component example.com/app:1.1.0+build.5 in ${folder}/component-descriptors/example.com/app`;
  const find = async (): Promise<unknown> => (await openRepository()).find(app, { signal });

  it("when the descriptor is of another one", async () => {
    writeTransport(folder, [await artifactOf(app, { descriptor: descriptorOf({ ...app, version: "9.9.9" }) })]);
    await expect(find()).rejects.toMatchObject({
      reason: "InvalidComponent",
      message: `${where()}: found the descriptor of example.com/app:9.9.9`,
    });
  });

  it("when the artifact is no component", async () => {
    const own = await artifactOf(app);
    const manifest = JSON.parse(JSON.stringify(own.manifest).replace(configType, "application/x")) as object;
    writeTransport(folder, [{ ...own, manifest }]);
    await expect(find()).rejects.toThrow(
      new Error(`${where()}: the artifact is no component, its config is of the type "application/x"`),
    );
  });

  it("when its descriptor was changed", async () => {
    const own = await artifactOf(app);
    writeTransport(folder, [own]);
    const [layer = ""] = own.blobs;
    const damaged = Buffer.from(layer);
    damaged[600] = (damaged[600] ?? 0) ^ 1;
    const file = join(folder, "blobs", digest(layer).replace(":", "."));
    writeFileSync(file, damaged);
    await expect(find()).rejects.toMatchObject({
      reason: "DigestMismatch",
      message: `component example.com/app:1.1.0+build.5: ${file}: expected digest ${digest(layer)}, found ${digest(damaged)}`,
    });
  });

  it("when its content was changed, at the end of it", async () => {
    writeTransport(folder, [await artifactOf(app)]);
    writeFileSync(join(folder, "blobs", digest("hello").replace(":", ".")), "hellO");
    const found = await (await openRepository()).find(app, { signal });
    await expect(contentOf(found, digest("hello"))).rejects.toMatchObject({ reason: "DigestMismatch" });
  });

  it("when a blob is a link, wherever it leads", async () => {
    writeTransport(folder, [await artifactOf(app)]);
    const blob = join(folder, "blobs", digest("hello").replace(":", "."));
    const outside = join(folder, "outside");
    writeFileSync(outside, "hello");
    rmSync(blob);
    symlinkSync(outside, blob);
    const found = await (await openRepository()).find(app, { signal });
    await expect(contentOf(found, digest("hello"))).rejects.toThrow(
      new Error(`${blob}: expected a file, found a link`),
    );
  });

  it("when a reference names no layer", async () => {
    writeTransport(folder, [await artifactOf(app)]);
    const found = await (await openRepository()).find(app, { signal });
    await expect(contentOf(found, digest("other"))).rejects.toThrow(
      new Error(`${where()}: there is no local content "${digest("other")}"`),
    );
  });

  it.each([
    { name: "no JSON", index: "{", message: "expected JSON" },
    {
      name: "of another version",
      index: '{"schemaVersion":2,"artifacts":[]}',
      message: "schemaVersion: expected 1, found 2",
    },
    { name: "without a list", index: '{"schemaVersion":1}', message: "artifacts: expected a list" },
    {
      name: "with a path for a digest",
      index: '{"schemaVersion":1,"artifacts":[{"repository":"a","digest":"../../x"}]}',
      message: "artifacts[0].digest: expected sha256:...",
    },
  ])("when the index is $name", async ({ index, message }) => {
    writeFileSync(join(folder, "artifact-index.json"), index);
    await expect(openRepository()).rejects.toThrow(new Error(`${folder}/artifact-index.json: ${message}`));
  });

  it("when its version can be no tag", async () => {
    writeTransport(folder, []);
    await expect((await openRepository()).find({ ...app, version: "1.0.0+a+b" }, { signal })).rejects.toThrow(
      'version "1.0.0+a+b": expected at most 128 letters, digits, "_", ".", "-" and one "+"',
    );
  });
});

describe("a component archive", () => {
  const legacy: TestComponent = { name: "example.com/legacy", version: "v0.1.0", resources: { text: "hello" } };
  beforeEach(() => {
    mkdirSync(join(folder, "blobs"));
    writeFileSync(join(folder, "component-descriptor.yaml"), JSON.stringify(descriptorOf(legacy)));
    writeFileSync(join(folder, "blobs", digest("hello").replace(":", ".")), "hello");
  });

  it("has one version, whose references are names of files", async () => {
    const archive = await openComponentArchive(new BlobFolder(folder));
    const found = await archive?.find(legacy, { signal });
    expect(await contentOf(found, digest("hello").replace(":", "."))).toBe("hello");
    expect(await contentOf(found, digest("hello"))).toBe("hello");
    expect(await archive?.listVersions(legacy.name, { signal })).toEqual(["v0.1.0"]);
    expect(await archive?.find({ ...legacy, version: "v0.2.0" }, { signal })).toBeUndefined();
  });

  it.each(["../component-descriptor.yaml", "nothing", "sha256.12"])(
    "does not find the reference %s",
    async (reference) => {
      const archive = await openComponentArchive(new BlobFolder(folder));
      const found = await archive?.find(legacy, { signal });
      await expect(found?.findLocal(reference)).rejects.toThrow(`there is no local content "${reference}"`);
    },
  );

  it("is none without a descriptor", async () => {
    rmSync(join(folder, "component-descriptor.yaml"));
    expect(await openComponentArchive(new BlobFolder(folder))).toBeUndefined();
    expect(await openTransportStore(new BlobFolder(folder))).toBeUndefined();
  });
});

describe("a repository in files", () => {
  const namesOf = async (path: string): Promise<readonly string[]> => {
    const repository = await openFileRepository(path);
    try {
      expect((await repository.find(app, { signal }))?.descriptor.name).toBe(app.name);
      return await repository.listNames();
    } finally {
      await repository.close();
    }
  };

  it.each([
    { name: "a folder", pack: undefined },
    { name: "a tar", pack: ["-cf"] },
    { name: "a tar with gzip", pack: ["-czf"] },
  ])("is $name", async ({ pack }) => {
    const own = join(folder, "ctf");
    writeTransport(own, [await artifactOf(app)]);
    const packed = join(folder, "packed");
    if (pack !== undefined) execFileSync("tar", [...pack, packed, "-C", own, "artifact-index.json", "blobs"]);
    expect(await namesOf(pack === undefined ? own : packed)).toEqual(["example.com/app"]);
  });

  it.each([
    { name: "that is not there", make: () => join(folder, "nothing"), message: "there is no such file or folder" },
    {
      name: "in a folder of something else",
      make: () => folder,
      message:
        "expected artifact-index.json (a common transport format) or component-descriptor.yaml (a component archive) in it",
    },
  ])("is none $name", async ({ make, message }) => {
    await expect(openFileRepository(make())).rejects.toThrow(new Error(`${make()}: ${message}`));
  });

  it("is none in a file of something else, and leaves nothing behind", async () => {
    const file = join(folder, "text");
    writeFileSync(file, "text");
    const temporary = join(folder, "temporary");
    mkdirSync(temporary);
    await withTemporaryFolder(temporary, async () => {
      await expect(openFileRepository(file)).rejects.toMatchObject({ reason: "InvalidArchive" });
    });
    expect(readdirSync(temporary)).toEqual([]);
  });
});
