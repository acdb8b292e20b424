import { describe, expect, it } from "@jest/globals";
import { Lexer } from "./lexer.ts";
import { describeToken } from "./token.ts";

const options = { delimiters: { left: "{{", right: "}}" }, breakIsKeyword: true, continueIsKeyword: true };

function lex(text: string, changes: Partial<typeof options> = {}): string[] {
  const lexer = new Lexer(text, { ...options, ...changes });
  const tokens: string[] = [];
  for (;;) {
    const token = lexer.next();
    tokens.push(token.type === "eof" ? "eof" : `${token.type}:${token.value}@${token.pos}/${token.line}`);
    if (token.type === "eof" || token.type === "error") return tokens;
  }
}

describe("Lexer", () => {
  it.each<[string, string[]]>([
    ["", ["eof"]],
    ["text", ["text:text@0/1", "eof"]],
    ["{{.}}", ["leftDelim:{{@0/1", "dot:.@2/1", "rightDelim:}}@3/1", "eof"]],
    ["{{.a.b}}", ["leftDelim:{{@0/1", "field:.a@2/1", "field:.b@4/1", "rightDelim:}}@6/1", "eof"]],
    ["{{$x.y}}", ["leftDelim:{{@0/1", "variable:$x@2/1", "field:.y@4/1", "rightDelim:}}@6/1", "eof"]],
    ["{{$}}", ["leftDelim:{{@0/1", "variable:$@2/1", "rightDelim:}}@3/1", "eof"]],
    [
      "{{1.5e3 -2}}",
      ["leftDelim:{{@0/1", "number:1.5e3@2/1", "space: @7/1", "number:-2@8/1", "rightDelim:}}@10/1", "eof"],
    ],
    [
      "{{'a' `b` \"c\"}}",
      [
        "leftDelim:{{@0/1",
        "charConstant:'a'@2/1",
        "space: @5/1",
        "rawString:`b`@6/1",
        "space: @9/1",
        'string:"c"@10/1',
        "rightDelim:}}@13/1",
        "eof",
      ],
    ],
    ["{{if true}}", ["leftDelim:{{@0/1", "if:if@2/1", "space: @4/1", "bool:true@5/1", "rightDelim:}}@9/1", "eof"]],
    ["{{nil|f}}", ["leftDelim:{{@0/1", "nil:nil@2/1", "pipe:|@5/1", "identifier:f@6/1", "rightDelim:}}@7/1", "eof"]],
    [
      "{{$a := (f)}}",
      [
        "leftDelim:{{@0/1",
        "variable:$a@2/1",
        "space: @4/1",
        "declare::=@5/1",
        "space: @7/1",
        "leftParen:(@8/1",
        "identifier:f@9/1",
        "rightParen:)@10/1",
        "rightDelim:}}@11/1",
        "eof",
      ],
    ],
    ["a {{- 1 -}} b", ["text:a@0/1", "leftDelim:{{@2/1", "number:1@6/1", "rightDelim:}}@9/1", "text:b@12/1", "eof"]],
    ["{{-1}}", ["leftDelim:{{@0/1", "number:-1@2/1", "rightDelim:}}@4/1", "eof"]],
    ["{{1-}}", ["leftDelim:{{@0/1", 'error:bad number syntax: "1-"@2/1']],
    ["a{{/* c */}}b", ["text:a@0/1", "text:b@12/1", "eof"]],
    ["a {{- /* c */ -}} b", ["text:a@0/1", "text:b@18/1", "eof"]],
    [
      "\n\n{{.\n}}\nx",
      ["text:\n\n@0/1", "leftDelim:{{@2/3", "dot:.@4/3", "space:\n@5/3", "rightDelim:}}@6/4", "text:\nx@8/4", "eof"],
    ],
    ["{{héllo}}", ["leftDelim:{{@0/1", "identifier:héllo@2/1", "rightDelim:}}@7/1", "eof"]],
    ["{{a b", ["leftDelim:{{@0/1", "identifier:a@2/1", "space: @3/1", "identifier:b@4/1", "error:unclosed action@5/1"]],
    ["{{(a}}", ["leftDelim:{{@0/1", "leftParen:(@2/1", "identifier:a@3/1", "error:unclosed left paren@4/1"]],
    ["{{)}}", ["leftDelim:{{@0/1", "error:unexpected right paren@2/1"]],
    ["{{\u0001}}", ["leftDelim:{{@0/1", "error:unrecognized character in action: U+0001@2/1"]],
    ["{{x€}}", ["leftDelim:{{@0/1", "error:bad character U+20AC '€'@2/1"]],
    ["{{x\udcf4}}", ["leftDelim:{{@0/1", "error:bad character U+FFFD '\ufffd'@2/1"]],
    ["{{/* x", ["error:unclosed comment@2/1"]],
    ["{{/* x */ }}", ["error:comment ends before closing delimiter@2/1"]],
    ["{{`x", ["leftDelim:{{@0/1", "error:unterminated raw quoted string@2/1"]],
    ["{{:}}", ["leftDelim:{{@0/1", "error:expected :=@2/1"]],
    ["{{break}}", ["leftDelim:{{@0/1", "break:break@2/1", "rightDelim:}}@7/1", "eof"]],
  ])("splits %j", (text, tokens) => {
    expect(lex(text)).toEqual(tokens);
  });

  it("takes other delimiters", () => {
    expect(lex("a <%- .x %> {{ b", { delimiters: { left: "<%", right: "%>" } })).toEqual([
      "text:a@0/1",
      "leftDelim:<%@2/1",
      "field:.x@6/1",
      "space: @8/1",
      "rightDelim:%>@9/1",
      "text: {{ b@11/1",
      "eof",
    ]);
  });

  it("leaves break and continue to functions of these names", () => {
    expect(lex("{{break}}", { breakIsKeyword: false })).toEqual([
      "leftDelim:{{@0/1",
      "identifier:break@2/1",
      "rightDelim:}}@7/1",
      "eof",
    ]);
    expect(lex("{{continue}}", { continueIsKeyword: false })).toContain("identifier:continue@2/1");
  });

  it("gives nothing more after an error", () => {
    const lexer = new Lexer("{{\u0001 }} text", options);
    expect(Array.from({ length: 4 }, () => lexer.next().type)).toEqual(["leftDelim", "error", "eof", "eof"]);
  });
});

describe("describeToken", () => {
  it.each([
    [{ type: "eof", pos: 0, value: "EOF", line: 1 }, "EOF"],
    [{ type: "error", pos: 0, value: "what went wrong", line: 1 }, "what went wrong"],
    [{ type: "end", pos: 0, value: "end", line: 1 }, "<end>"],
    [{ type: "dot", pos: 0, value: ".", line: 1 }, "<.>"],
    [{ type: "identifier", pos: 0, value: "short", line: 1 }, '"short"'],
    [{ type: "identifier", pos: 0, value: "aVeryLongIdentifier", line: 1 }, '"aVeryLongI"...'],
  ] as const)("shows %j", (token, text) => {
    expect(describeToken(token)).toBe(text);
  });
});
