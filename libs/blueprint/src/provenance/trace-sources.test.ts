import { describe, expect, it } from "@jest/globals";
import { everything, LandscaperError, type ExportDefinition, type JsonPath, type Target } from "@landscaper/api";
import { createBlueprint } from "../create-blueprint.ts";
import { renderDeployItems } from "../deploy-item/render-deploy-items.ts";
import type { ImportedValues } from "../parameter/parameter-value.ts";
import type { RenderContext } from "../render-context.ts";
import { checkSecretNames } from "./check-secret-names.ts";
import { sensitiveConfigs, sensitiveExportData, sensitiveImports } from "./sensitive-results.ts";
import { traceExports, traceImports, traceRendering } from "./trace-installation.ts";

function targetOf(name: string): Target {
  const spec = { type: "landscaper.gardener.cloud/kubernetes-cluster", config: { kubeconfig: `token-of-${name}` } };
  return {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "Target",
    metadata: { name, namespace: "ns" },
    spec,
  };
}

const given: ImportedValues = {
  secret: { type: "data", value: "foo", sensitive: everything },
  plain: { type: "data", value: "foo" },
  list: { type: "targetList", targets: [targetOf("one"), targetOf("two")] },
  map: { type: "targetMap", targets: { a: targetOf("three") } },
};

function contextOf(blueprint: Readonly<Record<string, unknown>>): RenderContext {
  const data = ["secret", "plain"].map((name) => ({ name, schema: true }));
  const targetType = "kubernetes-cluster";
  const imports = [
    ...data,
    { name: "list", type: "targetList", targetType },
    { name: "map", type: "targetMap", targetType },
  ];
  return {
    source: createBlueprint({ "blueprint.yaml": { imports, ...blueprint } }),
    installation: { name: "inst", namespace: "ns", spec: { blueprint: { inline: { filesystem: {} } } } },
    now: () => new Date("2024-02-29T12:00:00Z"),
    random: (bytes) => new Uint8Array(bytes),
  };
}

const config = (value: string): string =>
  `deployItems:\n- name: item\n  type: mock\n  config: {apiVersion: v1, kind: M, value: ${value}}\n`;

function deployedPaths(
  value: string,
  states: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {},
): unknown {
  const context = contextOf({ deployExecutions: [{ name: "d", type: "GoTemplate", template: config(value) }] });
  const traced = traceRendering({
    context,
    imports: traceImports({ context, given }),
    states,
    render: (inner, input) =>
      renderDeployItems({ context: inner, imports: input.imports, state: input.states["deploy"] ?? {} }),
  });
  return sensitiveConfigs(traced.value.deployItems, traced.shadow?.deployItems)["item"];
}

describe("what of a configuration is secret, by where it came from", () => {
  it.each([
    ["a Target of a list", "{{ (index .imports.list 1).spec.config.kubeconfig }}", ["/value"]],
    ["its name", "{{ (index .imports.list 1).metadata.name }}", []],
    ["a Target of a map", "{{ .imports.map.a.spec.config.kubeconfig }}", ["/value"]],
    ["its name", "{{ .imports.map.a.metadata.name }}", []],
    [
      "a list that is longer because of a secret",
      '{{ if eq .imports.secret "foo" }}[1, 2]{{ else }}[1]{{ end }}',
      ["/value"],
    ],
    [
      "a map that has more keys because of a secret",
      '{{ if eq .imports.secret "foo" }}{a: 1, b: 2}{{ else }}{a: 1}{{ end }}',
      ["/value"],
    ],
    ["a password that is generated", "{{ randAlphaNum 20 }}", ["/value"]],
    ["a map that has fewer", '{{ if eq .imports.secret "foo" }}{a: 1}{{ else }}{a: 1, b: 2}{{ end }}', ["/value"]],
  ])("%s", (_, value, want) => {
    expect(deployedPaths(value)).toEqual(want);
  });

  it("what templates have stored", () => {
    const states = { deploy: { d: { password: "stored" } } };
    expect(deployedPaths('{a: "{{ .state.password }}", b: "{{ .imports.plain }}"}', states)).toEqual(["/value/a"]);
  });

  it("all of an item that the second rendering does not have", () => {
    const template = `{{ if ne .imports.secret "foo" }}deployItems: []{{ else }}${config("x")}{{ end }}`;
    const context = contextOf({ deployExecutions: [{ name: "d", type: "GoTemplate", template }] });
    const { value, shadow } = traceRendering({
      context,
      imports: traceImports({ context, given }),
      states: {},
      render: (inner, input) => renderDeployItems({ context: inner, imports: input.imports }),
    });
    expect(sensitiveConfigs(value.deployItems, shadow?.deployItems)).toEqual({ item: [""] });
  });

  it("all imports, when the second run of what makes them fails", () => {
    const template = '{{ if ne .imports.secret "foo" }}{{ fail "no" }}{{ end }}bindings: { plain: x }';
    const context = contextOf({ importExecutions: [{ name: "e", type: "GoTemplate", template }] });
    const { plain } = sensitiveImports(traceImports({ context, given }));
    expect(plain).toEqual({ type: "data", value: "x", sensitive: [""] });
  });
});

describe("what is rendered out of imports of which it is not known what is secret", () => {
  it.each([
    ["is all secret when templates read them", "{{ .imports.plain }}", [""]],
    ["is not secret otherwise", "x", []],
  ])("%s", (_, value, want) => {
    const template = '{{ if ne .imports.secret "foo" }}{{ fail "no" }}{{ end }}bindings: {}';
    const context = contextOf({
      importExecutions: [{ name: "e", type: "GoTemplate", template }],
      deployExecutions: [{ name: "d", type: "GoTemplate", template: config(value) }],
    });
    const traced = traceRendering({
      context,
      imports: traceImports({ context, given }),
      states: {},
      render: (inner, input) => renderDeployItems({ context: inner, imports: input.imports }),
    });
    expect(sensitiveConfigs(traced.value.deployItems, traced.shadow?.deployItems)).toEqual({ item: want });
  });
});

