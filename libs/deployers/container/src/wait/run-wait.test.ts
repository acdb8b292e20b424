import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { writeTree } from "../../test/folder-tree.ts";
import { useWaitBench } from "../../test/wait-bench.ts";
import type { TestRun } from "../../test/wait-fixture.ts";

const { firstRun, nextRun, secretsOf, indexOf, stateOf } = useWaitBench();

const exited = (exitCode: number) => ({ terminated: { exitCode } });

/** Runs wait for a program that has ended already. */
async function waitForEnded(run: TestRun, exitCode = 0): Promise<void> {
  await run.setMain(exited(exitCode));
  await run.wait();
}

describe("when the program has ended, wait", () => {
  it("keeps state and exports as Secrets of the job", async () => {
    const run = await firstRun();
    writeTree(run.paths.state, [{ path: "a/b", content: "x" }]);
    writeFileSync(run.paths.exports, "key: value\n");
    await waitForEnded(run);
    const secrets = await secretsOf(run);
    const [chunk = ""] = run.job.state.chunks;
    expect([...secrets.keys()].toSorted()).toEqual([chunk, "team-setup-export", "team-setup-state-index"].toSorted());
    const index = await indexOf(run);
    const [part] = index?.chunks ?? [];
    expect(index).toEqual({
      version: 1,
      generation: run.job.suffix,
      chunks: [{ name: chunk, sha256: expect.any(String), bytes: secrets.get(chunk)?.content["config"]?.length }],
      sha256: part?.sha256,
      bytes: 2560,
      fileCount: 1,
    });
    const group = "container.deployer.landscaper.gardener.cloud";
    const typed = (type: string) => ({ ...run.job.labels, [`${group}/type`]: type });
    expect(secrets.get(chunk)).toMatchObject({
      labels: typed("state"),
      annotations: { [`${group}/uuid`]: run.job.suffix, [`${group}/num`]: "0", [`${group}/sha256`]: part?.sha256 },
    });
    expect(secrets.get("team-setup-state-index")?.labels).toEqual(typed("state-index"));
    expect(secrets.get("team-setup-export")).toMatchObject({
      labels: typed("export"),
      annotations: { [`${group}/job`]: run.job.pod },
      content: { config: Buffer.from("key: value\n") },
    });
    expect(await stateOf(run)).toEqual(["a", "a/b"]);
    expect(run.lines).toEqual([
      "the program has ended with 0",
      "the state has been kept: 1 files, 2560 bytes",
      "the exports have been kept: 11 bytes",
    ]);
  });

  it("cuts a large state into Secrets of 1,000,000 bytes", async () => {
    const run = await firstRun();
    const content = Buffer.alloc(2_500_000);
    for (let at = 0; at < content.length; at += 4) content.writeUInt32LE((at * 2_654_435_761) % 2 ** 32, at);
    writeTree(run.paths.state, [{ path: "noise", content }]);
    await waitForEnded(run);
    const { chunks = [] } = (await indexOf(run)) ?? {};
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.slice(0, -1).every(({ bytes }) => bytes === 1_000_000)).toBe(true);
    expect(chunks.map(({ name }) => name)).toEqual(run.job.state.chunks.slice(0, chunks.length));
    expect(await stateOf(run)).toEqual(["noise"]);
  });

  it("keeps the state of a program that has failed, but no exports", async () => {
    const run = await firstRun();
    writeTree(run.paths.state, [{ path: "a", content: "x" }]);
    writeFileSync(run.paths.exports, "key: value");
    await waitForEnded(run, 3);
    expect(await stateOf(run)).toEqual(["a"]);
    expect((await secretsOf(run)).has("team-setup-export")).toBe(false);
    expect(run.lines[0]).toBe("the program has ended with 3");
  });

  it.each(["empty", "gone"])("leaves the state of the run before when the folder is %s", async (how) => {
    const first = await firstRun();
    writeTree(first.paths.state, [{ path: "a", content: "x" }]);
    await waitForEnded(first);
    const before = await indexOf(first);
    const second = await nextRun(first.namespace, "job-2");
    if (how === "gone") rmSync(second.paths.state, { recursive: true });
    await waitForEnded(second);
    expect(await indexOf(second)).toEqual(before);
  });

  it.each(["", undefined])("writes no exports when the file has %j", async (content) => {
    const run = await firstRun();
    if (content !== undefined) writeFileSync(run.paths.exports, content);
    await waitForEnded(run);
    expect((await secretsOf(run)).size).toBe(0);
  });

  it("replaces the state of the run before", async () => {
    const first = await firstRun();
    writeTree(first.paths.state, [{ path: "a", content: "x" }]);
    await waitForEnded(first);
    const second = await nextRun(first.namespace, "job-2");
    expect(second.job.state.index.resourceVersion).toBeDefined();
    writeTree(second.paths.state, [{ path: "b", content: "x" }]);
    await waitForEnded(second);
    expect((await indexOf(second))?.generation).toBe(second.job.suffix);
    expect(await stateOf(second)).toEqual(["b"]);
  });
});

