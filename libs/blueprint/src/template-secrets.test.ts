import { everything, LandscaperError, type Target } from "@landscaper/api";
import { lookupIn, parseDescriptor } from "@landscaper/ocm";
import { describe, expect, it } from "@jest/globals";
import { createBlueprint } from "./create-blueprint.ts";
import { renderDeployItems } from "./deploy-item/render-deploy-items.ts";
import type { ImportedValues } from "./parameter/parameter-value.ts";
import type { RenderContext } from "./render-context.ts";
import { traceExports, traceImports, traceRendering } from "./provenance/trace-installation.ts";

const sentinel = "s3ntinel-Value!";

/** The value, encodings of it, and what functions make of it. */
const forms = [
  sentinel,
  "3ntinel-Valu",
  Buffer.from(sentinel).toString("base64"),
  Buffer.from(sentinel).toString("hex"),
  encodeURIComponent(sentinel),
];
const derived = [sentinel.toUpperCase(), sentinel.slice(4), sentinel.slice(0, 9), sentinel.slice(4).toLowerCase()];

const target: Target = {
  apiVersion: "landscaper.gardener.cloud/v1alpha1",
  kind: "Target",
  metadata: { name: "my-cluster", namespace: "ns" },
  spec: { type: "landscaper.gardener.cloud/kubernetes-cluster", config: { kubeconfig: sentinel } },
};

const given: ImportedValues = {
  a: { type: "data", value: { secret: sentinel, list: [sentinel, sentinel] }, sensitive: everything },
  cluster: { type: "target", target },
};

const descriptor = parseDescriptor(
  { meta: { schemaVersion: "v2" }, component: { name: "example.com/c", version: "1.0.0" } },
  "test",
);

const lookup = lookupIn([descriptor]);

function contextOf(blueprint: Readonly<Record<string, unknown>>): RenderContext {
  const imports = [
    { name: "a", schema: true },
    { name: "cluster", targetType: "kubernetes-cluster" },
  ];
  return {
    source: createBlueprint({
      "blueprint.yaml": { imports, ...blueprint },
      "broken.yaml": "a: (( imports.a.secret + 1 ))",
    }),
    installation: { name: "inst", namespace: "ns", spec: { blueprint: { inline: { filesystem: {} } } } },
    component: { descriptor, components: [descriptor], lookup, lookupOriginal: lookup, schemaVersion: "v2" },
    now: () => new Date("2024-02-29T12:00:00Z"),
    random: (bytes) => new Uint8Array(bytes).fill(7),
  };
}

/** Everything of an error that could reach a status, an event or a log. */
function shownBy(run: () => unknown): string {
  let error: unknown;
  try {
    run();
  } catch (caught) {
    error = caught;
  }
  expect(error).toBeInstanceOf(LandscaperError);
  const parts: unknown[] = [];
  for (let part = error; part instanceof Error; part = part.cause) {
    parts.push(part.message, part instanceof LandscaperError ? [part.hint, part.at] : part.stack);
  }
  return JSON.stringify(parts);
}

function deploy(execution: Readonly<Record<string, unknown>>): void {
  const context = contextOf({ deployExecutions: [{ name: "d", ...execution }] });
  traceRendering({
    context,
    imports: traceImports({ context, given }),
    states: { deploy: { d: { kept: sentinel } } },
    render: (inner, { imports, states }) => renderDeployItems({ context: inner, imports, state: states.deploy }),
  });
}

function goTemplate(config: string): string {
  const template = `deployItems:\n- name: i\n  type: mock\n  config: {apiVersion: v1, kind: M, value: ${config}}\n`;
  return shownBy(() => deploy({ type: "GoTemplate", template }));
}

function spiff(expression: string): string {
  return shownBy(() => deploy({ type: "Spiff", template: { s: "(( imports.a.secret ))", result: expression } }));
}