describe("what of exports is secret, by where it came from", () => {
  interface Scope {
    readonly dataObjects?: Readonly<Record<string, unknown>>;
    readonly secret?: Readonly<Record<string, readonly JsonPath[]>>;
    readonly targets?: Readonly<Record<string, Target>>;
    readonly state?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly imports?: ImportedValues;
    readonly schema?: ExportDefinition["schema"];
  }

  function exportedPaths(template: string, scope: Scope = {}): unknown {
    const { dataObjects = {}, secret = {}, targets = {}, state = {}, imports = {}, schema = true } = scope;
    const context = {
      ...contextOf({
        imports: Object.keys(imports).map((name) => ({ name, schema: true })),
        exports: [{ name: "x", schema }],
        exportExecutions: [{ name: "e", type: "GoTemplate", template: `exports: { x: ${template} }` }],
      }),
    };
    const traced = traceExports({
      context,
      imports: traceImports({ context, given: imports }),
      bindings: { deployItems: {}, dataObjects, targets },
      state,
      sensitive: { deployItems: [], dataObjects: secret },
      wanted: { data: ["x"], targets: [] },
      mappings: undefined,
    });
    return sensitiveExportData(traced)["x"];
  }

  const dataObjects = { d: { open: "o", hidden: "h" } };
  const both = '["{{ .dataobjects.d.open }}", "{{ .dataobjects.d.hidden }}"]';

  it.each<readonly [string, string, Scope, readonly string[]]>([
    ["nothing", both, { dataObjects }, []],
    ["parts of data objects", both, { dataObjects, secret: { d: ["/hidden"] } }, ["/1"]],
    ["parts of values", "{{ .values.dataobjects.d.hidden }}", { dataObjects, secret: { d: ["/hidden"] } }, [""]],
    [
      "configurations of Targets",
      '["{{ .targets.t.spec.config.kubeconfig }}", "{{ .targets.t.metadata.name }}"]',
      { targets: { t: targetOf("t") } },
      ["/0"],
    ],
    ["stored state", "{{ .state.password }}", { state: { e: { password: "stored" } } }, [""]],
    [
      "imports",
      "{{ upper .imports.secret }}",
      { imports: { secret: { type: "data", value: "foo", sensitive: everything } } },
      [""],
    ],
    [
      "all when the second rendering fails",
      '{{ if ne .imports.secret "foo" }}{{ fail "no" }}{{ end }}x',
      { imports: { secret: { type: "data", value: "foo", sensitive: everything } } },
      [""],
    ],
  ])("%s", (...[, template, scope, want]) => {
    expect(exportedPaths(template, scope)).toEqual(want);
  });

  it("keys that derive from secrets are refused, whatever the schema says of other ones", () => {
    const imports: ImportedValues = { secret: { type: "data", value: "hunter2", sensitive: everything } };
    expect(() => exportedPaths('{ "{{ .imports.secret }}": x }', { imports })).toThrow(
      'export "x": a key in value derives from a secret, and names are shown in status, events and plans',
    );
    const schema = { propertyNames: { pattern: "^hunter" } };
    expect(() => exportedPaths('{ "{{ .imports.secret }}": x }', { imports, schema })).toThrow("a key in value");
  });
});

describe("a failure that the second rendering does not repeat", () => {
  function failureOf(template: string): string {
    const context = contextOf({ deployExecutions: [{ name: "d", type: "GoTemplate", template }] });
    try {
      traceRendering({
        context,
        imports: traceImports({ context, given }),
        states: {},
        render: (inner, input) => renderDeployItems({ context: inner, imports: input.imports }),
      });
    } catch (error) {
      if (error instanceof LandscaperError) return `${error.message} ${error.hint}`;
      throw error;
    }
    throw new Error("it did not fail");
  }

  it("in the same place tells neither operands nor what the other one says", () => {
    const template =
      '{{ if hasPrefix "f" .imports.secret }}{{ fail (upper .imports.secret) }}{{ end }}{{ fail "other" }}';
    expect(failureOf(template)).toContain(
      'd:1:41: executing "d" at <fail (upper .imports.secret)>: error calling fail: [...]\n',
    );
  });

  it("shows no quoted text but the blueprint's own", () => {
    const item = '{name: "{{ .imports.secret }}", type: mock, config: {apiVersion: v1, kind: M}}';
    const again = `{{ if hasPrefix "f" .imports.secret }}, ${item}{{ end }}`;
    const message = failureOf(`deployItems: [${item}${again}]`);
    expect(message).toContain('"[...]"');
    expect(message).not.toContain("foo");
  });
});

it("a name that a template has stored may be shown", () => {
  const template = config("x").replace("name: item", 'name: "i-{{ .state.suffix }}"');
  const context = contextOf({ deployExecutions: [{ name: "d", type: "GoTemplate", template }] });
  const traced = traceRendering({
    context,
    imports: traceImports({ context, given }),
    states: { deploy: { d: { suffix: "stored" } } },
    render: (inner, input) => renderDeployItems({ context: inner, imports: input.imports, state: input.states.deploy }),
  });
  const listsOf = ({ deployItems }: typeof traced.value) => ({ "deploy item": deployItems });
  expect(() => checkSecretNames({ context, traced, listsOf, reason: "InvalidInput" })).not.toThrow();
  expect(traced.shadow?.deployItems[0]?.name).not.toBe("i-stored");
});
