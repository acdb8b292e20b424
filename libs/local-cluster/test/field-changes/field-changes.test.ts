import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { builtinResources } from "../../src/resources/builtin-resources.ts";
import { reviewResources } from "../../src/resources/review-resources.ts";
import { groupVersionOf } from "../../src/resources/resource-definition.ts";
import { differences } from "./differences.ts";
import { createEmbeddedSend } from "./embedded-send.ts";
import { hasRecordedChanges, nameOfSample, readRecordedChanges } from "./recorded-changes.ts";
import type { Refusals } from "./run-sample.ts";
import { prepareNamespace, runSample } from "./run-sample.ts";
import type { Sample } from "./sample.ts";
import { samples } from "./samples.ts";

/** Changes with different answers, by their title. */
function compare(recorded: Refusals, answered: Refusals): Readonly<Record<string, object>> {
  const titles = new Set([...Object.keys(recorded), ...Object.keys(answered)]);
  const different = [...titles].filter((title) => JSON.stringify(recorded[title]) !== JSON.stringify(answered[title]));
  return Object.fromEntries(
    different.map((title) => [title, { real: recorded[title] ?? "accepted", embedded: answered[title] ?? "accepted" }]),
  );
}

function isListed({ kind }: Sample, title: string): boolean {
  return differences.some(({ kinds, changes }) => kinds.includes(kind) && changes.test(title));
}

// The recordings are answers of a real kube-apiserver v1.34.1, made by test-e2e/src/records/record-parity.ts.
describe("changes of single fields", () => {
  let server: ReturnType<typeof createEmbeddedSend>;
  const found = new Set<number>();
  beforeAll(async () => {
    server = createEmbeddedSend();
    await prepareNamespace(server.send);
  });
  afterAll(() => server.stop());

  for (const sample of samples) {
    it(`are accepted and refused as recorded: ${nameOfSample(sample)}`, async () => {
      const different = compare(readRecordedChanges(sample), await runSample(server.send, sample));
      for (const [i, { kinds, changes }] of differences.entries()) {
        if (kinds.includes(sample.kind) && Object.keys(different).some((title) => changes.test(title))) found.add(i);
      }
      const unlisted = Object.entries(different).filter(([title]) => !isListed(sample, title));
      expect(Object.fromEntries(unlisted)).toEqual({});
    });
  }

  it("have no listed difference that no longer exists", () => {
    expect(differences.filter((_difference, i) => !found.has(i)).map(({ reason }) => reason)).toEqual([]);
  });

  it("differ for the reasons that the guide lists", () => {
    const guide = readFileSync(join(import.meta.dirname, "../../../../docs/guide/cli.md"), "utf8");
    expect(differences.filter(({ reason }) => !guide.includes(reason)).map(({ reason }) => reason)).toEqual([]);
  });

  it("are made of every kind that is served", () => {
    // Their schemas and rules have recordings of their own in testdata/schema; reviews are not stored.
    const elsewhere = ["CustomResourceDefinition", ...reviewResources.map(({ kind }) => kind)];
    const served = builtinResources.filter(({ kind }) => !elsewhere.includes(kind));
    const missing = served.filter(
      (definition) =>
        !samples.some(({ apiVersion, kind }) => kind === definition.kind && apiVersion === groupVersionOf(definition)),
    );
    expect(missing.map(({ kind }) => kind)).toEqual([]);
    expect(samples.filter((sample) => !hasRecordedChanges(sample))).toEqual([]);
  });
});
