import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { parseImageManifest } from "@landscaper/oci";
import { BlobFolder } from "../repository/blob-folder.ts";
import { openFileRepository } from "../repository/open-files.ts";
import { openTransportStore } from "../repository/transport-store.ts";
import {
  artifactOf,
  descriptorOf,
  digest,
  newFolder,
  tarOf,
  writeTransport,
  type TestComponent,
} from "../../test/index.ts";
import { openFolderTarget } from "../write/target-repository.ts";
import { transferComponents, type TransferOptions } from "./transfer-components.ts";

const { signal } = new AbortController();
const root = newFolder();
afterAll(() => rmSync(root, { recursive: true }));
let folders = 0;
const fresh = (): string => join(root, `ctf${(folders += 1)}`);

const leaf: TestComponent = { name: "example.com/leaf", version: "1.0.0", resources: { text: "leaf" } };
const app: TestComponent = {
  name: "example.com/app",
  version: "1.1.0+build.5",
  resources: { text: "app", same: "app" },
  references: [{ name: "leaf", componentName: leaf.name, version: leaf.version }],
};
const base: TransferOptions = {
  recursive: true,
  copyResources: false,
  overwrite: false,
  openRegistry: () => {
    throw new Error("no registry is asked");
  },
  signal,
};

async function source(...components: readonly TestComponent[]): Promise<string> {
  const path = fresh();
  const artifacts = [];
  for (const component of components) artifacts.push(await artifactOf(component));
  writeTransport(path, artifacts);
  return path;
}

async function transfer(from: string, to: string, options: Partial<TransferOptions> = {}): Promise<string[]> {
  const repository = await openFileRepository(from);
  try {
    const found = await repository.find(app, { signal });
    const target = await openFolderTarget(to);
    const all = await transferComponents(found!, { from: repository, to: target }, { ...base, ...options });
    return all.map(({ name, outcome }) => `${outcome} ${name}`);
  } finally {
    await repository.close();
  }
}

describe("transferComponents", () => {
  it("copies versions with their content, those that are referred to first", async () => {
    const from = await source(leaf, app);
    const to = fresh();
    expect(await transfer(from, to)).toEqual(["copied example.com/leaf", "copied example.com/app"]);
    const copied = await openFileRepository(to);
    const version = await copied.find(app, { signal });
    expect(version?.descriptor.document).toEqual(descriptorOf(app));
    const parts: Uint8Array[] = [];
    for await (const part of (await version!.findLocal(digest("app"))).stream({ signal })) parts.push(part);
    expect(Buffer.concat(parts).toString()).toBe("app");
    const store = await openTransportStore(new BlobFolder(to));
    const manifest = await store?.findManifest("component-descriptors/example.com/app", "1.1.0.build-build.5", {
      signal,
    });
    expect(parseImageManifest({ bytes: manifest!.bytes }, "test").layers).toMatchObject([
      {},
      {
        digest: digest("app"),
        annotations: {
          "software.ocm.artifact":
            '[{"kind":"resource","identity":{"name":"text"}},{"kind":"resource","identity":{"name":"same"}}]',
        },
      },
    ]);
  });

  it("copies one version alone", async () => {
    const to = fresh();
    expect(await transfer(await source(leaf, app), to, { recursive: false })).toEqual(["copied example.com/app"]);
    expect(await (await openFileRepository(to)).listNames()).toEqual(["example.com/app"]);
  });

  it("names the reference whose component version is missing, and the remedy", async () => {
    const from = await source(app);
    const to = fresh();
    await expect(transfer(from, to)).rejects.toThrow(
      new Error(
        `component example.com/app:1.1.0+build.5: reference "leaf": expected component ${leaf.name}:${leaf.version} in ${from}, found none. ` +
          "Add it there, or copy the component version without --recursive.",
      ),
    );
    expect(existsSync(to)).toBe(false);
  });

  it("gives the same bytes each time, and copies nothing twice", async () => {
    const from = await source(leaf, app);
    const [one, other] = [fresh(), fresh()];
    await transfer(from, one);
    await transfer(from, other);
    expect(readdirSync(join(other, "blobs"))).toEqual(readdirSync(join(one, "blobs")));
    const before = readFileSync(join(one, "artifact-index.json"), "utf8");
    expect(await transfer(from, one)).toEqual(["present example.com/leaf", "present example.com/app"]);
    expect(readFileSync(join(one, "artifact-index.json"), "utf8")).toBe(before);
  });

  it("refuses to replace another version, unless it is told to", async () => {
    const to = fresh();
    await transfer(await source(leaf, app), to);
    const changed = await source(leaf, { ...app, resources: { text: "changed" } });
    await expect(transfer(changed, to)).rejects.toThrow(
      `${to}: a different component example.com/app:1.1.0+build.5 is there already; --overwrite replaces it`,
    );
    expect(await transfer(changed, to, { overwrite: true })).toEqual([
      "present example.com/leaf",
      "copied example.com/app",
    ]);
  });

  it("keeps the versions that were copied when a later one is damaged, and nothing of that", async () => {
    const from = await source(leaf, app);
    writeFileSync(join(from, "blobs", digest("app").replace(":", ".")), "bad");
    const to = fresh();
    await expect(transfer(from, to)).rejects.toMatchObject({
      reason: "DigestMismatch",
      message: expect.stringMatching(
        /^component example\.com\/app:1\.1\.0\+build\.5: resource "[a-z]+": \S+: expected /,
      ) as unknown,
    });
    expect(await (await openFileRepository(to)).listNames()).toEqual(["example.com/leaf"]);
    expect(readdirSync(join(to, "blobs"))).toHaveLength(4);
    const alone = fresh();
    await expect(transfer(from, alone, { recursive: false })).rejects.toMatchObject({ reason: "DigestMismatch" });
    expect(existsSync(alone)).toBe(false);
  });

  it("makes one form of local content out of all", async () => {
    const archive = fresh();
    const descriptor = descriptorOf({ ...app, references: [], resources: { text: "app" } });
    const name = digest("app").replace(":", ".");
    const text = JSON.stringify(descriptor)
      .replace('"type":"localBlob"', '"type":"localFilesystemBlob"')
      .replace(`"localReference":"${digest("app")}"`, `"filename":"${name}"`);
    writeTransport(archive, []);
    rmSync(join(archive, "artifact-index.json"));
    writeFileSync(join(archive, "component-descriptor.yaml"), text);
    writeFileSync(join(archive, "blobs", name), "app");
    const to = fresh();
    expect(await transfer(archive, to)).toEqual(["copied example.com/app"]);
    const found = await (await openFileRepository(to)).find(app, { signal });
    expect(found?.descriptor.resources[0]?.access).toEqual({
      type: "localBlob",
      localReference: digest("app"),
      mediaType: "text/plain",
    });
  });

  it("reads packed archives", async () => {
    const from = await source(leaf, app);
    const files = readdirSync(join(from, "blobs")).map((file) => `blobs/${file}`);
    const entries = ["artifact-index.json", ...files].map((name) => ({
      name,
      content: readFileSync(join(from, name)),
    }));
    const packed = `${from}.tar`;
    writeFileSync(packed, await tarOf(...entries));
    expect(await transfer(packed, fresh())).toEqual(["copied example.com/leaf", "copied example.com/app"]);
  });
});
