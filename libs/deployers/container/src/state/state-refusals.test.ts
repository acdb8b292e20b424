import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { packFiles } from "@landscaper/components";
import { listTree, newFolder, writeTree } from "../../test/index.ts";
import { OpenFolder } from "../program-files/open-folder.ts";
import { joinChunks } from "./join-chunks.ts";
import { packState } from "./pack-state.ts";
import { restoreState } from "./restore-state.ts";
import { maxStateEntries } from "./state-limits.ts";

const limits = { bytes: 1024 * 1024, entries: 100 };

let root = "";
let state = "";
beforeEach(() => {
  root = newFolder();
  state = join(root, "state");
  mkdirSync(state);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** The message and reason of what packing fails with, and how many bytes came before. */
async function packing(own = limits): Promise<unknown> {
  const folder = await OpenFolder.openRoot(state);
  let bytes = 0;
  try {
    for await (const part of packState(folder, own).content) bytes += part.length;
    return { bytes };
  } catch (error) {
    const { message, reason } = Object(error) as { message?: unknown; reason?: unknown };
    return { message, reason };
  } finally {
    await folder.close();
  }
}

const refused = (message: string) => ({ message, reason: "StateRefused" });

describe("a state is not kept when it has", () => {
  it("a link to a file of another container", async () => {
    symlinkSync("/var/run/secrets/kubernetes.io/serviceaccount/token", join(state, "token"));
    expect(await packing()).toEqual(refused('state: "token" is a link; expected files and folders'));
  });

  it("a link to a folder, however deep", async () => {
    mkdirSync(join(state, "a/b"), { recursive: true });
    symlinkSync("/etc", join(state, "a/b/etc"));
    expect(await packing()).toEqual(refused('state: "a/b/etc" is a link; expected files and folders'));
  });

  it("a link that leads nowhere", async () => {
    symlinkSync("nowhere", join(state, "l"));
    expect(await packing()).toEqual(refused('state: "l" is a link; expected files and folders'));
  });

  it("a pipe, which is not opened", async () => {
    execFileSync("bash", ["-c", "mkfifo pipe"], { cwd: state });
    expect(await packing()).toEqual(refused('state: "pipe" is a pipe; expected files and folders'));
  });

  it("a socket", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(state, "s"), resolve));
    try {
      expect(await packing()).toEqual(refused('state: "s" is a socket; expected files and folders'));
    } finally {
      server.close();
    }
  });

  it("a file with two names", async () => {
    writeFileSync(join(state, "a"), "1");
    linkSync(join(state, "a"), join(state, "b"));
    expect(await packing()).toEqual(refused('state: "a" has 2 names (hard links); expected one'));
  });

  it("a sparse file of 1 GiB, of which nothing is read", async () => {
    writeFileSync(join(state, "big"), "");
    truncateSync(join(state, "big"), 1024 ** 3);
    expect(await packing()).toEqual(
      refused('state: "big" makes the state larger than the allowed 1048576 bytes: it has 1073741824'),
    );
  });

  it("files that are too large together", async () => {
    writeTree(state, [
      { path: "a", content: "x".repeat(600_000) },
      { path: "b", content: "x".repeat(600_000) },
    ]);
    expect(await packing()).toEqual(
      refused('state: "b" makes the state larger than the allowed 1048576 bytes: it has 600000'),
    );
  });

  it("names that take more than the limit", async () => {
    const names = Array.from({ length: 5 }, (_, index) => `${"n".repeat(250)}${index}`);
    writeTree(
      state,
      names.map((path) => ({ path, content: "" })),
    );
    expect(await packing({ ...limits, bytes: 7000 })).toEqual(
      refused("state: it is larger than the allowed 7000 bytes"),
    );
  });

  it("100,000 files", async () => {
    execFileSync("bash", ["-c", "seq 100000 | xargs touch"], { cwd: state });
    expect(await packing({ bytes: 64 * 1024 ** 2, entries: maxStateEntries })).toEqual(
      refused("state: it has more than the allowed 50000 files and folders"),
    );
  });

  it("folders that are too deep", async () => {
    mkdirSync(join(state, ...Array.from({ length: 101 }, () => "d")), { recursive: true });
    const path = `${"d/".repeat(100)}d`;
    expect(await packing({ ...limits, entries: 1000 })).toEqual(
      refused(`state: ${JSON.stringify(`${path.slice(0, 200)}...`)} is deeper than 100 folders`),
    );
  });

  it("a path that is too long to be unpacked", async () => {
    // Longer than a path may be: it is made from inside.
    const names = Array.from({ length: 16 }, () => "n".repeat(250));
    execFileSync("bash", ["-c", names.map((name) => `mkdir ${name} && cd ${name}`).join(" && ")], { cwd: state });
    expect(await packing()).toEqual(
      refused(`state: ${JSON.stringify(`${"n".repeat(200)}...`)} has a path of more than 3500 bytes`),
    );
    execFileSync("bash", ["-c", "rm -rf n*"], { cwd: state });
  });

  it("a name that is not UTF-8", async () => {
    writeFileSync(Buffer.concat([Buffer.from(`${state}/a`), Buffer.from([0xff])]), "1");
    expect(await packing()).toEqual(refused('state: "a\uFFFD" has a name that is not valid UTF-8'));
  });
});

