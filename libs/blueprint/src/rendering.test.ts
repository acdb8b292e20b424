import { describe, expect, it } from "@jest/globals";
import { createBlueprint } from "./create-blueprint.ts";
import { renderDeployItems } from "./deploy-item/render-deploy-items.ts";
import { deepMerge } from "./export/deep-merge.ts";
import { renderExports } from "./export/render-exports.ts";
import { createRenderCaches } from "./render-caches.ts";
import { renderSubinstallations } from "./subinstallation/render-subinstallations.ts";
import type { RenderContext } from "./render-context.ts";
import { resolveImports } from "./import/resolve-imports.ts";

function contextOf(blueprint: unknown, changes: Partial<RenderContext> = {}): RenderContext {
  return {
    source: createBlueprint({ "blueprint.yaml": blueprint }),
    installation: { name: "inst", namespace: "ns", spec: { blueprint: { inline: { filesystem: {} } } } },
    now: () => new Date("2024-02-29T12:00:00Z"),
    random: (bytes) => new Uint8Array(bytes).fill(7),
    ...changes,
  };
}

function data(values: Record<string, unknown>): Record<string, { type: "data"; value: unknown }> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { type: "data", value }]));
}

function item(config: string): unknown {
  const template = `deployItems:\n- name: i\n  type: mock\n  config: {apiVersion: v1, kind: M, value: ${config}}\n`;
  return {
    imports: [{ name: "a", schema: true, required: false }],
    deployExecutions: [{ name: "d", type: "GoTemplate", template }],
  };
}

function renderItem(config: string, given: Record<string, unknown>, changes: Partial<RenderContext> = {}): unknown {
  const context = contextOf(item(config), changes);
  const imports = resolveImports({ context, given: data(given) });
  return renderDeployItems({ context, imports }).deployItems[0]?.config["value"];
}

describe("integers beyond 2^53", () => {
  it("keep every digit in the rendered text", () => {
    expect(renderItem("[9223372036854775807, 9007199254740993, 1e3]", {})).toEqual([
      9_223_372_036_854_775_807n,
      9_007_199_254_740_993n,
      1000,
    ]);
  });

  it("keep every digit if they are imported as text", () => {
    const template = "[{{ .imports.a }}, {{ .imports.a | int64 }}]";
    const whole = 9_223_372_036_854_775_807n;
    expect(renderItem(template, { a: "9223372036854775807" })).toEqual([whole, whole]);
  });

  it("overflow in int64 if they are imported as numbers", () => {
    const value = renderItem("{{ .imports.a | int64 }}", { a: 9_223_372_036_854_775_807n });
    expect(value).toBe(-9_223_372_036_854_775_808n);
  });

  it("are texts beyond float64", () => {
    expect(renderItem("[1e400, 18446744073709551615]", {})).toEqual(["1e400", 18_446_744_073_709_551_615n]);
  });

  it("are int64 in the text of spiff templates, and float64 beyond", () => {
    const value = [9_223_372_036_854_775_807n, 18_446_744_073_709_551_615n, "(( parse(imports.a) ))"];
    const config = { apiVersion: "v1", kind: "M", value };
    const template = { deployItems: [{ name: "i", type: "mock", config }] };
    const imports = [{ name: "a", schema: { type: "string" } }];
    const context = contextOf({ imports, deployExecutions: [{ name: "d", type: "Spiff", template }] });
    const resolved = resolveImports({ context, given: data({ a: "9223372036854775807" }) });
    expect(renderDeployItems({ context, imports: resolved }).deployItems[0]?.config["value"]).toEqual([
      9_223_372_036_854_775_807n,
      2 ** 64,
      9_223_372_036_854_775_807n,
    ]);
  });

  it("are float64 in templates, also those that are imported", () => {
    const template = '"{{ .imports.a }} {{ fromYaml `9007199254740993` }} {{ kindOf .imports.a }}"';
    expect(renderItem(template, { a: 9_007_199_254_740_993n })).toBe(
      "9.007199254740992e+15 9.007199254740992e+15 float64",
    );
  });

  it("are float64 in data mappings", () => {
    const context = contextOf({ imports: [{ name: "a", schema: { type: "integer" } }] });
    const mappings = { a: "(( given ))" };
    const imports = resolveImports({ context, given: data({ given: 9_007_199_254_740_993n }), mappings });
    expect(imports.values["a"]).toEqual({ type: "data", value: 9_007_199_254_740_992n });
  });

  it("fit and miss schemas as numbers", () => {
    const given = data({ a: 9_007_199_254_740_993n });
    const resolve = (schema: object) =>
      resolveImports({ context: contextOf({ imports: [{ name: "a", schema }] }), given });
    expect(resolve({ type: "integer", minimum: 9_007_199_254_740_000n }).values["a"]).toEqual(given["a"]);
    expect(() => resolve({ type: "string" })).toThrow(/expected a string, found a number/);
  });
});

