// Behaviours of core.md §4 by their numbers, as far as they are decided without a cluster.
import { describe, expect, it } from "@jest/globals";
import { apiVersion, type InstallationTemplate, type Target } from "@landscaper/api";
import { createBlueprint } from "./create-blueprint.ts";
import { renderDeployItems } from "./deploy-item/render-deploy-items.ts";
import { renderExports, type RenderExportsOptions } from "./export/render-exports.ts";
import type { ImportedValues } from "./parameter/parameter-value.ts";
import type { RenderContext } from "./render-context.ts";
import { resolveImports, type ResolveImportsOptions } from "./import/resolve-imports.ts";
import { orderSubinstallations } from "./subinstallation/order-subinstallations.ts";
import { renderSubinstallations } from "./subinstallation/render-subinstallations.ts";

type Files = Readonly<Record<string, unknown>>;

function contextOf(blueprint: unknown, files: Files = {}): RenderContext {
  return {
    source: createBlueprint({ "blueprint.yaml": blueprint, ...files }),
    installation: { name: "inst", namespace: "ns", spec: { blueprint: { inline: { filesystem: {} } } } },
    now: () => new Date("2024-02-29T12:00:00Z"),
    random: (bytes) => new Uint8Array(bytes),
  };
}

function data(values: Readonly<Record<string, unknown>>): ImportedValues {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { type: "data", value }]));
}

const target: Target = { apiVersion, kind: "Target", metadata: { name: "t", namespace: "ns" }, spec: { type: "mock" } };
const text = { type: "string" } as const;
const goTemplate = (template: string) => [{ name: "default", type: "GoTemplate", template }];

function resolve(blueprint: unknown, options: Omit<ResolveImportsOptions, "context">) {
  return resolveImports({ context: contextOf(blueprint), ...options });
}

function template(name: string, fields: Partial<InstallationTemplate>): InstallationTemplate {
  return { apiVersion, kind: "InstallationTemplate", name, blueprint: { filesystem: {} }, ...fields };
}

/** The imports of the only subinstallation that a blueprint makes of what it is given. */
function childImports(imports: readonly unknown[], child: InstallationTemplate["imports"], given: ImportedValues) {
  const context = contextOf({ imports, subinstallations: [template("child", { imports: child ?? {} })] });
  const resolved = resolveImports({ context, given });
  return renderSubinstallations({ context, imports: resolved }).subinstallations[0]?.imports;
}

function exportsOf(blueprint: unknown, options: Partial<RenderExportsOptions> & { readonly given?: ImportedValues }) {
  const context = contextOf(blueprint);
  const imports = resolveImports({ context, given: options.given ?? {} });
  const bindings = { deployItems: {}, dataObjects: {}, targets: {} };
  return renderExports({ context, imports, bindings, wanted: { data: [], targets: [] }, ...options });
}

