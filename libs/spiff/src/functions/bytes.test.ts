import { describe, expect, it } from "@jest/globals";
import { createSpiff } from "../index.ts";

function evaluate(expression: string): unknown {
  const text = `face: "a\u{1f600}b"\nout: |-\n  (( ${expression} ))\n`;
  const { output } = createSpiff().merge({ template: { name: "t", text } });
  return (output as Record<string, unknown>)["out"];
}

describe("texts as bytes", () => {
  it.each([
    ['length(base64_decode("/////w=="))', 4],
    ['base64(base64_decode("/////w=="))', "/////w=="],
    ['base64_decode("/////w==")', "\ufffd\ufffd\ufffd\ufffd"],
    ['asyaml(base64_decode("gA=="))', '"\\uFFFD"\n'],
    ['hash(base64_decode("gA=="), "md5")', "8d39dd7eef115ea6975446ef4082951f"],
    ["length(face)", 6],
    ['index(face, "b")', 5],
    ["substr(face, 1, 5)", "\u{1f600}"],
    ["base64(substr(face, 1, 3))", "8J8="],
    ["split(1, face)", ["a", "\u{1f600}", "b"]],
    ['split("", face)', ["a", "\u{1f600}", "b"]],
    ['trim(face, "a\u{1f600}")', "b"],
    ['replace(face, "", "-")', "-a-\u{1f600}-b-"],
    ['replace_match(face, ".", "<$0>")', "<a><\u{1f600}><b>"],
    ["upper(face)", "A\u{1f600}B"],
    ["asyaml(face)", '"a\\U0001F600b"\n'],
    ['format("%5s|%q", face, face)', '  a\u{1f600}b|"a\u{1f600}b"'],
  ])("%s", (expression, expected) => {
    expect(evaluate(expression)).toEqual(expected);
  });
});
