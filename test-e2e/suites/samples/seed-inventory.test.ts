// Every YAML snippet of seed-000 and seed-001 has a document of ours in test-e2e/documents, which seed-documents.test.ts runs.
// The seeds are among the samples that LANDSCAPER_SAMPLES hands over.
import { describe, expect, it } from "@jest/globals";
import {
  rangesOf,
  readSeed,
  readSeedDocuments,
  yamlKey,
  type SeedDocument,
} from "../../src/examples/seed-documents.ts";

const documents = readSeedDocuments();

/** Lines of the seeds that look like YAML and are sentences. */
const prose = /^(_?Example|Bindings|Note|(succeeded|failed)Reconcile\.\w+): ?/;

/** Keys of a seed's snippets with their lines, from 1. */
function keysOf(seed: string): { readonly line: number; readonly key: string }[] {
  return readSeed(seed).flatMap((text, index) => {
    const key = prose.test(text) ? undefined : yamlKey(text);
    return key === undefined ? [] : [{ line: index + 1, key }];
  });
}

function hasKey(document: SeedDocument, key: string): boolean {
  const keys = new Set(
    [...document.text.matchAll(/(?:^|[\s{"-])([$\w][\w./-]*)"?:(?=\s|$)/gm)].map(([, found]) => found),
  );
  return keys.has(key);
}

describe.each(["seed-000", "seed-001"])("the snippets of %s", (seed) => {
  const ranges = documents.flatMap((document) =>
    rangesOf(document.header).flatMap((range) => (range.seed === seed ? [{ ...range, document }] : [])),
  );
  const rangeOf = (line: number) => ranges.find(({ from, to }) => from <= line && line <= to);

  it("all have a document of ours", () => {
    expect(keysOf(seed).length).toBeGreaterThan(100);
    expect(keysOf(seed).filter(({ line }) => rangeOf(line) === undefined)).toEqual([]);
  });

  it("have no key that our document lacks, but for those that it says are corrected", () => {
    const missing = keysOf(seed).flatMap(({ line, key }) => {
      const document = rangeOf(line)?.document;
      const isKnown = document === undefined || hasKey(document, key) || document.header.includes(`\`${key}\``);
      return isKnown ? [] : [`${document.name}: ${key} (${seed}, line ${line})`];
    });
    expect(missing).toEqual([]);
  });
});