describe("imports (core.md §4)", () => {
  const override = {
    imports: [{ name: "word", schema: text }],
    importExecutions: goTemplate("bindings: { word: [1, 2], added: 5 }\n"),
  };

  it("§4.16: what an import execution replaces goes to the scope without another check, what it adds does not", () => {
    const { values, bindings } = resolve(override, { given: data({ word: "x" }) });
    expect(values).toEqual(data({ word: [1, 2] }));
    expect(bindings).toEqual({ word: [1, 2], added: 5 });
  });

  it("§4.17: a conditional import is required below an import that has its default only", () => {
    const conditional = (parent: Record<string, unknown>) => ({
      imports: [{ name: "foo", schema: text, required: false, ...parent, imports: [{ name: "bar", schema: text }] }],
    });
    expect([...resolve(conditional({}), { given: {} }).unsatisfied]).toEqual(["foo", "bar"]);
    const withDefault = conditional({ default: { value: "x" } });
    expect(() => resolve(withDefault, { given: {} })).toThrow("imports.bar: the blueprint requires this data import");
    expect(resolve(withDefault, { given: data({ bar: "y" }) }).bindings).toEqual({ foo: "x", bar: "y" });
  });

  it.each([
    ["target", { targetType: "mock" }, { type: "target", target }],
    ["targetList", { type: "targetList", targetType: "mock" }, { type: "targetList", targets: [target] }],
    ["targetMap", { type: "targetMap", targetType: "mock" }, { type: "targetMap", targets: { a: target } }],
  ] as const)("§4.18 fixed: conditional imports below a %s are read, and required", (_type, fields, value) => {
    const blueprint = {
      imports: [{ name: "where", required: false, ...fields, imports: [{ name: "extra", schema: text }] }],
    };
    const given = { where: value };
    expect(resolve(blueprint, { given: { ...given, ...data({ extra: "x" }) } }).bindings["extra"]).toBe("x");
    expect(() => resolve(blueprint, { given })).toThrow("imports.extra: the blueprint requires this data import");
  });

  it("§4.19: data imports of a subinstallation are pruned by the name that they refer to", () => {
    const imports = [{ name: "foo", schema: text, required: false, imports: [{ name: "bar", schema: text }] }];
    const child = {
      data: [
        { name: "own-foo", dataRef: "foo" },
        { name: "own-bar", dataRef: "bar" },
      ],
    };
    expect(childImports(imports, child, {})).toEqual({ data: [] });
    expect(childImports(imports, child, data({ foo: "x", bar: "y" }))).toEqual(child);
  });

  it("§4.19: target imports of a subinstallation are not pruned", () => {
    const imports = [{ name: "where", targetType: "mock", required: false }];
    const child = { targets: [{ name: "own", target: "where" }] };
    expect(() => childImports(imports, child, {})).toThrow(
      'subinstallation "child": import "own": "where" is neither a target import of the blueprint nor an export',
    );
    expect(childImports(imports, child, { where: { type: "target", target } })).toEqual(child);
  });

  it("§4.21: a default stands in for an optional data import only", () => {
    const value = { default: { value: "x" } };
    const of = (fields: Record<string, unknown>) =>
      resolve({ imports: [{ name: "a", ...value, ...fields }] }, { given: {} });
    expect(of({ schema: text, required: false }).bindings).toEqual({ a: "x" });
    expect(() => of({ schema: text })).toThrow("imports.a: the blueprint requires this data import");
    expect(() => of({ schema: text, required: true })).toThrow("imports.a: the blueprint requires this data import");
    expect([...of({ targetType: "mock", required: false }).unsatisfied]).toEqual(["a"]);
  });

  it("§4.22: a mapping that is no import is evaluated, so that its errors count, and dropped", () => {
    const blueprint = { imports: [{ name: "a", schema: text }] };
    const given = data({ a: "x" });
    const resolved = resolve(blueprint, { given, mappings: { other: "(( a ))" } });
    expect([resolved.values, resolved.bindings]).toEqual([given, { a: "x" }]);
    expect(() => resolve(blueprint, { given, mappings: { other: "(( nowhere ))" } })).toThrow(
      "importDataMappings.other",
    );
  });

  it("§4.23: a mapping needs no import, and wins over one of its name", () => {
    const blueprint = { imports: ["same", "constant"].map((name) => ({ name, schema: text })) };
    const mappings = { same: '(( same "!" ))', constant: "c" };
    expect(resolve(blueprint, { given: data({ same: "x" }), mappings }).bindings).toEqual({
      same: "x!",
      constant: "c",
    });
  });

  it("§4.24: an empty list of targets is a value, none is not", () => {
    const blueprint = { imports: [{ name: "where", type: "targetList", targetType: "mock" }] };
    const empty = { where: { type: "targetList", targets: [] } } as const;
    expect(resolve(blueprint, { given: empty }).bindings).toEqual({ where: [] });
    expect(() => resolve(blueprint, { given: {} })).toThrow(
      "imports.where: the blueprint requires this targetList import",
    );
  });
});

describe("subinstallations (core.md §4)", () => {
  it("§4.8 fixed: a name with # is an object of the namespace, and needs no import of the parent", () => {
    const child = {
      data: [{ name: "own", dataRef: "#value" }],
      targets: [
        { name: "one", target: "#cluster" },
        { name: "list", targets: ["#cluster", "#other"] },
        { name: "map", targetMap: { a: "#cluster" } },
      ],
    };
    expect(childImports([], child, {})).toEqual(child);
  });

  it.each([
    ["a target list", { targetListRef: "#clusters" }],
    ["a target map", { targetMapRef: "#clusters" }],
  ])("§4.8: %s cannot name an object of the namespace", (word, reference) => {
    expect(() => childImports([], { targets: [{ name: "own", ...reference }] }, {})).toThrow(
      `subinstallation "child": import "own": "#clusters" is neither ${word} import of the blueprint nor an export`,
    );
  });

  it("§4.9: their order follows the names of references, not those of imports and exports", () => {
    const exporter = template("exporter", { exports: { data: [{ name: "out", dataRef: "flow" }] } });
    const sameName = template("same-name", { imports: { data: [{ name: "out", dataRef: "elsewhere" }] } });
    const sameReference = template("same-reference", { imports: { data: [{ name: "in", dataRef: "flow" }] } });
    const ordered = orderSubinstallations([sameName, sameReference, exporter]);
    expect(ordered.map(({ name }) => name)).toEqual(["same-name", "exporter", "same-reference"]);
  });
});

