import { describe, expect, it } from "@jest/globals";
import { everything, LandscaperError, type Target } from "@landscaper/api";
import { createBlueprint } from "../create-blueprint.ts";
import { renderDeployItems, type RenderedDeployItems } from "../deploy-item/render-deploy-items.ts";
import type { ImportedValues } from "../parameter/parameter-value.ts";
import type { RenderContext } from "../render-context.ts";
import { checkSecretNames } from "./check-secret-names.ts";
import { sensitiveConfigs, sensitiveExportData, sensitiveImports } from "./sensitive-results.ts";
import { traceExports, traceImports, traceRendering } from "./trace-installation.ts";
import type { Traced } from "./trace-secrets.ts";

const kubeconfig = "apiVersion: v1\nkind: Config\nclusters:\n- name: Map\n  cluster: {server: 'https://host'}\n";
const target: Target = {
  apiVersion: "landscaper.gardener.cloud/v1alpha1",
  kind: "Target",
  metadata: { name: "my-cluster", namespace: "ns" },
  spec: { type: "landscaper.gardener.cloud/kubernetes-cluster", config: { kubeconfig } },
};

const given: ImportedValues = {
  secret: { type: "data", value: "foo", sensitive: everything },
  password: { type: "data", value: "hunter2-correct-horse", sensitive: everything },
  mixed: { type: "data", value: { open: "visible", hidden: "hunter3" }, sensitive: ["/hidden"] },
  plain: { type: "data", value: "foo" },
  cluster: { type: "target", target },
};

function contextOf(blueprint: Readonly<Record<string, unknown>>): RenderContext {
  const data = ["secret", "password", "mixed", "plain"].map((name) => ({ name, schema: true }));
  const imports = [...data, { name: "cluster", targetType: "kubernetes-cluster" }];
  let drawn = 0;
  return {
    source: createBlueprint({ "blueprint.yaml": { imports, ...blueprint } }),
    installation: { name: "inst", namespace: "ns", spec: { blueprint: { inline: { filesystem: {} } } } },
    now: () => new Date("2024-02-29T12:00:00Z"),
    random: (bytes) => new Uint8Array(bytes).fill(++drawn),
  };
}

function deploy(context: RenderContext, values: ImportedValues = given): Traced<RenderedDeployItems> {
  return traceRendering({
    context,
    imports: traceImports({ context, given: values }),
    states: {},
    render: (inner, { imports }) => renderDeployItems({ context: inner, imports }),
  });
}

function itemOf(config: string): Traced<RenderedDeployItems> {
  const template = `deployItems:\n- name: item\n  type: mock\n  config: {apiVersion: v1, kind: M, value: ${config}}\n`;
  return deploy(contextOf({ deployExecutions: [{ name: "d", type: "GoTemplate", template }] }));
}

function failureOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof LandscaperError) return error.message.split("\ntemplate source:", 1)[0] ?? "";
    throw error;
  }
  throw new Error("it did not fail");
}

function pathsOf(config: string): unknown {
  const { value, shadow } = itemOf(config);
  return sensitiveConfigs(value.deployItems, shadow?.deployItems)["item"];
}

describe("what of a configuration is secret", () => {
  it.each([
    ["a constant", "x", []],
    ["plain data", "{{ .imports.plain }}", []],
    ["a plain part of mixed data", "{{ .imports.mixed.open }}", []],
    ["the name of a Target", "{{ .imports.cluster.metadata.name }}", []],
    ["the length of a secret", "{{ len .imports.password }}", []],
    ["a secret", "{{ .imports.password }}", ["/value"]],
    ["a secret beside other data", '{a: "{{ .imports.plain }}", b: ["x", "{{ .imports.password }}"]}', ["/value/b/1"]],
    ["a key with slashes", '{"a/b~c": "{{ .imports.password }}"}', ["/value/a~1b~0c"]],
    ["a secret in upper case", "{{ upper .imports.password }}", ["/value"]],
    ["a part of a secret", '{{ index (splitList "-" .imports.password) 1 }}', ["/value"]],
    ["the start of a secret", "{{ trunc 3 .imports.password }}", ["/value"]],
    ["a secret in base64", "{{ b64enc .imports.password }}", ["/value"]],
    ["a hash of a secret", "{{ sha256sum .imports.password }}", ["/value"]],
    ["access data of a Target", "{{ .imports.cluster.spec.config.kubeconfig | quote }}", ["/value"]],
    [
      "what is read out of a kubeconfig",
      "{{ (index (.imports.cluster.spec.config.kubeconfig | fromYaml).clusters 0).cluster.server }}",
      ["/value"],
    ],
    ["a password that is generated", "{{ randAlphaNum 20 }}", ["/value"]],
    ["a private key that is generated", '{{ genPrivateKey "ed25519" | quote }}', ["/value"]],
    ["a hash of a password", '{{ htpasswd "ann" .imports.plain }}', ["/value"]],
    [
      "a structure that depends on a secret",
      '{a: {{ if eq .imports.secret "foo" }}1{{ else }}[]{{ end }}}',
      ["/value/a"],
    ],
  ])("%s", (_, config, want) => {
    expect(pathsOf(config)).toEqual(want);
  });

  it("is all of it when the second rendering fails", () => {
    expect(pathsOf('{{ if ne .imports.secret "foo" }}{{ fail "no" }}{{ end }}x')).toEqual([""]);
  });

  it("is known without a second rendering when templates read nothing secret", () => {
    const { value, shadow } = itemOf("{{ .imports.plain }} {{ .imports.mixed.open | len }}");
    expect(shadow === value).toBe(false);
    const unread = itemOf("{{ .imports.plain }}");
    expect(unread.shadow).toBe(unread.value);
  });
});

