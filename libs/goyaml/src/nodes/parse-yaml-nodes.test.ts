import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { goJson } from "../json/go-json.ts";
import { toYaml } from "../encode/to-yaml.ts";
import { YamlDecoder } from "../decode/yaml-decoder.ts";
import { YamlError } from "../yaml-error.ts";
import type { YamlNode } from "./node.ts";
import { hasFurtherContent, parseYamlNodes } from "./parse-yaml-nodes.ts";

interface StreamCase {
  readonly stream: string;
  /** JSON of the list of documents. */
  readonly out?: string;
  readonly error?: string;
}

/** Made by go-yaml v2's Decoder from our texts. */
const streams = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../testdata/yaml-streams.json"), "utf8"),
) as StreamCase[];

function catchError(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

/** A node as one line: kind, place, properties, and what is in it. */
function print(node: YamlNode): string {
  const place = `${node.line}:${node.column}[${node.start}-${node.end}]`;
  const properties = [
    node.anchor === undefined ? "" : ` &${node.anchor}`,
    node.tag === undefined ? "" : ` <${node.tag}>`,
  ];
  const head = `${place}${properties.join("")}`;
  switch (node.kind) {
    case "scalar":
      return `${node.style} ${head} ${JSON.stringify(node.text)}`;
    case "alias":
      return `*${node.name} ${head}`;
    case "sequence":
      return `${node.isFlow ? "flow " : ""}seq ${head} (${node.items.map(print).join("; ")})`;
    case "mapping":
      return `${node.isFlow ? "flow " : ""}map ${head} (${node.entries.map(({ key, value }) => `${print(key)} = ${print(value)}`).join("; ")})`;
  }
}

describe("parseYamlNodes", () => {
  it.each<[string, string[]]>([
    ["", []],
    ["# only a comment\n", []],
    ["---\n", ['plain 2:1[4-4] ""']],
    ["a", ['plain 1:1[0-1] "a"']],
    ["\ufeffa", ['plain 1:1[1-2] "a"']],
    ["'it''s'", [`single 1:1[0-7] "it's"`]],
    ['"a\\x41"', ['double 1:1[0-7] "aA"']],
    ["a b # c", ['plain 1:1[0-3] "a b"']],
    ["a\n b\n", ['plain 1:1[0-4] "a b"']],
    ["|\n  a\n  b\n", ['literal 1:1[0-10] "a\\nb\\n"']],
    [">-\n a\n b\n# c\n", ['folded 1:1[0-9] "a b"']],
    ["- a\n- b\n", ['seq 1:1[0-8] (plain 1:3[2-3] "a"; plain 2:3[6-7] "b")']],
    ["-\n-", ['seq 1:1[0-3] (plain 1:2[1-1] ""; plain 2:2[3-3] "")']],
    ["a: 1", ['map 1:1[0-4] (plain 1:1[0-1] "a" = plain 1:4[3-4] "1")']],
    [
      "a:\n- x\nb:",
      ['map 1:1[0-9] (plain 1:1[0-1] "a" = seq 2:1[3-7] (plain 2:3[5-6] "x"); plain 3:1[7-8] "b" = plain 3:3[9-9] "")'],
    ],
    ["? a\n: - b", ['map 1:1[0-9] (plain 1:3[2-3] "a" = seq 2:3[6-9] (plain 2:5[8-9] "b"))']],
    [
      "[a, {b: c}]",
      ['flow seq 1:1[0-11] (plain 1:2[1-2] "a"; flow map 1:5[4-10] (plain 1:6[5-6] "b" = plain 1:9[8-9] "c"))'],
    ],
    ["[a: b]", ['flow seq 1:1[0-6] (flow map 1:2[1-5] (plain 1:2[1-2] "a" = plain 1:5[4-5] "b"))']],
    [
      "{a, b: }",
      ['flow map 1:1[0-8] (plain 1:2[1-2] "a" = plain 1:3[2-2] ""; plain 1:5[4-5] "b" = plain 1:8[7-7] "")'],
    ],
    ["&x !!str a", ['plain 1:1[0-10] &x <tag:yaml.org,2002:str> "a"']],
    ["!t &x [a]", ['flow seq 1:1[0-9] &x <!t> (plain 1:8[7-8] "a")']],
    ["! a", ['plain 1:1[0-3] <!> "a"']],
    ["!<x:y> a", ['plain 1:1[0-8] <x:y> "a"']],
    ["%TAG !e! tag:e,1:\n--- !e!f%41 a", ['plain 2:5[22-31] <tag:e,1:fA> "a"']],
    ["a: &x\nb: *x", ['map 1:1[0-11] (plain 1:1[0-1] "a" = plain 1:4[3-5] &x ""; plain 2:1[6-7] "b" = *x 2:4[9-11])']],
    ["a: &x # c\n  b", ['map 1:1[0-13] (plain 1:1[0-1] "a" = plain 1:4[3-13] &x "b")']],
    ["😀: 😀", ['map 1:1[0-6] (plain 1:1[0-2] "😀" = plain 1:5[4-6] "😀")']],
    ["a\n--- b\n...\n---\nc", ['plain 1:1[0-1] "a"', 'plain 2:5[6-7] "b"', 'plain 5:1[16-17] "c"']],
  ])("reads %j", (text, expected) => {
    expect(parseYamlNodes(text).map(print)).toEqual(expected);
  });

  it.each(streams.map((recorded) => [recorded.stream, recorded] as const))(
    "reads or refuses the documents of %j as Go does",
    (stream, recorded) => {
      const decode = (root: YamlNode): unknown =>
        new YamlDecoder({ isExact: false, rejectDuplicates: false }).decodeRoot(root);
      const result = catchError(() => goJson(parseYamlNodes(stream).map(decode)));
      if (recorded.error === undefined) expect(result).toBe(recorded.out);
      else expect(result).toEqual(expect.objectContaining({ name: "YamlError", message: recorded.error }));
    },
  );

  it("gives an alias the node that had the anchor last before it", () => {
    const [root] = parseYamlNodes("- &a 1\n- *a\n- &a 2\n- *a\n");
    const items = root?.kind === "sequence" ? root.items : [];
    expect(items[1]).toMatchObject({ kind: "alias", target: items[0] });
    expect(items[3]).toMatchObject({ kind: "alias", target: items[2] });
  });

  it("forgets anchors, tag handles and the version at the end of a document", () => {
    expect(() => parseYamlNodes("--- &a x\n--- *a\n")).toThrow(new YamlError("yaml: unknown anchor 'a' referenced"));
    expect(() => parseYamlNodes("%TAG !e! x\n--- !e!a b\n--- !e!a b\n")).toThrow(
      new YamlError("yaml: line 2: found undefined tag handle"),
    );
    expect(parseYamlNodes("%YAML 1.1\n--- a\n...\n%YAML 1.1\n--- b\n")).toHaveLength(2);
  });

  it("tells where a mistake is, besides the line that go-yaml tells", () => {
    expect(catchError(() => parseYamlNodes("a: 1\nb: [1, 2\nc: 3"))).toMatchObject({
      message: "yaml: line 2: did not find expected ',' or ']'",
      problem: "did not find expected ',' or ']'",
      line: 3,
      column: 2,
    });
    expect(catchError(() => parseYamlNodes("a:\n  b: c: d"))).toMatchObject({
      message: "yaml: line 2: mapping values are not allowed in this context",
      line: 2,
      column: 7,
    });
    expect(catchError(() => parseYamlNodes("- a\n- *b"))).toMatchObject({ line: 2, column: 3 });
  });

  it("takes texts that are nested as deeply as go-yaml takes them", () => {
    expect(parseYamlNodes(`${"[".repeat(10_000)}${"]".repeat(10_000)}`)).toHaveLength(1);
    expect(parseYamlNodes("- ".repeat(10_000))).toHaveLength(1);
    expect(parseYamlNodes("? ".repeat(5000))).toHaveLength(1);
  });

  it("gives places at which the text of a leaf stands", () => {
    const leaf = fc.stringMatching(/^[a-z]{1,8}$/);
    const value = fc.dictionary(leaf, fc.oneof(leaf, fc.array(leaf), fc.dictionary(leaf, leaf)));
    fc.assert(
      fc.property(value, (v) => {
        const text = toYaml(v);
        const lines = text.split("\n");
        const check = (node: YamlNode): void => {
          if (node.kind === "sequence") node.items.forEach(check);
          if (node.kind === "mapping") for (const entry of node.entries) [entry.key, entry.value].forEach(check);
          if (node.kind !== "scalar") return;
          const written = text.slice(node.start, node.end);
          expect(written.replaceAll('"', "")).toBe(node.text);
          expect(lines[node.line - 1]?.slice(node.column - 1)).toMatch(written);
        };
        parseYamlNodes(text).forEach(check);
      }),
      { numRuns: 200, seed: 11 },
    );
  });
});

describe("hasFurtherContent", () => {
  it.each<readonly [text: string, expected: boolean]>([
    ["", false],
    ["a: 1\n", false],
    ["---\na: 1\n", false],
    ["\n# comment\n---\na: 1\n...\n", false],
    ["a: 1\n---\n", false],
    ["a: 1\n---\n# comment\n---\n", false],
    ["a: |\n  ---\n  b\n", false],
    ["a: 1\n---\nb: 2\n", true],
    ["---\n---\nb: 2\n", true],
    ["a: 1\n--- text\n", true],
    ['a: 1\n---\n""\n', true],
    ["a: 1\n---\n{ no YAML\n", true],
  ])("judges %j", (text, expected) => {
    expect(hasFurtherContent(text)).toBe(expected);
  });
});