describe("what a hostile program leaves", () => {
  /** A file outside of the volume, such as a token of another container. */
  const outside = (run: TestRun): string => {
    const file = join(dirname(run.paths.shared), "token");
    writeFileSync(file, "a secret token");
    return file;
  };

  /** The program ends well; nothing of it is in any Secret. */
  async function expectRefusal(run: TestRun, reason: string, message: string): Promise<void> {
    await run.setMain(exited(0));
    await expect(run.wait()).rejects.toMatchObject({ reason, message });
    const contents = [...(await secretsOf(run)).values()].flatMap(({ content }) => Object.values(content));
    expect(Buffer.concat(contents).includes("a secret token")).toBe(false);
    expect((await secretsOf(run)).has("team-setup-export")).toBe(false);
  }

  it("exports that are a link", async () => {
    const run = await firstRun();
    symlinkSync(outside(run), run.paths.exports);
    await expectRefusal(run, "ExportsRefused", "exports: EXPORTS_PATH is a link; expected a file");
  });

  it("a folder of exports that is a link", async () => {
    const run = await firstRun();
    rmSync(dirname(run.paths.exports), { recursive: true });
    const folder = join(dirname(outside(run)), "elsewhere");
    mkdirSync(folder);
    writeFileSync(join(folder, "values"), "a secret token");
    symlinkSync(folder, dirname(run.paths.exports));
    await expectRefusal(run, "ExportsRefused", "exports: EXPORTS_PATH is a link; expected a file");
  });

  it("exports that are a pipe, which is not waited for", async () => {
    const run = await firstRun();
    execFileSync("bash", ["-c", "mkfifo values"], { cwd: dirname(run.paths.exports) });
    await expectRefusal(run, "ExportsRefused", "exports: EXPORTS_PATH is a pipe; expected a file");
  });

  it("exports that are a folder", async () => {
    const run = await firstRun();
    mkdirSync(run.paths.exports);
    await expectRefusal(run, "ExportsRefused", "exports: EXPORTS_PATH is a folder; expected a file");
  });

  it("exports of 1 GiB, of which nothing is read", async () => {
    const run = await firstRun();
    writeFileSync(run.paths.exports, "");
    truncateSync(run.paths.exports, 1024 ** 3);
    await expectRefusal(
      run,
      "ExportsRefused",
      "exports: EXPORTS_PATH has 1073741824 bytes, more than the allowed 1000000",
    );
  });

  it("a folder of exports that is a file", async () => {
    const run = await firstRun();
    rmSync(dirname(run.paths.exports), { recursive: true });
    writeFileSync(dirname(run.paths.exports), "a: b");
    await expectRefusal(run, "ExportsRefused", "exports: EXPORTS_PATH is below a file; expected a file");
  });

  it("a state folder that is a link", async () => {
    const run = await firstRun();
    const folder = dirname(outside(run));
    rmSync(run.paths.state, { recursive: true });
    symlinkSync(folder, run.paths.state);
    await expectRefusal(run, "StateRefused", "state: STATE_PATH is a link; expected a folder");
  });

  it("a state folder that is a file", async () => {
    const run = await firstRun();
    renameSync(run.paths.state, `${run.paths.state}-gone`);
    writeFileSync(run.paths.state, "x");
    await expectRefusal(run, "StateRefused", "state: STATE_PATH is a file; expected a folder");
  });

  it("a link in the state: then the state of the run before stays", async () => {
    const first = await firstRun();
    writeTree(first.paths.state, [{ path: "a", content: "x" }]);
    await waitForEnded(first);
    const run = await nextRun(first.namespace, "job-2");
    symlinkSync(outside(run), join(run.paths.state, "token"));
    await expectRefusal(run, "StateRefused", 'state: "token" is a link; expected files and folders');
    expect(await stateOf(run)).toEqual(["a"]);
  });

  it("a state that is larger than the limit", async () => {
    const run = await firstRun({ stateBytes: 10_000 });
    writeTree(run.paths.state, [{ path: "a", content: "x".repeat(20_000) }]);
    await expectRefusal(
      run,
      "StateRefused",
      'state: "a" makes the state larger than the allowed 10000 bytes: it has 20000',
    );
  });
});