describe("what of imports and exports is secret", () => {
  it("makes no other texts for the configuration of a Target that templates only name", () => {
    let reads = 0;
    const config = {
      get kubeconfig() {
        reads += 1;
        return kubeconfig;
      },
    };
    const cluster = { type: "target" as const, target: { ...target, spec: { ...target.spec, config } } };
    const template =
      "deployItems:\n- {name: item, type: mock, target: {import: cluster}, config: {apiVersion: v1, kind: M}}\n";
    const context = contextOf({ deployExecutions: [{ name: "d", type: "GoTemplate", template }] });
    expect(deploy(context, { ...given, cluster }).value.deployItems).toHaveLength(1);
    // The bindings of the template have read it: for integers that are no float64, and to make Go values.
    expect(reads).toBe(2);
  });

  it("follows mappings and import executions", () => {
    const context = contextOf({
      importExecutions: [
        { name: "e", type: "GoTemplate", template: 'bindings: { plain: "{{ .imports.plain }}{{ .imports.secret }}" }' },
      ],
    });
    const traced = traceImports({
      context,
      given,
      mappings: { secret: "(( plain ))", mixed: { a: "(( password ))", b: 1 } },
    });
    const values = Object.entries(sensitiveImports(traced)).map(([name, value]) => [
      name,
      value.type === "data" ? (value.sensitive ?? []) : value.type,
    ]);
    expect(Object.fromEntries(values)).toEqual({
      secret: [],
      password: [""],
      mixed: ["/a"],
      plain: [],
      cluster: "target",
    });
  });

  it("follows export executions and mappings", () => {
    const template = "exports: { x: { a: {{ .deployitems.i.open }}, b: {{ .deployitems.i.hidden }} } }";
    const context = contextOf({
      exports: [{ name: "x", schema: true }],
      exportExecutions: [{ name: "e", type: "GoTemplate", template }],
    });
    const traced = traceExports({
      context,
      imports: traceImports({ context, given: { ...given } }),
      bindings: { deployItems: { i: { open: "o", hidden: "h" } }, dataObjects: {}, targets: {} },
      sensitive: { deployItems: ["/i/hidden"], dataObjects: {} },
      wanted: { data: ["x", "y", "z"], targets: [] },
      mappings: { y: "(( x.a ))", z: { c: "(( x.b ))" } },
    });
    expect(sensitiveExportData(traced)).toEqual({ x: ["/b"], y: [], z: ["/c"] });
  });
});