describe("fields that nobody knows in what templates render", () => {
  const deployItem = (fields: string): string =>
    `{ name: i, type: mock, config: { apiVersion: v1, kind: M, any: thing }${fields} }`;
  const nested = (fields: string): string =>
    `{ apiVersion: landscaper.gardener.cloud/v1alpha1, kind: InstallationTemplate, name: nested, blueprint: { filesystem: { any: thing } }${fields} }`;
  const warningsOf = (list: string, template: string): readonly string[] => {
    const messages: string[] = [];
    const definition = { [list]: [{ name: "d", type: "GoTemplate", template }] };
    const context = contextOf(definition, { onWarning: ({ message }) => void messages.push(message) });
    const imports = resolveImports({ context, given: {} });
    renderDeployItems({ context, imports });
    renderSubinstallations({ context, imports });
    return messages;
  };

  it.each([
    ["deployExecutions", `deployItems: [${deployItem(", onDelete: {}, TARGET: null")}]`, []],
    [
      "deployExecutions",
      `deployItems: [${deployItem(", timeot: 1m, onDelete: { skipUninstal: true }")}]`,
      [
        'deploy template execution "d": deployItems[0], item "i": unknown field "timeot", did you mean "timeout"?',
        'deploy template execution "d": deployItems[0], item "i": unknown field "onDelete.skipUninstal"',
      ],
    ],
    [
      "deployExecutions",
      `deployItem: [${deployItem("")}]\nhelper: 1`,
      ['deploy template execution "d": unknown field "deployItem", did you mean "deployItems"?'],
    ],
    [
      "subinstallationExecutions",
      `subinstallations: [${nested(", import: {}")}]`,
      ['subinstallation template execution "d": subinstallations[0]: unknown field "import", did you mean "imports"?'],
    ],
    [
      "subinstallationExecutions",
      "subInstallation: []",
      ['subinstallation template execution "d": unknown field "subInstallation", did you mean "subinstallations"?'],
    ],
  ] as const)("%s: %s", (list, template, expected) => {
    expect(warningsOf(list, template)).toEqual(expected);
  });

  it("repeated keys of the file of a subinstallation are warnings", () => {
    const messages: string[] = [];
    const source = createBlueprint({
      "blueprint.yaml": "subinstallations: [{ file: nested.yaml }]",
      "nested.yaml": `apiVersion: landscaper.gardener.cloud/v1alpha1
kind: InstallationTemplate
name: nested
blueprint: { filesystem: { any: thing } }
name: other
`,
    });
    const context = contextOf({}, { source, onWarning: ({ message }) => void messages.push(message) });
    const { subinstallations } = renderSubinstallations({ context, imports: resolveImports({ context, given: {} }) });
    expect(subinstallations).toMatchObject([{ name: "other" }]);
    expect(messages).toEqual(['nested.yaml:5: the key "name" is given twice; the first one has no effect']);
  });
});

describe("rendering", () => {
  it("changes nothing of what it is given", () => {
    const given = { a: { map: { x: 1 }, list: [1, 2] } };
    renderItem('{{ $_ := set .imports.a.map "x" 9 }}{{ $_ := unset .imports.a "list" }}1', given);
    expect(given).toEqual({ a: { map: { x: 1 }, list: [1, 2] } });
  });

  it("gives the same result each time, with caches too", () => {
    const caches = createRenderCaches();
    const config = "{{ list (randAlphaNum 8) (now | date `2006`) (toJson .imports.a) | toJson }}";
    const once = renderItem(config, { a: { b: 1 } });
    for (let i = 0; i < 3; i++) expect(renderItem(config, { a: { b: 1 } }, { caches })).toEqual(once);
  });

  it("takes what is not there for no mistake of import executions (core.md §3.7)", () => {
    const template = "bindings: { text: '{{ .imports.missing }}' }";
    const context = contextOf({ importExecutions: [{ name: "default", type: "GoTemplate", template }] });
    expect(resolveImports({ context, given: {} }).bindings).toEqual({ text: "<no value>" });
  });

  it("lets what a host function throws pass, so that its caller can fetch and render again", () => {
    class NeedsInput extends Error {}
    const host = {
      functions: {
        getOidcKubeconfig: () => {
          throw new NeedsInput();
        },
      },
    };
    expect(() => renderItem('{{ getOidcKubeconfig "a" "b" (dict) }}', {}, { host })).toThrow(NeedsInput);
  });

  it("gives plain data to host functions and takes plain data from them", () => {
    const calls: (readonly unknown[])[] = [];
    const host = {
      functions: {
        getOidcKubeconfig: (...args: readonly unknown[]) => {
          calls.push(args);
          return { text: "config", numbers: [1, 2] };
        },
      },
    };
    const value = renderItem(
      '{{ $r := getOidcKubeconfig "issuer" "client" (dict "a" 1) }}[{{ $r.text }}, {{ len $r.numbers }}]',
      {},
      { host },
    );
    expect(value).toEqual(["config", 2]);
    expect(calls).toEqual([["issuer", "client", { a: 1 }]]);
  });

  it("bounds the work of templates", () => {
    expect(() => renderItem("{{ range 1000000000 }}{{ end }}", {}, { budget: { maxSteps: 1000 } })).toThrow(
      /^deploy template execution "d": template: d:4:\d+: executing "d" at <1000000000>: budget exceeded: more than 1000 steps\ntemplate source:/,
    );
  });

  it("keeps large integers of JSON as Go does", () => {
    expect(renderItem("{{ .imports.a }}", { a: 1234567 })).toBe(1234567);
    expect(renderItem("{{ .imports.a | int64 }}", { a: 1234567 })).toBe(1234567);
  });
});

