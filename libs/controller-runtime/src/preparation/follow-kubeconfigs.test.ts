import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { createFakeClock, type FakeClock } from "@landscaper/testkit";
import { loadConnection } from "../client/connection/load-connection.ts";
import { followKubeconfigs, readTexts } from "./follow-kubeconfigs.ts";

let folder: string;
let file: string;
let clock: FakeClock;
let stop: AbortController;
/** What the work was told, in order. */
let told: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "kubeconfig-"));
  file = join(folder, "kubeconfig");
  clock = createFakeClock();
  stop = new AbortController();
  told = [];
});
afterEach(() => {
  stop.abort(new Error("the test is over"));
  rmSync(folder, { recursive: true });
});

function write(token: string): void {
  const user = { name: "user", user: { token } };
  const cluster = { name: "cluster", cluster: { server: "https://127.0.0.1:6443" } };
  const context = { name: "context", context: { cluster: "cluster", user: "user" } };
  const config = { clusters: [cluster], users: [user], contexts: [context], "current-context": "context" };
  writeFileSync(file, JSON.stringify({ apiVersion: "v1", kind: "Config", ...config }));
}

/** Work that ends when it is told to, a moment later. */
function follow(): Promise<void> {
  const texts = readTexts([file, undefined, join(folder, "absent")]);
  const load = async (): Promise<unknown> => await loadConnection({ kubeconfigPath: file });
  const work = async (signal: AbortSignal): Promise<void> => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    told.push("end");
    await new Promise((resolve) => setImmediate(resolve));
    told.push("ended");
  };
  const following = followKubeconfigs({ texts, load, clock }, work, stop.signal);
  following.catch(() => undefined);
  return following;
}

async function pass(seconds: number): Promise<void> {
  for (let at = 0; at < seconds; at += 5) {
    await clock.advance(5_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

it("ends the work, and then itself, when a kubeconfig has another text", async () => {
  write("first");
  const following = follow();
  await pass(20);
  expect(told).toEqual([]);
  write("second");
  await pass(5);
  await expect(following).rejects.toThrow(
    `the kubeconfig ${file} has changed: this process ends, to be started again with the new one`,
  );
  expect(told).toEqual(["end", "ended"]);
});

it("waits for a kubeconfig that can be used: half a file, or none, changes nothing", async () => {
  write("first");
  const following = follow();
  writeFileSync(file, "apiVersion: v1\nclusters: [");
  await pass(20);
  rmSync(file);
  await pass(20);
  write("first");
  await pass(20);
  expect(told).toEqual([]);
  stop.abort(new Error("enough"));
  await expect(following).resolves.toBeUndefined();
  expect(told).toEqual(["end", "ended"]);
});

it("ends with the work", async () => {
  write("first");
  const texts = readTexts([file]);
  const failing = followKubeconfigs(
    { texts, load: async () => undefined, clock },
    () => Promise.reject(new Error("the work failed")),
    stop.signal,
  );
  await expect(failing).rejects.toThrow("the work failed");
  expect(clock.pendingTimers).toBe(0);
});