describe("failures", () => {
  const fails = (config: string): string => failureOf(() => itemOf(config));
  const at = (column: number): string => `deploy template execution "d": template: d:4:${column}: executing "d" at `;

  it.each([
    ["plain data", "{{ fail .imports.plain }}", `${at(46)}<fail .imports.plain>: error calling fail: foo`],
    [
      "plain data beside a secret that is the same",
      '{{ fail (print "a " .imports.plain " error occurred, " .imports.secret) }}',
      `${at(46)}<fail (print "a " .imports.plain " error occurred, " .imports.secret)>: error calling fail: a foo error occurred, [...]`,
    ],
    [
      "plain data in conversions",
      "{{ mustToDate `2006` .imports.plain }}",
      `${at(46)}<mustToDate \`2006\` .imports.plain>: error calling mustToDate: parsing time "foo" as "2006": cannot parse "foo" as "2006"`,
    ],
  ])("show %s", (_, config, want) => {
    expect(fails(config)).toBe(want);
  });

  it.each([
    "upper .imports.password",
    "b64enc .imports.password",
    "trunc 3 .imports.password",
    'index (splitList "-" .imports.password) 1',
    "toJson .imports",
    "toYaml .imports.cluster.spec",
    "randAlphaNum 20",
    "genPrivateKey `ed25519`",
  ])("do not show %s", (expression) => {
    expect(fails(`{{ fail (print "no: " (${expression})) }}`)).toMatch(/: error calling fail: no: .*\[\.\.\.\]/s);
    const message = fails(`{{ fail (print "no: " (${expression})) }}`);
    for (const part of [
      "hunter",
      "HUNTER",
      "hun",
      "correct",
      Buffer.from("hunter2").toString("base64").slice(0, 8),
      "host",
    ]) {
      expect(message.slice(message.indexOf("error calling"))).not.toContain(part);
    }
  });

  it("name function and place when only the first rendering fails", () => {
    expect(fails('{{ if eq .imports.secret "foo" }}{{ fail (upper .imports.password) }}{{ end }}')).toBe(
      `${at(79)}<fail (upper .imports.password)>: error calling fail: [...]`,
    );
  });

  it("keep names of imports that are also values", () => {
    const context = contextOf({ imports: [{ name: "foo", schema: true }] });
    expect(
      failureOf(() =>
        traceImports({ context, given: { other: { type: "data", value: "foo", sensitive: everything } } }),
      ),
    ).toBe("imports.foo: the blueprint requires this data import, but the installation does not give it");
  });

  it("keep what the author reports, but not secrets in it", () => {
    const template = 'errors: ["a {{ .imports.plain }} error occurred", "with {{ .imports.password | upper }}"]';
    const context = contextOf({ importExecutions: [{ name: "check", type: "GoTemplate", template }] });
    expect(failureOf(() => traceImports({ context, given }))).toBe(
      'import template execution "check": a foo error occurred, with [...]',
    );
  });
});

it("a rendering that exceeds its budget is not repeated to mask its failure", () => {
  const template = "{{ $secret := upper .imports.password }}{{ range 1000000000 }}{{ end }}{{ fail $secret }}";
  const steps: string[] = [];
  const context = {
    ...contextOf({ deployExecutions: [{ name: "d", type: "GoTemplate", template }] }),
    budget: { maxSteps: 1000 },
    onStep: (step: string) => void steps.push(step),
  };
  expect(failureOf(() => deploy(context))).toContain("<1000000000>: budget exceeded: more than 1000 steps");
  expect(steps.filter((step) => step.includes("deploy template execution"))).toHaveLength(1);
});

describe("names that derive from secrets", () => {
  const check = (template: string): void => {
    const context = contextOf({ deployExecutions: [{ name: "d", type: "GoTemplate", template }] });
    const listsOf = ({ deployItems }: RenderedDeployItems) => ({ "deploy item": deployItems });
    checkSecretNames({ context, traced: deploy(context), listsOf, reason: "InvalidInput" });
  };
  const config = "config: {apiVersion: v1, kind: M}";

  it.each([
    [
      "of items",
      `deployItems: [{name: "{{ .imports.password }}", type: t, ${config}}]`,
      "the name of deploy item number 1 derives from a secret, and names are shown in status, events and plans",
    ],
    [
      "of keys",
      'deployItems: [{name: i, type: t, config: {apiVersion: v1, kind: M, data: [{"{{ upper .imports.password }}": x}]}}]',
      'deploy item "i": a key in config.data[0] derives from a secret, and names are shown in status, events and plans',
    ],
    [
      "of labels",
      `deployItems: [{name: i, type: t, labels: {"{{ .imports.password }}": x}, ${config}}]`,
      'deploy item "i": a key in labels derives from a secret, and names are shown in status, events and plans',
    ],
  ])("are refused: %s", (_, template, want) => {
    expect(failureOf(() => check(template))).toBe(want);
  });

  it("are refused when the rendering that would confirm them fails", () => {
    const template = `deployItems: [{name: "{{ .imports.password }}", type: t, ${config}}]`;
    const context = contextOf({ deployExecutions: [{ name: "d", type: "GoTemplate", template }] });
    const traced = { ...deploy(context), confirm: () => undefined };
    const listsOf = ({ deployItems }: RenderedDeployItems) => ({ "deploy item": deployItems });
    expect(failureOf(() => checkSecretNames({ context, traced, listsOf, reason: "InvalidInput" }))).toBe(
      "the name of deploy item number 1 derives from a secret, and names are shown in status, events and plans",
    );
  });

  it.each([
    ["names drawn by chance", `deployItems: [{name: "i-{{ randAlphaNum 5 | lower }}", type: t, ${config}}]`],
    [
      "names that a condition chooses",
      `deployItems: [{name: {{ if eq .imports.secret "foo" }}one{{ else }}two{{ end }}, type: t, ${config}}]`,
    ],
    [
      "names of plain data",
      `deployItems: [{name: "{{ .imports.plain }}{{ len .imports.password }}", type: t, ${config}}]`,
    ],
  ])("are not: %s", (_, template) => {
    expect(() => check(template)).not.toThrow();
  });
});