describe("a state is kept when it has", () => {
  it("names with backslashes, line feeds and dots", async () => {
    const paths = [String.raw`a\..\b`, "line\nfeed", "...", "..a"];
    writeTree(
      state,
      paths.map((path) => ({ path, content: "1" })),
    );
    expect(await packing()).toEqual({ bytes: expect.any(Number) });
  });

  it("a file that becomes shorter while it is read: then it fails, and no archive is complete", async () => {
    writeFileSync(join(state, "a"), "x".repeat(300_000));
    const folder = await OpenFolder.openRoot(state);
    const reading = (async () => {
      for await (const _ of packState(folder, limits).content) truncateSync(join(state, "a"), 10);
    })();
    await expect(reading).rejects.toThrow(
      /^"a": the file changed while it was packed: expected 300000 bytes, found \d+\. /,
    );
    await folder.close();
  });
});

/** Restores an archive and says what fails, and what there is then; the folder has a file before. */
async function restoring(archive: AsyncIterable<Uint8Array>, own = limits): Promise<unknown> {
  writeTree(state, [{ path: "before", content: "1" }]);
  const left = () => listTree(root).map(({ path }) => path);
  try {
    await restoreState(archive, { folder: state, limits: own });
    return { left: left() };
  } catch (error) {
    const { message, reason } = Object(error) as { message?: unknown; reason?: unknown };
    return { message, reason, left: left() };
  }
}

/** Nothing has changed, and nothing lies beside the folder. */
const left = ["state", "state/before"];
const damaged = (problem: string) => ({
  message: `state of the run before: ${problem}`,
  reason: "StateDamaged",
  left,
});

async function* streamOf(...parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

async function packed(...names: readonly string[]): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  const files = names.map((name) => ({ name, size: 1, content: () => streamOf(Buffer.from("1")) }));
  for await (const part of packFiles(files)) parts.push(part);
  return gzipSync(Buffer.concat(parts));
}

describe("a state is not restored, and the folder stays as it was, when", () => {
  it("its archive is not compressed", async () => {
    expect(await restoring(streamOf(Buffer.from("no gzip")))).toEqual(
      damaged("archive: not a tar archive, or damaged: its compressed data is damaged"),
    );
  });

  it("its archive is cut off", async () => {
    const bytes = await packed("a");
    expect(await restoring(streamOf(bytes.subarray(0, 60)))).toEqual(
      damaged("archive: not a tar archive, or damaged: it ends too early"),
    );
  });

  it("a path leads out of it", async () => {
    expect(await restoring(streamOf(await packed("../x")))).toEqual(
      damaged('archive: expected a path below the archive, found "../x"'),
    );
  });

  it("a path is absolute", async () => {
    expect(await restoring(streamOf(await packed("/x")))).toEqual(
      damaged('archive: expected a path below the archive, found "/x"'),
    );
  });

  it("a file is below another file", async () => {
    expect(await restoring(streamOf(await packed("a", "a/b")))).toEqual(
      damaged("its archive cannot be unpacked (EEXIST)"),
    );
  });

  it("it unpacks to more than the limit", async () => {
    expect(await restoring(streamOf(gzipSync(Buffer.alloc(2 * 1024 ** 2))))).toEqual(
      damaged("it unpacks to more than the allowed 1048576 bytes"),
    );
  });

  it("it has more files than the limit", async () => {
    expect(await restoring(streamOf(await packed("a", "b")), { ...limits, entries: 1 })).toEqual(
      damaged("archive: more than 1 entries"),
    );
  });

  const sha256 = "9".repeat(64);
  it.each([
    { title: "a part is missing", chunk: { name: "gone" }, problem: "part 1 of 1, Secret gone: it is not there" },
    {
      title: "a part is shorter than it was",
      chunk: { name: "p", bytes: 9 },
      problem: "part 1 of 1, Secret p: expected 9 bytes, found 3",
    },
    {
      title: "a part is another one",
      chunk: { name: "p", sha256 },
      problem: "part 1 of 1, Secret p: its sha256 is another one than when it was written",
    },
  ])("$title", async ({ chunk, problem }) => {
    const archive = joinChunks({ chunks: [chunk] }, async (name) => (name === "p" ? Buffer.from("abc") : undefined));
    expect(await restoring(archive)).toEqual(damaged(problem));
  });

  it("the parts are not those of one archive", async () => {
    const bytes = await packed("a");
    const archive = joinChunks({ chunks: [{ name: "p" }], sha256 }, async () => bytes);
    expect(await restoring(archive)).toEqual(
      damaged("the parts are not those of one archive: its sha256 is another one"),
    );
  });

  it("the disk has no room, which is no damage", async () => {
    const failing = (async function* () {
      yield (await packed("a")).subarray(0, 20);
      throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    })();
    expect(await restoring(failing)).toEqual({ message: "no space left on device", reason: undefined, left });
  });
});
