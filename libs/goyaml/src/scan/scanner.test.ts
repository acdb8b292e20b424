import { describe, expect, it } from "@jest/globals";
import { YamlError } from "../yaml-error.ts";
import { Scanner } from "./scanner.ts";

/** All tokens of a text, the kind with what it says. */
function tokensOf(text: string): string[] {
  const scanner = new Scanner(text);
  const tokens: string[] = [];
  for (;;) {
    const token = scanner.peek();
    if (token.kind === "stream-end") return tokens;
    const words: string[] = [token.kind];
    if (token.handle !== "") words.push(token.handle);
    if (token.text !== "" || token.kind === "scalar") words.push(token.text);
    if (token.kind === "scalar" && token.style !== "plain") words.push(`(${token.style})`);
    tokens.push(words.join(" "));
    scanner.skip();
  }
}

function placesOf(text: string): string[] {
  const scanner = new Scanner(text);
  const places: string[] = [];
  for (;;) {
    const { kind, line, column, end, endLine, endColumn } = scanner.peek();
    places.push(`${kind} ${line}:${column} to ${endLine}:${endColumn} @${end}`);
    if (kind === "stream-end") return places;
    scanner.skip();
  }
}

describe("Scanner", () => {
  it.each<[string, string[]]>([
    ["", []],
    ["a", ["scalar a"]],
    ["a: b", ["block-mapping-start", "key", "scalar a", "value", "scalar b", "block-end"]],
    ["- a\n- b", ["block-sequence-start", "block-entry", "scalar a", "block-entry", "scalar b", "block-end"]],
    ["? a", ["block-mapping-start", "key", "scalar a", "block-end"]],
    ["a:\n- b", ["block-mapping-start", "key", "scalar a", "value", "block-entry", "scalar b", "block-end"]],
    [
      "- - a",
      [
        "block-sequence-start",
        "block-entry",
        "block-sequence-start",
        "block-entry",
        "scalar a",
        "block-end",
        "block-end",
      ],
    ],
    ["[a, b]", ["flow-sequence-start", "scalar a", "flow-entry", "scalar b", "flow-sequence-end"]],
    ["{a: b}", ["flow-mapping-start", "key", "scalar a", "value", "scalar b", "flow-mapping-end"]],
    ["{? a}", ["flow-mapping-start", "key", "scalar a", "flow-mapping-end"]],
    ["[{}]", ["flow-sequence-start", "flow-mapping-start", "flow-mapping-end", "flow-sequence-end"]],
    [
      "[a]: b",
      [
        "block-mapping-start",
        "key",
        "flow-sequence-start",
        "scalar a",
        "flow-sequence-end",
        "value",
        "scalar b",
        "block-end",
      ],
    ],
    ["&a x", ["anchor a", "scalar x"]],
    ["*a", ["alias a"]],
    ["!t x", ["tag ! t", "scalar x"]],
    ["!!int x", ["tag !! int", "scalar x"]],
    ["!e!t x", ["tag !e! t", "scalar x"]],
    ["!<u:v> x", ["tag u:v", "scalar x"]],
    ["! x", ["tag !", "scalar x"]],
    ["--- a\n...", ["document-start", "scalar a", "document-end"]],
    ["%YAML 1.1\n--- a", ["version-directive 1.1", "document-start", "scalar a"]],
    ["%TAG !e! u:\n--- a", ["tag-directive !e! u:", "document-start", "scalar a"]],
    ["'a'", ["scalar a (single)"]],
    ['"a"', ["scalar a (double)"]],
    ["|\n a", ["scalar a (literal)"]],
    [">\n a", ["scalar a (folded)"]],
    ["# a\nb # c", ["scalar b"]],
    ["a#b", ["scalar a#b"]],
    ["-a", ["scalar -a"]],
    ["a:b", ["scalar a:b"]],
    ["a-b ?c", ["scalar a-b ?c"]],
  ])("cuts %j", (text, tokens) => {
    expect(tokensOf(text)).toEqual(tokens);
  });

  it("tells where tokens begin and end", () => {
    expect(placesOf("a:\n  'b\n  c'\n")).toEqual([
      "block-mapping-start 0:0 to 0:0 @0",
      "key 0:0 to 0:0 @0",
      "scalar 0:0 to 0:1 @1",
      "value 0:1 to 0:2 @2",
      "scalar 1:2 to 2:4 @12",
      "block-end 3:0 to 3:0 @13",
      "stream-end 3:0 to 3:0 @13",
    ]);
  });

  it("ends a plain scalar before the blanks that follow it", () => {
    expect(placesOf("a b  \n\n# c\n")[0]).toBe("scalar 0:0 to 0:3 @3");
  });

  it("keeps its end as the next token", () => {
    const scanner = new Scanner("a");
    const kinds = [0, 1, 2].map(() => {
      const { kind } = scanner.peek();
      scanner.skip();
      return kind;
    });
    expect(kinds).toEqual(["scalar", "stream-end", "stream-end"]);
  });

  it.each([
    ["@", "found character that cannot start any token"],
    ["`", "found character that cannot start any token"],
    ["\t", "found character that cannot start any token"],
    ["[|", "found character that cannot start any token"],
    ["a: b: c", "mapping values are not allowed in this context"],
    ["a: - b", "block sequence entries are not allowed in this context"],
    ["a: ? b", "mapping keys are not allowed in this context"],
    ["a: b\nc\n", "line 3: could not find expected ':'"],
    ["a: b\nc\nd: e", "line 3: could not find expected ':'"],
    [`a: b\n${"k".repeat(1025)}: v`, "line 2: could not find expected ':'"],
    ["'a", "found unexpected end of stream"],
    ['"a\n---\n', "line 2: found unexpected document indicator"],
    ['"\\q"', "found unknown escape character"],
    ['"\\xq"', "did not find expected hexdecimal number"],
    ['"\\ud800"', "found invalid Unicode character escape code"],
    ["|0", "found an indentation indicator equal to 0"],
    ["|a", "did not find expected comment or line break"],
    ["|\n\ta", "line 2: found a tab character where an indentation space is expected"],
    ["a: b\n\tc", "line 2: found a tab character that violates indentation"],
    ["&", "did not find expected alphabetic or numeric character"],
    ["*a&", "did not find expected alphabetic or numeric character"],
    ["!<a", "did not find the expected '>'"],
    ["!<", "did not find expected tag URI"],
    ["!a{", "did not find expected whitespace or line break"],
    ["!%4", "did not find URI escaped octet"],
    ["!%ff", "found an incorrect leading UTF-8 octet"],
    ["!%c3%28", "found an incorrect trailing UTF-8 octet"],
    ["%", "could not find expected directive name"],
    ["%A!", "found unexpected non-alphabetical character"],
    ["%A", "found unknown directive name"],
    ["%YAML 1.1 x", "did not find expected comment or line break"],
    ["%YAML x", "did not find expected version number"],
    ["%YAML 1", "did not find expected digit or '.' character"],
    ["%YAML 111.1", "found extremely long version number"],
    ["%TAG x", "did not find expected '!'"],
    ["%TAG !a x", "did not find expected '!'"],
    ["%TAG !a!x", "did not find expected whitespace"],
    ["%TAG !a! x{", "did not find expected whitespace or line break"],
  ])("refuses %j", (text, problem) => {
    expect(() => tokensOf(text)).toThrow(new YamlError(`yaml: ${problem}`));
  });

  it.each([
    ["a:\n\t- b", "line 2, column 1: found a tab where YAML expects spaces; indent with spaces"],
    ["a:\n  @b", "line 2, column 3: found a character that cannot start a value; quote the value"],
  ])("explains what is wrong with %j", (text, problem) => {
    let found: unknown;
    try {
      tokensOf(text);
    } catch (error) {
      found = error;
    }
    expect(found).toBeInstanceOf(YamlError);
    expect(found).toMatchObject({
      explanation: `expected YAML, found other text at ${problem}`,
    });
  });
});
