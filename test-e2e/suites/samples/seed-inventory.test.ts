// Every YAML snippet of seed-000 and seed-001 has a document of ours in test-e2e/documents, which seed-documents.test.ts runs.
// Each value that a document changes is on docs/compatibility.md.
// The seeds are among the samples that LANDSCAPER_SAMPLES hands over.
import { readFileSync } from "node:fs";
import { join } from "node:path";
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

/** Values of a seed's snippets with their lines, from 1. A text in angle brackets, or a comment, leaves the value open. */
function valuesOf(seed: string): { readonly line: number; readonly key: string; readonly value: string }[] {
  return readSeed(seed).flatMap((text, index) => {
    const [, key, rest = ""] = /^(?:- )?([$\w][\w./-]*):\s+(\S.*)$/.exec(text) ?? [];
    const value = normalize(rest.replace(/(^|\s)#.*$/, ""));
    const isOpen = ["", "...", "|", "value", "0"].includes(value) || value.includes("<");
    return key === undefined || isOpen || prose.test(text) ? [] : [{ line: index + 1, key, value }];
  });
}

function normalize(text: string): string {
  return text.replaceAll(/["']/g, "").replaceAll(/\s+/g, " ").trim();
}

/** "A | B" lists the values that a field may have. */
function hasValue({ text }: SeedDocument, key: string, value: string): boolean {
  const content = normalize(text.slice(text.indexOf("apiVersion")).replaceAll(/\s#.*$/gm, ""));
  return value.split(" | ").some((choice) => isWord(content, `${key}: ${choice}`));
}

/** Whether a text is part of another one, and not only the beginning of a longer word. */
function isWord(content: string, text: string): boolean {
  return content
    .split(text)
    .slice(1)
    .some((rest) => !/^[\w./-]/.test(rest));
}

const page = readFileSync(join(import.meta.dirname, "../../../docs/compatibility.md"), "utf8");
const codeOnPage = [...page.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => normalize(code));

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

  it("have no value that our document changes without a word on docs/compatibility.md", () => {
    const values = valuesOf(seed);
    expect(values.length).toBeGreaterThan(80);
    const changed = values.filter(({ line, key, value }) => {
      const document = rangeOf(line)?.document;
      return document !== undefined && !hasValue(document, key, value);
    });
    expect(changed.length).toBeGreaterThan(5);
    const untold = changed.filter(({ value }) => !codeOnPage.some((code) => isWord(code, value)));
    expect(untold.map(({ line, key, value }) => `${seed}, line ${line}: ${key}: ${value}`)).toEqual([]);
  });
});
