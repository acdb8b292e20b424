import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "@jest/globals";

const folder = mkdtempSync(join(tmpdir(), "end-worker-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A worker whose tests have done `work`. Resolves to how it ends when jest has no more work for it. */
async function endAfter(
  work: string,
  graceMs: number,
  tell = (worker: ChildProcess): void => {
    worker.send([1, "another message"]);
    worker.send([2, false]);
  },
): Promise<{ readonly code: unknown; readonly stderr: string }> {
  const file = join(folder, "worker.mjs");
  const module = new URL("./end-worker.mjs", import.meta.url).href;
  const stop = `async () => process.stderr.write("stopped\\n")`;
  writeFileSync(
    file,
    `import { endWithTests } from "${module}";\n${work}\nendWithTests({ stop: ${stop}, graceMs: ${graceMs} });\nprocess.send("ready");\n`,
  );
  const worker = fork(file, { stdio: ["ignore", "ignore", "pipe", "ipc"] });
  let stderr = "";
  worker.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  await once(worker, "message");
  // Not "close": Node does not emit it after `disconnect`.
  const ended = Promise.all([once(worker, "exit"), once(worker.stderr ?? worker, "close")]);
  tell(worker);
  const [[code]] = await ended;
  return { code, stderr };
}

it("lets a worker end by itself, which keeps nothing but what does not keep it", async () => {
  expect(await endAfter("setInterval(() => {}, 1000).unref();", 60_000)).toEqual({ code: 0, stderr: "stopped\n" });
});

it("ends a worker that tests keep alive after a while, and names by what", async () => {
  const work = `import { createServer } from "node:http";\ncreateServer().listen(0, "127.0.0.1");`;
  const stderr = "stopped\ntests have left open what keeps their worker alive: TCPServerWrap\n";
  expect(await endAfter(work, 100)).toEqual({ code: 0, stderr });
});

it("ends a worker during a test if jest exits", async () => {
  const end = (worker: ChildProcess): void => worker.disconnect();
  expect(await endAfter("setInterval(() => {}, 1000);", 60_000, end)).toEqual({ code: 1, stderr: "stopped\n" });
});
