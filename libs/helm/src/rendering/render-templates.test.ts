import { type GoMap, fromPlain } from "@landscaper/golang";
import { TemplateCache, TemplateError } from "@landscaper/gotemplate";
import { describe, expect, it } from "@jest/globals";
import { processorClock } from "@landscaper/budget";
import type { LookupQuery } from "../functions/helm-environment.ts";
import { chartScope, releaseScope } from "../objects/chart-scope.ts";
import { renderTemplates, type RenderTemplatesOptions } from "./render-templates.ts";

const name = "t/templates/a.yaml";

function render(text: string, options: RenderTemplatesOptions & { values?: unknown } = {}): string {
  const { values = {}, ...settings } = options;
  const chart = { metadata: { name: "t", version: "1.2.3" }, isRoot: true, values: fromPlain(values) as GoMap };
  const scope = chartScope(chart, releaseScope({ name: "rel", namespace: "ns" }));
  return renderTemplates([{ name, text, basePath: "t/templates", scope }], settings).get(name) ?? "";
}

function errorOf(run: () => unknown): TemplateError {
  try {
    run();
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  throw new Error("no error");
}

describe("renderTemplates", () => {
  it("asks the hook for objects of the cluster", () => {
    const asked: LookupQuery[] = [];
    const lookup = (query: LookupQuery): unknown => {
      asked.push(query);
      return query.name === "known" ? { data: { n: 5 } } : undefined;
    };
    const text =
      '{{ (lookup "v1" "Secret" "ns" "known").data.n | typeOf }} {{ lookup "v1" "Secret" "" "" }} {{ include "i" . }}' +
      '{{ define "i" }}{{ tpl `{{ (lookup "v1" "A" "" "known").data }}` . }}{{ end }}';
    expect(render(text, { lookup })).toBe("float64 map[] map[n:5]");
    expect(asked).toEqual([
      { apiVersion: "v1", kind: "Secret", namespace: "ns", name: "known" },
      { apiVersion: "v1", kind: "Secret", namespace: "", name: "" },
      { apiVersion: "v1", kind: "A", namespace: "", name: "known" },
    ]);
  });

  it("takes clock and random bytes from the caller only", () => {
    const now = (): Date => new Date(Date.UTC(2024, 1, 29));
    expect(render('{{ now | date "2006-01-02" }}', { now })).toBe("2024-02-29");
    expect(errorOf(() => render("{{ now }}")).message).toMatch(/error calling now: there is no clock$/);
    expect(errorOf(() => render("{{ randAlpha 3 }}")).message).toMatch(/there is no source of random bytes$/);
  });

  it("knows the place of errors in Helm's words, too", () => {
    const failed = errorOf(() => render('a\n  {{ required "r" .Values.x }}'));
    expect([failed.message, failed.kind, failed.position]).toEqual([
      "execution error at (t/templates/a.yaml:2:5): r",
      "execution",
      { templateName: name, line: 2, column: 5 },
    ]);
    const unparsed = errorOf(() => render("a\n{{ nope }}"));
    expect([unparsed.message, unparsed.kind, unparsed.line]).toEqual([
      'parse error at (t/templates/a.yaml:2): function "nope" not defined',
      "parse",
      2,
    ]);
  });

  it.each([
    ["include", '{{ define "r" }}{{ include "r" . }}{{ end }}{{ include "r" . }}'],
    [
      "include of two",
      '{{ define "a" }}{{ include "b" . }}{{ end }}{{ define "b" }}{{ include "a" . }}{{ end }}{{ include "a" . }}',
    ],
    ["tpl", "{{ tpl .Values.self . }}"],
    ["tpl with include", '{{ define "r" }}{{ tpl .Values.again . }}{{ end }}{{ include "r" . }}'],
    ["template", '{{ define "r" }}{{ template "r" . }}{{ end }}{{ template "r" . }}'],
  ])("ends endless recursion by %s", (_, text) => {
    const values = { self: "{{ tpl .Values.self . }}", again: '{{ include "r" . }}' };
    expect(errorOf(() => render(text, { values })).message).toMatch(
      /budget exceeded: (?:nested too deeply|templates nested deeper)|nested reference name: \w: unable to execute/,
    );
  });

  it("keeps within the caller's budget", () => {
    const error = errorOf(() => render("{{ range until 100000 }}x{{ end }}", { budget: { maxSteps: 1000 } }));
    expect([error.kind, error.line]).toEqual(["budget", 1]);
  });

  it("keeps all files together within a size", () => {
    const texts = { "a.yaml": "x".repeat(1 << 20), "b.yaml": "é".repeat(1 << 20), "c.yaml": "x" };
    const metadata = { name: "t", version: "1.2.3" };
    const chart = { metadata, isRoot: true, values: fromPlain({}) as GoMap };
    const scope = chartScope(chart, releaseScope({ name: "rel", namespace: "ns" }));
    const templates = Object.entries(texts).map(([file, text]) => ({
      name: `t/templates/${file}`,
      text,
      basePath: "t",
      scope,
    }));
    const maxBytes = 3 * (1 << 20);
    expect(() => renderTemplates(templates, { maxBytes })).toThrow(
      "template: t/templates/a.yaml: budget exceeded: the files rendered so far have 3 MiB, the limit is 3 MiB",
    );
    expect(renderTemplates(templates, { maxBytes: maxBytes + 1 }).size).toBe(3);
  });

  it.each([
    ["tpl of a long text", '{{ tpl (repeat 300000 "{{ .x }}abc") . | len }}'],
    ["tpl of many texts", "{{ range until 100000 }}{{ tpl (printf `{{ $ }}%d` .) . }}{{ end }}"],
    ["a long glob", '{{ .Files.Glob (repeat 100000 "a*") | len }}'],
    ["globs with many braces", '{{ range until 100000 }}{{ $_ := $.Files.Glob (repeat 60 "{a*,b*}") }}{{ end }}'],
    ["much TOML", '{{ range until 2000 }}{{ $_ := fromToml (repeat 300 "[[a]]\\nb = 1\\n") }}{{ end }}'],
    ["deep TOML", '{{ fromToml (print "a = " (repeat 200000 "[")) }}'],
    ["much YAML", '{{ range until 100 }}{{ $_ := fromYaml (repeat 10000 "- [a]\\n") }}{{ end }}'],
    ["values in themselves", '{{ $_ := set .Values "a" .Values }}{{ toToml .Values }}'],
    ["pretty values in themselves", '{{ $_ := set .Values "a" .Values }}{{ toYamlPretty .Values }}'],
  ])("ends %s with a budget error soon", (_, text) => {
    const start = processorClock();
    const { kind, line } = errorOf(() => render(text));
    expect([kind, line]).toEqual(["budget", 1]);
    // A second of the processor, or little more.
    expect(processorClock() - start).toBeLessThan(6000);
  });

  it("gives the same with a cache", () => {
    const cache = new TemplateCache();
    const text = '{{ tpl "{{ .Values.a }}" . }}{{ include "x" . }}{{ define "x" }}x{{ end }}';
    expect([1, 2].map((a) => render(text, { cache, values: { a } }))).toEqual(["1x", "2x"]);
  });

  it("finds names of JavaScript nowhere", () => {
    expect(render("{{ .Values.constructor }}{{ .Values.__proto__ }}{{ .Release.toString }}|")).toBe("|");
    for (const text of [
      "{{ .Chart.constructor }}",
      "{{ .Capabilities.toJSON }}",
      "{{ .Capabilities.APIVersions.push }}",
    ]) {
      expect(errorOf(() => render(text)).message).toMatch(
        /can't evaluate field \w+ in type (?:interface \{\}|chartutil\.VersionSet)$/,
      );
    }
    expect(render("{{ .Files.get }}|{{ .Values.entries }}|")).toBe("[]||");
  });
});