describe("exports (core.md §4)", () => {
  it("§4.44: export executions see what import executions added, and merge maps, but no lists", () => {
    const blueprint = {
      imports: [{ name: "a", schema: text }],
      importExecutions: goTemplate("bindings: { added: b }\n"),
      exports: ["map", "list"].map((name) => ({ name, schema: {} })),
      exportExecutions: [
        "exports: { map: { kept: 1, deep: { x: 1, z: 1 } }, list: [1, 2] }",
        'exports: { map: { deep: { z: "{{ .imports.a }}{{ .imports.added }}" } }, list: [3] }',
      ].map((source, index) => ({ name: `e${index}`, type: "GoTemplate", template: source })),
    };
    const wanted = { data: ["map", "list"], targets: [] };
    expect(exportsOf(blueprint, { given: data({ a: "a" }), wanted }).data).toEqual({
      map: { kept: 1, deep: { x: 1, z: "ab" } },
      list: [3],
    });
  });

  const word = { exports: [{ name: "word", schema: text }] };
  const wanted = { data: ["word"], targets: [] };

  it("§4.45: a data export has to fit its schema before it is mapped; what it is mapped to does not", () => {
    const good = { ...word, exportExecutions: goTemplate("exports: { word: x }\n") };
    expect(exportsOf(good, { wanted, mappings: { word: [1, "(( exports.word ))"] } }).data).toEqual({ word: [1, "x"] });
    const bad = { ...word, exportExecutions: goTemplate("exports: { word: 5 }\n") };
    expect(() => exportsOf(bad, { wanted, mappings: { word: "fits" } })).toThrow(
      "exports.word: expected a string, found a number",
    );
  });

  it("§4.45: a target export is checked by its type", () => {
    const blueprint = (type: string) => ({
      exports: [{ name: "where", targetType: "mock" }],
      exportExecutions: goTemplate(`exports: { where: { type: ${type}, config: { anything: 1 } } }\n`),
    });
    const where = { data: [], targets: ["where"] };
    const type = "landscaper.gardener.cloud/mock";
    expect(exportsOf(blueprint("mock"), { wanted: where }).targets).toEqual({
      where: { type, config: { anything: 1 } },
    });
    expect(() => exportsOf(blueprint("other"), { wanted: where })).toThrow(
      `exports.where: expected a target of type ${type}, found one of type other`,
    );
  });
});

describe("what blueprints may look like (core.md §4)", () => {
  const item = "{ name: a, type: mock, config: { apiVersion: v1, kind: M } }";

  it.each(["deployItems", "deployitems", "DeployItems"])("§4.49: items stand under %s", (key) => {
    const context = contextOf({ deployExecutions: goTemplate(`${key}: [${item}]\n`) });
    const imports = resolveImports({ context, given: {} });
    expect(renderDeployItems({ context, imports }).deployItems.map(({ name }) => name)).toEqual(["a"]);
  });

  it("§4.49: fields that nobody knows are ignored", () => {
    const context = contextOf({ jsonSchema: "stray", imports: [{ name: "a", schema: text, stray: 1 }] });
    expect(resolveImports({ context, given: data({ a: "x" }) }).bindings).toEqual({ a: "x" });
  });

  it.each(["deploy.yaml", "/deploy.yaml"])("§4.49: %s is a file of the blueprint", (file) => {
    const blueprint = { deployExecutions: [{ name: "default", type: "GoTemplate", file }] };
    const context = contextOf(blueprint, { "deploy.yaml": `deployItems: [${item}]\n` });
    const imports = resolveImports({ context, given: {} });
    expect(renderDeployItems({ context, imports }).deployItems.map(({ name }) => name)).toEqual(["a"]);
  });
});
