import { describe, expect, it } from "@jest/globals";
import { TemplateError } from "../template-error.ts";
import { nodeText } from "./node-text.ts";
import { parseTrees } from "./parser.ts";

function parse(text: string): Record<string, string> {
  const known = new Set(["print", "printf", "f"]);
  const trees = parseTrees("t", text, {
    delimiters: { left: "{{", right: "}}" },
    hasFunction: (name) => known.has(name),
  });
  return Object.fromEntries([...trees].map(([name, tree]) => [name, nodeText(tree.root)]));
}

describe("parseTrees", () => {
  it.each([
    ["", ""],
    ["plain", "plain"],
    ["{{ .a.b }}", "{{.a.b}}"],
    ["{{ .a.b.c | f | printf `%s` }}", "{{.a.b.c | f | printf `%s`}}"],
    ["{{ $x := 1 }}{{ $x = 2 }}", "{{$x := 1}}{{$x = 2}}"],
    ["{{ (f 1).b.c }}", "{{(f 1).b.c}}"],
    ["{{ f.a }}", "{{f.a}}"],
    ["{{ $.x.y }}", "{{$.x.y}}"],
    ["{{ f nil true 'x' \"s\" . $ }}", "{{f nil true 'x' \"s\" . $}}"],
    ["{{ if .a }}1{{ else if .b }}2{{ else }}3{{ end }}", "{{if .a}}1{{else}}{{if .b}}2{{else}}3{{end}}{{end}}"],
    ["{{ with .a }}1{{ else with .b }}2{{ end }}", "{{with .a}}1{{else}}{{with .b}}2{{end}}{{end}}"],
    [
      "{{ range $i, $v := .l }}{{ break }}{{ continue }}{{ end }}",
      "{{range $i, $v := .l}}{{break}}{{continue}}{{end}}",
    ],
    ['{{ template "x" .y }}{{ template `z` }}', '{{template "x" .y}}{{template "z"}}'],
    ["{{ f (f (f 1)) }}", "{{f (f (f 1))}}"],
  ])("parses %j", (text, normal) => {
    expect(parse(text)).toEqual({ t: normal });
  });

  it("collects definitions and blocks by name", () => {
    expect(parse('a{{ define "d" }}1{{ end }}b{{ block "e" .x }}2{{ end }}')).toEqual({
      d: "1",
      e: "2",
      t: 'ab{{template "e" .x}}',
    });
  });

  it("lets an empty definition give way, and refuses two others", () => {
    expect(parse('{{ define "d" }} {{ end }}{{ define "d" }}x{{ end }}')).toEqual({ d: "x", t: "" });
    expect(() => parse('{{ define "d" }}1{{ end }}{{ define "d" }}2{{ end }}')).toThrow(
      'template: t:1: template: multiple definition of template "d"',
    );
  });

  it("tells the line of a mistake, and where its action began", () => {
    const error = (() => {
      try {
        parse("a\n{{ f\n  1\n  ( }}");
        return undefined;
      } catch (caught) {
        return caught;
      }
    })();
    expect(error).toBeInstanceOf(TemplateError);
    expect(error).toMatchObject({
      message: "template: t:4: unclosed left paren in action started at t:2",
      kind: "parse",
      templateName: "t",
      line: 4,
      column: undefined,
    });
  });

  it("ends at parentheses that no one writes", () => {
    expect(() => parse(`{{ f ${"(".repeat(2000)}1${")".repeat(2000)} }}`)).toThrow(
      "template: t:1: max expression depth exceeded",
    );
  });
});
