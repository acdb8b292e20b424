import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, it } from "@jest/globals";
import { newFolder } from "../../test/index.ts";
import { listFolder, type ListFolderOptions } from "./list-folder.ts";

const root = newFolder();
afterAll(() => rmSync(root, { recursive: true }));
const plain = join(root, "plain");
mkdirSync(join(plain, "sub", "deep"), { recursive: true });
mkdirSync(join(plain, "empty"));
for (const name of ["b.yaml", "a.txt", "sub/c.yaml", "sub/deep/d.txt"]) writeFileSync(join(plain, name), name);
chmodSync(join(plain, "a.txt"), 0o755);

async function namesIn(path: string, options: Partial<ListFolderOptions> = {}): Promise<string[]> {
  const names: string[] = [];
  for await (const { name, isExecutable, content } of listFolder(path, { where: "here", ...options })) {
    names.push(`${name}${content === undefined ? "/" : ""}${isExecutable === true ? "*" : ""}`);
  }
  return names;
}

describe("listFolder", () => {
  it.each<[string, Partial<ListFolderOptions>, string[]]>([
    [
      "all, in the order of names",
      {},
      ["a.txt*", "b.yaml", "empty/", "sub/", "sub/c.yaml", "sub/deep/", "sub/deep/d.txt"],
    ],
    [
      "all below the folder's own name",
      { preserveDir: true },
      [
        "plain/",
        "plain/a.txt*",
        "plain/b.yaml",
        "plain/empty/",
        "plain/sub/",
        "plain/sub/c.yaml",
        "plain/sub/deep/",
        "plain/sub/deep/d.txt",
      ],
    ],
    ["all without patterns", { includeFiles: [], excludeFiles: ["sub"] }, ["a.txt*", "b.yaml", "empty/"]],
    ["what patterns include", { includeFiles: ["*.yaml", "sub/*.yaml"] }, ["b.yaml", "sub/c.yaml"]],
    ["what patterns do not exclude", { excludeFiles: ["sub", "*.txt"] }, ["b.yaml", "empty/"]],
    ["what is included and not excluded", { includeFiles: ["**/*.txt"], excludeFiles: ["a.*"] }, ["sub/deep/d.txt"]],
  ])("lists %s", async (_, options, expected) => {
    expect(await namesIn(plain, options)).toEqual(expected);
  });

  it("refuses links, or follows them, but not in a ring or to nowhere", async () => {
    const linked = join(root, "linked");
    mkdirSync(linked);
    symlinkSync(join(plain, "sub"), join(linked, "to-sub"));
    await expect(namesIn(linked)).rejects.toThrow(
      `here: ${linked}/to-sub: expected a file or a folder, found a link. Remove it, exclude it, or set followSymlinks: true.`,
    );
    expect(await namesIn(linked, { followSymlinks: true })).toEqual([
      "to-sub/",
      "to-sub/c.yaml",
      "to-sub/deep/",
      "to-sub/deep/d.txt",
    ]);
    symlinkSync(linked, join(linked, "ring"));
    await expect(namesIn(linked, { followSymlinks: true })).rejects.toThrow(
      `here: ${linked}/ring: the link leads to a folder that it is in`,
    );
    rmSync(join(linked, "ring"));
    symlinkSync(join(root, "gone"), join(linked, "gone"));
    await expect(namesIn(linked, { followSymlinks: true })).rejects.toThrow(
      `here: ${linked}/gone: the link leads nowhere`,
    );
  });

  it("refuses more names than allowed behind links, even if no pattern includes them", async () => {
    const farm = join(root, "farm");
    for (let level = 0; level <= 12; level += 1) mkdirSync(join(farm, `level${level}`), { recursive: true });
    for (let level = 0; level < 12; level += 1) {
      for (const name of ["a", "b"]) symlinkSync(`../level${level + 1}`, join(farm, `level${level}`, name));
    }
    const path = join(farm, "level0");
    const options = { followSymlinks: true, includeFiles: ["none"] };
    await expect(namesIn(path, { ...options, maxVisited: 1000 })).rejects.toThrow(
      `here: ${path}: expected at most 1000 names, including those behind links, found more. Exclude folders.`,
    );
    expect(await namesIn(path, { ...options, maxVisited: 8190 })).toEqual([]);
  });

  it("warns if no file matches", async () => {
    const warnings: string[] = [];
    const warn = (message: string): void => void warnings.push(message);
    expect(await namesIn(plain, { includeFiles: ["*.md"], warn })).toEqual([]);
    expect(await namesIn(join(plain, "empty"), { warn })).toEqual([]);
    expect(warnings).toEqual([
      `here: includeFiles: no file in ${plain} matches, so the tar has no files; correct the patterns`,
    ]);
  });

  it("warns about each pattern that excludes nothing", async () => {
    const warnings: string[] = [];
    const warn = (message: string): void => void warnings.push(message);
    const excludeFiles = ["sub", "*.md", "a.*", "*.txt", "sub/c.yaml"];
    expect(await namesIn(plain, { excludeFiles, warn })).toEqual(["b.yaml", "empty/"]);
    expect(warnings).toEqual(
      [1, 4].map(
        (at) =>
          `here: excludeFiles[${at}]: nothing in ${plain} matches "${excludeFiles[at]}" outside of excluded folders; correct or remove the pattern`,
      ),
    );
  });

  it("returns the size and the content of files, and no content of folders", async () => {
    const files: unknown[] = [];
    for await (const { name, size, content } of listFolder(join(plain, "sub"), { where: "here", preserveDir: true })) {
      files.push([name, size, content === undefined ? undefined : await text(content())]);
    }
    expect(files).toEqual([
      ["sub", 0, undefined],
      ["sub/c.yaml", 10, "sub/c.yaml"],
      ["sub/deep", 0, undefined],
      ["sub/deep/d.txt", 14, "sub/deep/d.txt"],
    ]);
  });

  it("refuses sockets, unless a pattern excludes them", async () => {
    const folder = join(root, "sockets");
    mkdirSync(folder);
    writeFileSync(join(folder, "a"), "");
    const server = createServer().listen(join(folder, "socket"));
    await once(server, "listening");
    try {
      await expect(namesIn(folder)).rejects.toThrow(
        `here: ${folder}/socket: expected a file or a folder, found a device, socket or pipe. Remove it, or exclude it.`,
      );
      expect(await namesIn(folder, { excludeFiles: ["socket"] })).toEqual(["a"]);
      await expect(namesIn(join(folder, "socket"))).rejects.toThrow(
        `here: path: expected a folder, found neither a file nor a folder at ${folder}/socket.`,
      );
    } finally {
      server.close();
    }
  });

  it("refuses a path that does not exist", async () => {
    await expect(namesIn(join(root, "gone"))).rejects.toThrow(
      `here: path: expected a folder, found nothing at ${root}/gone. Correct the path; it is relative to the constructor file.`,
    );
  });

  it("refuses a file", async () => {
    await expect(namesIn(join(plain, "a.txt"))).rejects.toThrow(
      `here: path: expected a folder, found a file at ${plain}/a.txt. Correct the path; it is relative to the constructor file.`,
    );
  });
});
