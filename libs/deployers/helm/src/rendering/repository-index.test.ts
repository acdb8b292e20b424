import { LandscaperError, type DeployItem } from "@landscaper/api";
import { afterAll, describe, expect, it } from "@jest/globals";
import { ChartRenderer } from "./chart-renderer.ts";

const where = "https://charts.example.org/";
const query = { name: "app", version: "~1.0.0", where };
const item: DeployItem = {
  apiVersion: "landscaper.gardener.cloud/v1alpha1",
  kind: "DeployItem",
  metadata: { name: "item", namespace: "a", uid: "uid" },
  spec: { type: "landscaper.gardener.cloud/helm" },
};
const { signal } = new AbortController();

function indexOf(versions: number): Buffer {
  const lines = ["apiVersion: v1", "entries:", "  app:"];
  for (let i = 0; i < versions; i++) lines.push(`  - version: 1.0.${i}`, `    urls: [app-1.0.${i}.tgz]`);
  return Buffer.from(lines.join("\n"));
}

describe("the index of a repository is read in a thread", () => {
  const renderer = new ChartRenderer({ threads: 1, timeoutSeconds: 0.5, memoryMiB: 512 });
  afterAll(async () => renderer.close());

  const find = async (index: Uint8Array): Promise<unknown> =>
    renderer
      .perform({ type: "index", index, query }, { name: `index of ${where}`, item, signal })
      .catch((error: unknown) => (error instanceof LandscaperError ? [error.reason, error.message] : error));

  it("gives the version that fits", async () => {
    expect(await find(indexOf(3))).toEqual({ version: "1.0.2", url: "app-1.0.2.tgz", digest: undefined });
  });

  it("ends with a limit of the thread, whatever its size", async () => {
    expect(await find(indexOf(150_000))).toEqual([
      "ChartLimitExceeded",
      expect.stringMatching(
        /^index of https:\/\/charts\.example\.org\/: reading it (?:took more than 0.5 s of processor time|needs more than 512 MiB of memory)$/,
      ),
    ]);
  });
});
