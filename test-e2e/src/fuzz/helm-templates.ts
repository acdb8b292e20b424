import type { TemplateCase } from "@landscaper/helm/testing";
import * as fc from "fast-check";
import { oneText, repeated, text } from "./text-arbitrary.ts";

/** Mostly the first: what fails ends a rendering, and hides the rest of it. */
function seldom(usual: fc.Arbitrary<string>, failing: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof({ arbitrary: usual, weight: 30 }, { arbitrary: failing, weight: 1 });
}

const names = ["n", "name", "helper", "s.n"] as const;
const name = seldom(oneText(...names), oneText("none"));
const field = seldom(
  oneText(
    "$.Values.a",
    "$.Values.b",
    "$.Values.s",
    "($.Values.s).a",
    "$.Values.global",
    "($.Values.global).a",
    "($.Values.b).x",
    "$.Values.list",
    "$.Values.none",
    "$.Release.Name",
    "$.Chart.Name",
    "$.Chart.IsRoot",
    "$.Template.Name",
    "$.Template.BasePath",
    "$.Capabilities.KubeVersion.Minor",
    "($.Subcharts.s).Chart",
  ),
  oneText(".Values.a", ".Values.b.x", "$v", ".x", "$.Subcharts.s.Values.a", "$.Chart.Nope"),
);
const tplText = seldom(
  oneText(
    "$.Values.t",
    '"{{ .Values.a }}"',
    '"{{ tpl .Values.t . }}"',
    '"{{ define `n` }}own{{ end }}{{ include `n` . }}"',
    '"{{ include `name` . }}{{ .Template.Name }}"',
    '""',
  ),
  oneText("$.Values.u", '"{{ .Values.none.x }}"', '"{{ .x"'),
);
const dot = seldom(
  oneText("$", '(dict "Values" $.Values "Template" $.Template "Chart" $.Chart "Release" $.Release)'),
  oneText(".", "(dict)", "$.Values", "nil"),
);
const path = oneText("a.txt", "d/b.txt", "none", "templates/a.yaml", "crds/c.yaml");
const glob = oneText("*", "**", "d/*", "*.txt", "{a,d/*}.txt", "[a-c]*", "none*");
const expression = seldom(
  fc.oneof(
    { arbitrary: field, weight: 4 },
    text`(include "${name}" ${dot})`,
    text`(tpl ${tplText} ${dot})`,
    text`($.Files.Get "${path}")`,
    text`(($.Files.Glob "${glob}").AsConfig)`,
    text`(toYaml ${field})`,
    text`(fromYaml (toYaml ${field}))`,
    text`(merge (dict) ($.Values.b | default dict | dict "b") (dict "b" $.Values.global))`,
    text`(lookup "v1" "Secret" "" "${path}")`,
    text`(default ${field} ${field})`,
    text`(index $.Values "${oneText("a", "b", "none")}")`,
  ),
  fc.oneof(text`(required "${oneText("needed", "a: b")}" ${field})`, text`(fail (print ${field}))`),
);
const shown = text`{{ ${expression} | ${seldom(
  oneText("toJson | quote", "toJson", "toYaml | nindent 2", "toString | trunc 5 | quote", "print | quote"),
  oneText("print", "nindent 1"),
)} }}`;
const statement = fc.oneof(
  { arbitrary: text`k: ${shown}\n`, weight: 5 },
  text`{{- if ${expression} }}\nk: 1\n{{- else }}\nk: 2\n{{- end }}\n`,
  text`{{- with ${field} }}\nk: ${shown}\n{{- end }}\n`,
  text`{{- range $k, $v := dict "l" ${field} "m" ${field} }}\n{{ $k | quote }}: {{ $v | toJson | quote }}\n{{- end }}\n`,
  text`{{- $v := ${expression} }}\n`,
  text`{{- $_ := set $.Values "${oneText("a", "new")}" ${field} }}\n`,
  text`# {{ template "${name}" ${dot} }}\n`,
  text`# {{ ${field} }}\n`,
);

const kind = oneText(
  ..."Pod Job Secret ConfigMap Namespace Service Deployment Ingress ClusterRole CustomResourceDefinition".split(" "),
  ..."Zebra Aardvark APIService List ServiceAccount HorizontalPodAutoscaler".split(" "),
  "{{ .Values.kind }}",
);
const hook = oneText(
  "pre-install",
  "post-install,pre-upgrade",
  "test",
  "test-success",
  "nope",
  "",
  "pre-delete, post-delete",
  "PRE-ROLLBACK",
  "crd-install",
);
const annotations = fc.oneof(
  { arbitrary: oneText(""), weight: 3 },
  text`, annotations: {"helm.sh/hook": "${hook}", "helm.sh/hook-weight": ${oneText('"1"', '"-5"', "3", '"x"', "null")}}`,
  text`, annotations: {"helm.sh/hook-delete-policy": ${oneText("hook-failed", '"before-hook-creation,hook-succeeded"')}}`,
);
const document = text`kind: ${kind}\nmetadata: {name: ${seldom(oneText("x", "y", "{{ $.Release.Name }}"), oneText("[1]"))}${annotations}}\n${repeated(
  statement,
  { min: 0, max: 2 },
)}`;
const manifests = repeated(
  fc.oneof(
    { arbitrary: document, weight: 4 },
    repeated(statement, { min: 0, max: 2 }),
    oneText("# only\n", "", "  \n", "- a\n"),
  ),
  { min: 0, max: 3, between: "---\n" },
);
const ends = fc.constantFrom("", "\n\n", "---\n", "\n--- # c\n", "---\n---\n");
const template = fc.tuple(ends, manifests, ends).map(([before, inner, behind]) => `${before}${inner}${behind}`);
const body = fc.oneof(oneText("", "text", "{{ kindOf . }}", "{{ .Chart.Name }}"), shown);
const definitions = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...names), oneText("", "-"), body), {
    maxLength: 3,
    selector: ([defined]) => defined,
  })
  .map((list) =>
    list.map(([defined, trim, inner]) => `{{${trim} define "${defined}" ${trim}}}${inner}{{ end }}`).join("\n"),
  );
