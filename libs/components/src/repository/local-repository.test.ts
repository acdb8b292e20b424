import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { readTree } from "../archive/read-tree.ts";
import { descriptorOf, newFolder } from "../../test/index.ts";
import type { ComponentVersion } from "./component-version.ts";
import { openFilesBelow } from "./local-repository.ts";

const { signal } = new AbortController();
const folder = newFolder();
const root = join(folder, "root");
const outside = join(folder, "outside");
const app = { name: "example.com/app", version: "1.0.0" };

beforeAll(() => {
  mkdirSync(join(root, "team", "blobs", "blueprint", "sub"), { recursive: true });
  mkdirSync(join(outside, "blobs"), { recursive: true });
  const text = JSON.stringify(descriptorOf(app));
  writeFileSync(join(root, "team", "app.yaml"), text);
  writeFileSync(join(outside, "app.yaml"), text);
  writeFileSync(join(outside, "secret"), "sentinel");
  writeFileSync(join(root, "team", "blobs", "note"), "a note");
  writeFileSync(join(root, "team", "blobs", "blueprint", "blueprint.yaml"), "kind: Blueprint");
  writeFileSync(join(root, "team", "blobs", "blueprint", "sub", "file"), "x");
  symlinkSync(outside, join(root, "link"));
  symlinkSync(join(root, "team"), join(root, "inner"));
  symlinkSync(join(outside, "secret"), join(root, "team", "blobs", "leak"));
  mkdirSync(join(root, "team", "blobs", "mixed"));
  symlinkSync(join(outside, "secret"), join(root, "team", "blobs", "mixed", "leak"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const open = async (filePath: string, kind: "local" | "file" = "local") =>
  await openFilesBelow(root).open({ kind, filePath }, "repositoryContext");

async function contentOf(found: ComponentVersion | undefined, reference: string): Promise<AsyncIterable<Uint8Array>> {
  if (found === undefined) throw new Error("expected a component version");
  return (await found.findLocal(reference)).stream({ signal });
}

async function textOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of content) parts.push(part);
  return Buffer.concat(parts).toString();
}

describe("a local repository", () => {
  it("gives components, their files, and folders as tar", async () => {
    const repository = await open("./team/");
    expect(await repository.listVersions("example.com/app", { signal })).toEqual(["1.0.0"]);
    const found = await repository.find(app, { signal });
    expect(found?.descriptor.name).toBe("example.com/app");
    expect(await repository.find({ ...app, version: "2.0.0" }, { signal })).toBeUndefined();
    expect(await textOf(await contentOf(found, "note"))).toBe("a note");
    const tree = await readTree(await contentOf(found, "blueprint"), { where: "test" });
    expect(Object.fromEntries([...tree].map(([path, content]) => [path, content.toString()]))).toEqual({
      "blueprint.yaml": "kind: Blueprint",
      "sub/file": "x",
    });
  });

  it.each(["leak", "../../outside/secret", "..", ".", "none", "blueprint/sub/file"])(
    "has no content %j: nothing leads out of it",
    async (reference) => {
      const found = await (await open("team")).find(app, { signal });
      await expect(found?.findLocal(reference)).rejects.toThrow(
        reference === "leak"
          ? 'local repository "team"/app.yaml: "leak": expected a file or folder'
          : `local repository "team"/app.yaml: there is no local content ${JSON.stringify(reference)}`,
      );
    },
  );

  it("gives no folder with a link in it", async () => {
    const found = await (await open("team")).find(app, { signal });
    await expect(textOf(await contentOf(found, "mixed"))).rejects.toThrow(
      'local repository "team"/app.yaml: leak: expected a file',
    );
  });

  it.each([
    ["../outside", "expected a path below the folder of local repositories, found"],
    ["team/../../outside", "expected a path below the folder of local repositories, found"],
    ["link", "expected a path below the folder of local repositories, found"],
    ["inner", "expected a path below the folder of local repositories, found"],
    ["link/blobs", "expected a path below the folder of local repositories, found"],
    ["/etc", "there is no"],
    ["none", "there is no"],
  ])("cannot be at %j", async (filePath, problem) => {
    for (const kind of ["local", "file"] as const) {
      await expect(open(filePath, kind)).rejects.toThrow(
        `repositoryContext: filePath: ${problem} ${JSON.stringify(filePath)}`,
      );
    }
  });

  it("of another type does not say where it is", async () => {
    await expect(open("team", "file")).rejects.toThrow(
      'local repository "team": expected artifact-index.json (a common transport format) or component-descriptor.yaml (a component archive) in it',
    );
    mkdirSync(join(root, "damaged"), { recursive: true });
    writeFileSync(join(root, "damaged", "artifact-index.json"), "{");
    await expect(open("damaged", "file")).rejects.toThrow(
      'local repository "damaged"/artifact-index.json: expected JSON',
    );
  });
});