describe("values of imports stay out of the errors of Go templates", () => {
  it.each([
    ["fail", "{{ fail .imports.a.secret }}"],
    ["fail with a target", "{{ fail .imports.cluster.spec.config.kubeconfig }}"],
    ["fail with state", "{{ fail .state.kept }}"],
    ["required", "{{ required .imports.a.secret nil }}"],
    ["base64", "{{ fail (b64enc .imports.a.secret) }}"],
    ["JSON", "{{ fail (toJson .imports.a) }}"],
  ])("when the template says them itself: %s", (_, config) => {
    const shown = goTemplate(config);
    for (const form of forms) expect(shown).not.toContain(form);
  });

  it.each([
    ["a failing conversion", "{{ index .imports.a.secret 99 }}"],
    ["a failing comparison", "{{ lt .imports.a .imports.a.secret }}"],
    ["no value beside it", "{{ .imports.a.nope }}{{ .imports.a.secret }}"],
    ["broken YAML", "[{{ .imports.a.secret }}: }"],
    ["a pattern", '{{ mustRegexFind (print "(" .imports.a.secret) "x" }}'],
    ["a pattern of an upper-case value", '{{ mustRegexFind (print "(" (upper .imports.a.secret)) "x" }}'],
    ["a date", "{{ mustToDate `2006` .imports.a.secret }}"],
    ["a date of a part of the value", "{{ mustToDate `2006` (substr 4 -1 .imports.a.secret) }}"],
    ["JSON that is none", "{{ mustFromJson .imports.a.secret }}"],
    ["YAML that is none", '{{ fromYaml (print "a: [" .imports.a.secret) }}'],
    ["a version", "{{ semver .imports.a.secret }}"],
    ["a URL", '{{ urlParse (print "a%" (upper .imports.a.secret)) }}'],
    ["a missing file", "{{ readFile .imports.a.secret }}"],
    ["an included file", "{{ include (upper .imports.a.secret) . }}"],
    ["comparison of lists", "{{ eq (list .imports.a.secret) (list 1) }}"],
    ["a resource", '{{ getResource "name" .imports.a.secret }}'],
    ["a resource key", "{{ getResourceKey .imports.a.secret }}"],
    ["an OCI reference", "{{ ociRefRepo (upper .imports.a.secret) }}"],
    ["a function of the host", "{{ getOidcKubeconfig .imports.a.secret .imports.a.secret .imports.a }}"],
  ])("when a function refuses them: %s", (_, config) => {
    const shown = goTemplate(config);
    for (const form of [...forms, ...derived]) expect(shown).not.toContain(form);
  });
});

const spiffExpressions = [
  "error(s)",
  'error("no: %s", s)',
  'error("no: %s", upper(s))',
  "error(imports.cluster.spec.config.kubeconfig)",
  "error(base64(s))",
  "s + 1",
  "s / 2",
  "s % 2",
  "s > 1",
  "imports.a s",
  "integer(s)",
  "float(s)",
  "[1..s]",
  "imports.a[s]",
  "imports.a.list[s]",
  "imports.a.list[9]",
  "element([1], s)",
  'element({ "x" = 1 }, s)',
  'match("(" upper(s), "x")',
  'replace_match(s, "(" upper(s), "y")',
  'split_match("(" s, "x")',
  "substr(s, 99)",
  "semver(s)",
  'semvermatch("1.0.0", upper(s))',
  "semverincmajor(s)",
  "min_ip(s)",
  "contains_ip(upper(s), s)",
  'parse("{" upper(s), "yaml")',
  'parse("{" s, "json")',
  "eval(s)",
  'eval("(" upper(s))',
  'eval(s ".b")',
  "read(upper(s))",
  'read("http://" s)',
  'read("broken.yaml")',
  'base64_decode(s "%")',
  'hash("x", s)',
  "keys(s)",
  "merge(s)",
  "deepmerge(s)",
  "makemap(imports.a.list)",
  "list_to_map(imports.a.list)",
  "upper(imports.a)",
  'parseurl("%" s)',
  "map[imports.a.list|x|-> error(x)]",
  "sum[imports.a.list|0|sum,x|-> sum + x]",
  "select[s|x|-> x]",
  "(|x|-> error(x))(s)",
  "require(imports.a.nothing)",
  "*s",
  "s.field.of.text",
  "getResource(s, s)",
  'getResource("name", upper(s))',
  'getComponent("name", s)',
  "getResourceKey(s)",
  "getResourceContent(s)",
  "ociRefRepo(upper(s))",
  "getOidcKubeconfig(s, s, imports.a)",
  'catch[error(s)|v, e|-> error("%s", e)]',
];