describe("deepMerge", () => {
  it.each([
    [{}, { a: 1 }, { a: 1 }],
    [{ a: 1, b: 2 }, { b: 3 }, { a: 1, b: 3 }],
    [{ a: { x: 1, y: [1] } }, { a: { y: [2], z: 3 } }, { a: { x: 1, y: [2], z: 3 } }],
    [{ a: { x: 1 } }, { a: "text" }, { a: "text" }],
    [{ a: "text" }, { a: { x: 1 } }, { a: { x: 1 } }],
    [{ a: 1 }, { a: null }, { a: null }],
  ])("merges %j and %j", (earlier, later, merged) => {
    const before = structuredClone([earlier, later]);
    expect(deepMerge(earlier, later)).toEqual(merged);
    expect([earlier, later]).toEqual(before);
  });
});

describe("executions of a blueprint", () => {
  it("share their state when they have one name, also the empty one, as in the original", () => {
    const template = "deployItems: []\nstate: {count: {{ add 1 (.state.count | default 0) }}}";
    const nameless = { type: "GoTemplate", template };
    const named = { ...nameless, name: "n" };
    const context = contextOf({ deployExecutions: [nameless, named, nameless, named, nameless] });
    const imports = resolveImports({ context, given: {} });
    const { state } = renderDeployItems({ context, imports, state: { "": { count: 10 } } });
    expect(state).toEqual({ "": { count: 13 }, n: { count: 2 } });
  });

  it("are named by their place where they have no name", () => {
    const context = contextOf({
      deployExecutions: [
        { type: "GoTemplate", template: "deployItems: []" },
        { type: "GoTemplate", template: "deployItems: 5" },
      ],
    });
    const imports = resolveImports({ context, given: {} });
    expect(() => renderDeployItems({ context, imports })).toThrow(
      "deploy template execution [1]: deployItems: expected a list, found a number",
    );
  });
});

describe("an item whose name an object cannot have", () => {
  it("is an error with the nearest name", () => {
    const template = "deployItems: [{ name: Web_Server, type: t, config: { apiVersion: v1, kind: K } }]";
    const context = contextOf({ deployExecutions: [{ name: "e", type: "GoTemplate", template }] });
    const imports = resolveImports({ context, given: {} });
    expect(() => renderDeployItems({ context, imports })).toThrow(
      expect.objectContaining({
        message:
          'deploy item "Web_Server": the name must have only lower case letters, digits, - and ., with a letter or digit at both ends',
        hint: 'rename the item, for example to "web-server"',
      }),
    );
  });
});

describe("an execution whose result is a list", () => {
  it.each(["GoTemplate", "Spiff"])("is an error that names the key of the deploy items (%s)", (type) => {
    const template = type === "Spiff" ? [] : "[]";
    const context = contextOf({ deployExecutions: [{ name: "e", type, template }] });
    const imports = resolveImports({ context, given: {} });
    expect(() => renderDeployItems({ context, imports })).toThrow(
      expect.objectContaining({
        message: 'deploy template execution "e": expected the result to be a YAML map, found a list',
        hint: 'write a list of deploy items under the key "deployItems"; manifests belong to the config of a deploy item',
      }),
    );
  });
});

