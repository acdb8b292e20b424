// The programs run beside others' programs with little memory: what a state of the largest allowed size takes is measured in processes of their own.
import { execFile } from "node:child_process";
import { createHash, randomFillSync } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "@jest/globals";
import { useWaitBench } from "../../test/wait-bench.ts";
import type { TestRun } from "../../test/wait-fixture.ts";
import { defaultStateBytes } from "../index.ts";

const mebibyte = 1024 ** 2;
const maxBytes = 96 * mebibyte;
/** As in a container of 128 MiB whose heap may take half of that. */
const nodeFlags = ["--max-old-space-size=64", "--max-semi-space-size=2"];

const bench = useWaitBench();

/** Most bytes of physical memory that a program has had. */
async function peakOf(...args: readonly string[]): Promise<number> {
  const { stdout } = await promisify(execFile)(process.execPath, [...nodeFlags, ...args]);
  return Number(stdout) * 1024;
}

/** `idle`: all is loaded, and nothing done. */
async function measure(program: "wait" | "init" | "idle", { namespace, paths, job }: TestRun): Promise<number> {
  const kubeconfig = join(dirname(paths.shared), "kubeconfig");
  writeFileSync(kubeconfig, bench.fixture.cluster.server.kubeconfig);
  const file = join(import.meta.dirname, "../../test/measured-program.ts");
  return await peakOf(file, program, dirname(paths.shared), kubeconfig, namespace, job.pod);
}

it("keeping and restoring 64 MiB that cannot be compressed takes less than 96 MiB beyond the programs themselves", async () => {
  const run = await bench.firstRun({ stateBytes: defaultStateBytes });
  // Headers and the end of the archive take the rest.
  const content = randomFillSync(Buffer.alloc(defaultStateBytes - 1536));
  writeFileSync(join(run.paths.state, "noise"), content);
  await run.setMain({ terminated: { exitCode: 0 } });
  const idle = await measure("idle", run);
  const saving = (await measure("wait", run)) - idle;
  const index = await bench.indexOf(run);
  expect(index).toMatchObject({ bytes: defaultStateBytes, fileCount: 1 });
  expect(index?.chunks.length).toBe(68);

  rmSync(run.paths.state, { recursive: true });
  const { chunks, sha256, bytes } = index ?? {};
  const job = { ...run.job, state: { ...run.job.state, restore: { chunks, sha256, bytes } } };
  writeFileSync(run.paths.job, JSON.stringify(job));
  const meta = { apiVersion: "container.deployer.landscaper.gardener.cloud/v1alpha1", kind: "ProviderConfiguration" };
  mkdirSync(dirname(run.paths.configuration), { recursive: true });
  writeFileSync(run.paths.configuration, JSON.stringify(meta));
  const restoring = (await measure("init", run)) - idle;
  const hashOf = (bytesOf: Buffer) => createHash("sha256").update(bytesOf).digest("hex");
  expect(hashOf(readFileSync(join(run.paths.state, "noise")))).toBe(hashOf(content));

  // Beside what an idle Node takes, the bundles have some 30 MiB of code.
  expect([saving, restoring].filter((bytes) => bytes > maxBytes).map((bytes) => bytes / mebibyte)).toEqual([]);
}, 300_000);
