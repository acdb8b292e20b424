// What users read after the mistakes that they make: place, cause and remedy.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { clustersUnderTest } from "../src/clusters/selected-clusters.ts";
import { makeMistakes } from "../src/mistakes/make-mistakes.ts";
import { incomplete } from "../src/mistakes/table/incomplete.ts";
import { mistakes, mistakesOn } from "../src/mistakes/table/all.ts";
import { startEnvironment, type Environment } from "../src/services/environment.ts";

const complete = { score: 2, lacks: [] };

it("gives each mistake a title of its own, and lists no mistake as incomplete that is not made", () => {
  const titles = mistakes.map(({ title }) => title);
  expect(titles).toEqual([...new Set(titles)]);
  expect(Object.keys(incomplete).filter((title) => !titles.includes(title))).toEqual([]);
});

describe.each(clustersUnderTest())("after a mistake on %s", (cluster) => {
  const made = mistakesOn(cluster);
  let environment: Environment;
  let folder: string;
  let judged: ReturnType<typeof makeMistakes> = new Map();
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "mistakes-"));
    const kubeconfig = join(folder, "kubeconfig");
    environment = await startEnvironment({
      cluster,
      services: ["landscaper-core", "manifest-deployer", "helm-deployer", "mock-deployer"],
      // An item that no deployer takes fails after this time, instead of five minutes.
      configs: { "landscaper-core": { deployItemTimeouts: { pickup: "40s" } } },
      workloads: true,
    });
    writeFileSync(kubeconfig, environment.hub.kubeconfig, { mode: 0o600 });
    judged = makeMistakes(made, { environment, kubeconfig });
  });
  afterAll(async () => {
    await Promise.allSettled(judged.values());
    await environment.stop();
    rmSync(folder, { recursive: true });
  });

  it.each(made)("$area: $title", async ({ title }) => {
    const { verdict, outputs } = (await judged.get(title)) ?? { verdict: undefined, outputs: {} };
    const isAsListed = JSON.stringify(verdict) === JSON.stringify(incomplete[title] ?? complete);
    // The outputs show which words are missing.
    expect({ verdict, outputs: isAsListed ? {} : outputs }).toEqual({
      verdict: incomplete[title] ?? complete,
      outputs: {},
    });
  });
});