describe("an execution that renders more than one YAML document", () => {
  const render = (template: string, isShadow = false) => {
    const warnings: unknown[] = [];
    const executions = [{ name: "e", type: "GoTemplate", template }];
    const context = contextOf(
      { deployExecutions: executions },
      { isShadow, onWarning: (warning) => void warnings.push(warning) },
    );
    const { deployItems } = renderDeployItems({ context, imports: resolveImports({ context, given: {} }) });
    return { names: deployItems.map(({ name }) => name), warnings };
  };
  const itemOf = (name: string): string =>
    `deployItems:\n- { name: ${name}, type: t, config: { apiVersion: v1, kind: K } }\n`;

  it("has a warning, and the first one counts", () => {
    const warning = {
      reason: "FurtherDocument",
      message: 'deploy template execution "e": expected one YAML document, found more; only the first one counts',
    };
    expect(render(`${itemOf("first")}---\n${itemOf("second")}`)).toEqual({ names: ["first"], warnings: [warning] });
    expect(render(`---\n${itemOf("only")}---\n`)).toEqual({ names: ["only"], warnings: [] });
    expect(render(`${itemOf("first")}---\n${itemOf("second")}`, true).warnings).toEqual([]);
  });
});

describe("an export whose value is null", () => {
  const render = (wanted: readonly string[], mappings: Readonly<Record<string, unknown>> = {}) => {
    const blueprint = {
      exports: [{ name: "a", schema: true }],
      exportExecutions: [{ name: "e", type: "GoTemplate", template: "exports: { a: null }" }],
    };
    const context = contextOf(blueprint);
    const bindings = { deployItems: {}, dataObjects: {}, targets: {} };
    const imports = resolveImports({ context, given: {} });
    return renderExports({ context, imports, bindings, mappings, wanted: { data: wanted, targets: [] } }).data;
  };

  it("is an error if the Installation lists it, by its own name or a mapped one", () => {
    const expected = expect.objectContaining({
      message: 'exports.data: the value of the export "a" is null; expected a value that is not null',
      hint: 'set the value in an export execution of the blueprint, or remove "a" from spec.exports.data',
      retry: "never",
    });
    expect(() => render(["a"])).toThrow(expected);
    expect(() => render(["b"], { b: "(( a ))" })).toThrow('the value of the export "b" is null');
    expect(render([])).toEqual({});
  });
});

describe("exports that no execution gives", () => {
  const warningsOf = (wanted: { data: string[]; targets: string[] }, isShadow = false): readonly unknown[] => {
    const warnings: unknown[] = [];
    const exports = [
      { name: "given", schema: true },
      { name: "forgotten", schema: true },
    ];
    const template = { exports: { given: 1 } };
    const blueprint = { exports, exportExecutions: [{ name: "e", type: "Spiff", template }] };
    const context = contextOf(blueprint, { isShadow, onWarning: (warning) => void warnings.push(warning) });
    const imports = resolveImports({ context, given: {} });
    renderExports({ context, imports, bindings: { deployItems: {}, dataObjects: {}, targets: {} }, wanted });
    return warnings;
  };

  it("are told where the Installation does not list them", () => {
    expect(warningsOf({ data: ["given"], targets: [] })).toEqual([
      {
        reason: "ExportWithoutValue",
        message: "exports.forgotten: no export execution of the blueprint gives a value",
      },
    ]);
    expect(warningsOf({ data: [], targets: [] }, true)).toEqual([]);
  });

  it.each([
    ["forgoten", 'did you mean "forgotten"?'],
    ["password", "the blueprint declares the exports "],
  ])("are an error if the blueprint does not declare them, such as %s", (name, found) => {
    const message = `spec.exports.data: the blueprint does not declare the export "${name}": ${found}`;
    expect(() => warningsOf({ data: [name], targets: [] })).toThrow(
      expect.objectContaining({ reason: "ExportNotDeclared", message: expect.stringContaining(message) }),
    );
  });

  it("are named with the value that was probably meant, and the field that holds it", () => {
    const warnings: unknown[] = [];
    const wanted = { data: ["address"], targets: [] };
    const render = (template: object): void => {
      const exports = [{ name: "address", schema: true }];
      const definition = { exports, exportExecutions: [{ name: "e", type: "Spiff", template }] };
      const context = contextOf(definition, { onWarning: (warning) => void warnings.push(warning.message) });
      const imports = resolveImports({ context, given: {} });
      renderExports({ context, imports, bindings: { deployItems: {}, dataObjects: {}, targets: {} }, wanted });
    };
    expect(() => render({ exports: { adress: 1 } })).toThrow(
      'no export execution of the blueprint gives this value; one gives "adress": did you mean "address"?',
    );
    expect(() => render({ export: { address: 1 } })).toThrow(
      'gives this value; export template execution "e" gives the field "export": did you mean "exports"?',
    );
    expect(warnings).toEqual(['export template execution "e": unknown field "export", did you mean "exports"?']);
  });

  it("are an error where it does", () => {
    expect(() => warningsOf({ data: ["forgotten"], targets: [] })).toThrow(
      'exports.data: the installation exports "forgotten", but no export execution of the blueprint gives this value',
    );
  });
});