const none = { values: {}, bindings: {}, unsatisfied: new Set<string>() };
const noImports = { value: none, shadow: none, confirm: () => undefined };

describe("values of imports stay out of the errors of spiff", () => {
  it.each(spiffExpressions)("%s", (expression) => {
    const shown = spiff(`(( ${expression} ))`);
    for (const form of [...forms, ...derived]) expect(shown).not.toContain(form);
  });

  it.each([
    ["that is no list of items", { deployItems: "(( imports.a.secret ))" }],
    ["that is no map", ["(( imports.a.secret ))"]],
    ["with a broken item", { deployItems: [{ name: "i", type: "t", config: "(( imports.a.secret ))" }] }],
    ["that depends on it", { deployItems: [{ name: "i", type: "t", dependsOn: ["(( imports.a.secret ))"] }] }],
    ["with infinity", { deployItems: [], s: "(( imports.a.secret ))", n: "(( 1e308 * 1e308 ))" }],
    ["that takes state for a number", { kept: "(( &state (1) ))", sum: "(( kept + 1 ))" }],
  ])("in a result %s", (_, template) => {
    const shown = shownBy(() => deploy({ type: "Spiff", template }));
    for (const form of [...forms, ...derived]) expect(shown).not.toContain(form);
  });

  it.each(["a.secret + 1", "error(a.secret)", "cluster.spec.config.kubeconfig + 1", "a.secret.x", "[1..a.secret]"])(
    "in a data mapping: %s",
    (expression) => {
      const shown = shownBy(() =>
        traceImports({ context: contextOf({}), given, mappings: { b: [`(( ${expression} ))`] } }),
      );
      for (const form of [...forms, ...derived]) expect(shown).not.toContain(form);
    },
  );

  it.each(["a.secret + 1", "exports.a.secret + 1", "error(exports)", "[1..a.secret]"])(
    "in a data mapping of exports: %s",
    (expression) => {
      const context = contextOf({
        exports: [{ name: "a", schema: true }],
        exportExecutions: [{ name: "e", type: "Spiff", template: { exports: { a: "(( deployitems.i ))" } } }],
      });
      const shown = shownBy(() =>
        traceExports({
          context,
          imports: noImports,
          sensitive: { deployItems: everything, dataObjects: {} },
          bindings: { deployItems: { i: { secret: sentinel } }, dataObjects: {}, targets: {} },
          wanted: { data: ["b"], targets: [] },
          mappings: { b: `(( ${expression} ))` },
        }),
      );
      for (const form of [...forms, ...derived]) expect(shown).not.toContain(form);
    },
  );
});

describe("values of imports stay out of what import executions report", () => {
  it.each([
    ["GoTemplate", "errors: [{{ .imports.a.secret | quote }}, {{ .imports.a.secret | b64enc }}]"],
    ["Spiff", { errors: ["(( imports.a.secret ))", "(( base64(imports.a.secret) ))"] }],
  ])("in %s", (type, template) => {
    const context = contextOf({ importExecutions: [{ name: "e", type, template }] });
    const shown = shownBy(() => traceImports({ context, given }));
    expect(shown).toContain('import template execution \\"e\\": [...], [...]');
    for (const form of forms) expect(shown).not.toContain(form);
  });
});

describe("values of imports stay out of the errors of schemas", () => {
  it("also where the schema has patterns", () => {
    const schema = {
      type: "object",
      properties: { secret: { type: "number" } },
      patternProperties: { "^x": false },
    };
    const context = contextOf({ imports: [{ name: "a", schema }] });
    expect(() => traceImports({ context, given })).toThrow("imports.a.secret: expected a number, found a string");
  });
});
