import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import { decodeBytes } from "../strings/decode-bytes.ts";
import { fromYaml } from "./from-yaml.ts";
import { WrittenNumber } from "./yaml-decoder.ts";
import { goJson } from "../json/go-json.ts";
import { toYaml } from "../encode/to-yaml.ts";
import type { RepeatedKey } from "../nodes/repeated-keys.ts";
import { YamlError } from "../yaml-error.ts";

interface Case {
  readonly yaml?: string;
  /** Base64 of a text that is no UTF-8. */
  readonly bytes?: string;
  /** Whether repeated keys are an error. */
  readonly strict?: boolean;
  /** JSON of the value. */
  readonly out?: string;
  readonly error?: string;
}

/** Made by sigs.k8s.io/yaml 1.6.0: from our texts, and from texts that were put together at random. */
const cases = ["from-yaml.json", "from-yaml-fuzz.json"].flatMap(
  (file) => JSON.parse(readFileSync(join(import.meta.dirname, "../../testdata", file), "utf8")) as Case[],
);

function textOf({ yaml, bytes }: Case): string {
  if (bytes === undefined) return yaml ?? "";
  return decodeBytes(Buffer.from(bytes, "base64"), (byte) => String.fromCharCode(0xdc00 + byte));
}

function catchError(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

describe("fromYaml", () => {
  it.each(cases.map((recorded) => [recorded.yaml ?? recorded.bytes, recorded] as const))(
    "reads or refuses %j as Go does",
    (_, recorded) => {
      const duplicateKeys = recorded.strict === true ? "error" : "last";
      const result = catchError(() => goJson(fromYaml(textOf(recorded), { duplicateKeys })));
      if (recorded.error === undefined) expect(result).toBe(recorded.out);
      else expect(result).toEqual(expect.objectContaining({ name: "YamlError", message: recorded.error }));
    },
  );

  it.each<[string, number, string]>([
    ["1.10", 1.1, "1.1"],
    ["012", 10, "10"],
    ["1e6", 1e6, "1e+06"],
    ["-0.0", -0, "-0"],
    ["18446744073709551615", 2 ** 64, "18446744073709551615"],
    [".inf", Infinity, "+Inf"],
  ])("tells what a string field gets for the number %s", (text, value, written) => {
    expect(fromYaml(`a: ${text}`, { numbers: "written" })).toEqual({ a: new WrittenNumber(value, written) });
  });

  it("gives numbers as floats unless exact integers are asked for", () => {
    expect(fromYaml("a: 9007199254740993")).toEqual({ a: 9007199254740992 });
    expect(fromYaml("a: 9007199254740993\nb: 5\nc: 1.5", { integers: "exact" })).toEqual({
      a: 9007199254740993n,
      b: 5,
      c: 1.5,
    });
  });

  it("takes the last of repeated keys, or refuses them", () => {
    expect(fromYaml("a: 1\na: 2")).toEqual({ a: 2 });
    expect(() => fromYaml("x: 1\na: 1\na: 2", { duplicateKeys: "error" })).toThrow(
      new YamlError('error converting YAML to JSON: yaml: unmarshal errors:\n  line 3: key "a" already set in map'),
    );
  });

  it.each<[string, string, readonly RepeatedKey[]]>([
    ["no repeated keys", "a: {x: 1}\nb: {x: 1}\n", []],
    ["a repeated key", "a: 1\nb: 2\n\na: []\n", [{ key: "a", times: 2, line: 4 }]],
    ["a key that is there three times", "a: 1\na: 2\na: 3\n", [{ key: "a", times: 3, line: 3 }]],
    [
      "repeated keys of nested mappings",
      'l:\n- {b: 1, b: 2}\n- m:\n    c: 1\n    "c": 2\n',
      [
        { key: "b", times: 2, line: 2 },
        { key: "c", times: 2, line: 5 },
      ],
    ],
    ["keys that are equal in JSON", '1: a\n"1": b\n', [{ key: "1", times: 2, line: 2 }]],
    ["a repeated key in an anchor once", "x: &a {b: 1, b: 2}\ny: *a\n", [{ key: "b", times: 2, line: 1 }]],
    ["no key that overrides a merged one", "x: &a {b: 1}\ny:\n  <<: *a\n  <<: {b: 3}\n  b: 2\n", []],
  ])("reports %s", (_what, text, expected) => {
    const repeated: RepeatedKey[] = [];
    fromYaml(text, { onRepeatedKey: (key) => void repeated.push(key) });
    expect(repeated).toEqual(expected);
  });

  it("tells the line and column of a mistake", () => {
    expect(catchError(() => fromYaml("a: 1\nb: [1, 2\nc: 3"))).toMatchObject({
      message: "error converting YAML to JSON: yaml: line 2: did not find expected ',' or ']'",
      problem: "did not find expected ',' or ']'",
      line: 3,
      column: 2,
    });
  });

  it.each([
    ["a: !!int s3cret", "cannot decode !!str as a !!int"],
    ["a: !!binary s3cret!", "!!binary value contains invalid base64 data"],
    ["a: *s3cret", "unknown anchor referenced"],
    ["a: &s3cret [*s3cret]", "anchor value contains itself"],
    ["? [s3cret]\n: x", "invalid map key: a sequence"],
    ["~: s3cret", "unsupported map key of type null"],
    ["18446744073709551615: x", "unsupported map key of type uint64"],
    ["s3cret: 1\ns3cret: 2", "key already set in map"],
    ["a: [.inf]", "json: unsupported value: +Inf"],
    ["s3cret: b: c", "mapping values are not allowed in this context"],
  ])("tells what is wrong with %j without what it says", (yaml, problem) => {
    expect(catchError(() => fromYaml(yaml, { duplicateKeys: "error" }))).toMatchObject({ name: "YamlError", problem });
  });

  it("keeps a key called __proto__ as a key", () => {
    const value = fromYaml("__proto__: {x: 1}\nb: 2") as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(["__proto__", "b"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it("reads JSON on one long line, where any bracket may begin a key", () => {
    const value = Array.from({ length: 3000 }, (_, i) => ({ name: `item ${i}`, list: [1, "😀", { a: [] }] }));
    expect(fromYaml(JSON.stringify(value))).toEqual(value);
  });

  it("ends at aliases of aliases that would fill the memory", () => {
    const levels = Array.from({ length: 12 }, (_, i) =>
      i === 0 ? `a0: &a0 [${"x,".repeat(9)}]` : `a${i}: &a${i} [${`*a${i - 1},`.repeat(9)}]`,
    );
    expect(() => fromYaml(levels.join("\n"))).toThrow(
      new YamlError("error converting YAML to JSON: yaml: document contains excessive aliasing"),
    );
  });

  it.each([
    ["flow collections", "[".repeat(10_001), "exceeded max depth of 10000"],
    ["flow collections that are never closed", "[".repeat(10_000), "line 1: did not find expected node content"],
    ["block collections", "- ".repeat(10_002), "exceeded max depth of 10000"],
    ["collections that the parser takes", `${"[".repeat(1001)}${"]".repeat(1001)}`, "exceeded max depth of 1000"],
    ["keys of keys", "? ".repeat(1100), "exceeded max depth of 1000"],
  ])("ends at nesting that no document has: %s", (_, text, problem) => {
    expect(() => fromYaml(text)).toThrow(new YamlError(`error converting YAML to JSON: yaml: ${problem}`));
  });

  it("reads collections up to the depth that it promises", () => {
    expect(goJson(fromYaml(`${"[".repeat(1000)}${"]".repeat(1000)}`))).toBe(`${"[".repeat(1000)}${"]".repeat(1000)}`);
  });

  it("reads back what toYaml writes", () => {
    // eslint-disable-next-line no-control-regex -- YAML has no control characters
    const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
    const text = fc.string({ unit: "binary-ascii" }).filter((s) => !forbidden.test(s));
    const leaf = fc.oneof(
      text,
      fc.boolean(),
      fc.constant(null),
      fc.integer(),
      // Text of YAML has no negative zero: "-0" is the integer 0.
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number)),
    );
    const value = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: "small" },
        leaf,
        fc.array(tie("node"), { maxLength: 4 }),
        fc.dictionary(text, tie("node"), { maxKeys: 4 }),
      ),
    })).node;
    fc.assert(
      fc.property(value, (v) => {
        // Keys such as "<<" and "1" mean something else in YAML only when they are not quoted, which toYaml does.
        fc.pre(!JSON.stringify(v).includes('"<<"'));
        expect(goJson(fromYaml(toYaml(v)))).toBe(goJson(v));
      }),
      { numRuns: 300, seed: 7 },
    );
  });
});