/** The names that are used, so that most charts have them all. */
const basics = names.map((defined) => `{{ define "${defined}" }}of all{{ end }}`).join("");

const key = fc.constantFrom("a", "b", "s", "m", "global", "list", "x", "kind");
const tables = fc.letrec<{ table: Record<string, unknown>; value: unknown }>((tie) => ({
  table: fc.dictionary(key, tie("value"), { maxKeys: 4, depthIdentifier: "table" }),
  value: fc.oneof(
    { depthIdentifier: "table", depthSize: "small", maxDepth: 3 },
    fc.constantFrom(null, 1, 2.5, 1e6, true, false, "", "text", "a: b", "yes", [], [1, "x", null]),
    tie("table"),
  ),
}));
const texts = fc.record({
  t: fc.constantFrom("{{ .Values.a }}", "plain", "{{ include `n` . }}", "{{ tpl .Values.u . }}"),
  u: fc.constantFrom("{{ .Release.Name }}", "{{ .Values.b | toJson }}", "", "{{ nope }}"),
  list: fc.constantFrom([1, 2], ["a"], []),
  kind: fc.constantFrom("Pod", "Role", ""),
});
/** Values of a dependency have to be a table. */
function withTables(values: Record<string, unknown>, isLax: boolean): Record<string, unknown> {
  const isFine = ([name, value]: readonly [string, unknown]): boolean =>
    isLax || !["s", "m"].includes(name) || (typeof value === "object" && value !== null && !Array.isArray(value));
  return Object.fromEntries(Object.entries(values).filter(isFine));
}
const lax = fc.integer({ min: 0, max: 20 }).map((number) => number === 0);
const table = fc.tuple(tables.table, lax).map(([any, isLax]) => withTables(any, isLax));
const values = fc.tuple(table, texts).map(([any, own]) => ({ ...own, ...any }));

const files = fc.record(
  {
    "templates/a.yaml": template,
    "templates/B.yaml": template,
    "templates/sub/c.yml": template,
    "templates/z.txt": template,
    "templates/_h.tpl": definitions,
    "templates/sub/_i.tpl": definitions,
    "templates/sub/sub/_all.tpl": seldom(fc.constant(basics), oneText("")),
    "templates/NOTES.txt": text`notes ${shown}`,
    "crds/c.yaml": fc.constantFrom("kind: C\n", "---\nkind: D\n---\nkind: E", "{{ raw }}\n", ""),
    "a.txt": fc.constantFrom("text of a", "l1\nl2\n", "{{ .Values.a }}"),
    "d/b.txt": fc.constantFrom("b", ""),
  },
  { requiredKeys: ["templates/a.yaml", "templates/_h.tpl", "templates/sub/sub/_all.tpl"] },
);

interface Part {
  readonly files: Partial<Record<string, string>>;
  readonly values: object;
  readonly isLibrary: boolean;
}

const part: fc.Arbitrary<Part> = fc.record({
  files,
  values,
  isLibrary: fc.constantFrom(false, false, false, true),
});

const imports = fc.constantFrom(
  "a",
  "m",
  { child: "a", parent: "b" },
  { child: "b", parent: "global" },
  { child: "list", parent: "." },
);
const dependency = fc.record(
  {
    condition: fc.constantFrom("s.on", "a", "global.a", "m.x,s.a"),
    tags: fc.constantFrom(["a"], ["a", "b"]),
    alias: fc.constantFrom("m", "al"),
    "import-values": fc.array(imports, { maxLength: 2 }),
  },
  { requiredKeys: [] },
);

function filesOf(
  folder: string,
  chartName: string,
  {
    part: { files: own, values: defaults, isLibrary },
    dependencies,
  }: {
    part: Part;
    dependencies?: readonly object[];
  },
): Record<string, string> {
  const metadata = {
    apiVersion: "v2",
    name: chartName,
    version: "1.2.3",
    ...(isLibrary && folder !== "chart/" ? { type: "library" } : {}),
    ...(dependencies === undefined ? {} : { dependencies }),
  };
  const entries = Object.entries(own).flatMap(([name_, content]) =>
    content === undefined ? [] : [[`${folder}${name_}`, content] as const],
  );
  return {
    ...Object.fromEntries(entries),
    [`${folder}Chart.yaml`]: JSON.stringify(metadata),
    [`${folder}values.yaml`]: JSON.stringify(defaults),
  };
}

/** A chart with dependencies, templates of all kinds, hooks, notes and files, and values for it. */
export const helmTemplateCase: fc.Arbitrary<TemplateCase> = fc
  .record({
    root: part,
    s: fc.option(part, { nil: undefined, freq: 2 }),
    leaf: fc.option(part, { nil: undefined, freq: 1 }),
    wanted: fc.option(dependency, { nil: undefined, freq: 2 }),
    given: table,
  })
  .map(({ root, s, leaf, wanted, given }) => ({
    files: {
      ...filesOf("chart/", "root", {
        part: root,
        ...(s === undefined || wanted === undefined
          ? {}
          : { dependencies: [{ name: "s", version: "1.x", repository: "", ...wanted }] }),
      }),
      ...(s === undefined ? {} : filesOf("chart/charts/s/", "s", { part: s })),
      ...(s === undefined || leaf === undefined ? {} : filesOf("chart/charts/s/charts/m/", "m", { part: leaf })),
    },
    values: given,
  }));
