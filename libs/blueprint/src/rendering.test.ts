import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LandscaperError, type Target } from "@landscaper/api";
import { fromYaml } from "@landscaper/goyaml";
import { describe, expect, it } from "@jest/globals";
import { createBlueprint } from "./create-blueprint.ts";
import { renderDeployItems } from "./deploy-item/render-deploy-items.ts";
import { deepMerge } from "./export/deep-merge.ts";
import { renderExports } from "./export/render-exports.ts";
import { hasExpressions, mapData } from "./map-data.ts";
import { createRenderCaches } from "./render-caches.ts";
import type { RenderContext } from "./render-context.ts";
import { resolveImports } from "./resolve-imports.ts";
import type { SpiffExecution } from "./spiff-engine.ts";

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

const target: Target = {
  apiVersion: "landscaper.gardener.cloud/v1alpha1",
  kind: "Target",
  metadata: { name: "my-cluster", namespace: "ns" },
  spec: { type: "landscaper.gardener.cloud/kubernetes-cluster", config: { kubeconfig: "apiVersion: v1" } },
};

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

describe("secrets", () => {
  const sentinel = "s3ntinel-Value!";
  it.each([
    ["fail", "{{ fail .imports.a.secret }}"],
    ["a failing conversion", "{{ index .imports.a.secret 99 }}"],
    ["a failing comparison", "{{ lt .imports.a .imports.a.secret }}"],
    ["base64", "{{ fail (b64enc .imports.a.secret) }}"],
    ["JSON", "{{ fail (toJson .imports.a) }}"],
    ["no value beside it", "{{ .imports.a.nope }}{{ .imports.a.secret }}"],
    ["broken YAML", "[{{ .imports.a.secret }}: }"],
    ["a pattern", '{{ mustRegexFind (print "(" .imports.a.secret) "x" }}'],
    ["a date", "{{ mustToDate `2006` .imports.a.secret }}"],
    ["JSON that is none", "{{ mustFromJson .imports.a.secret }}"],
    ["YAML that is none", '{{ fromYaml (print "a: [" .imports.a.secret) }}'],
    ["a version", "{{ semver .imports.a.secret }}"],
    ["a missing file", "{{ readFile .imports.a.secret }}"],
    ["comparison of lists", "{{ eq (list .imports.a.secret) (list 1) }}"],
  ])("stay out of the error of %s", (_, config) => {
    const error = (() => {
      try {
        renderItem(config, { a: { secret: sentinel, list: [sentinel] } });
        return undefined;
      } catch (caught) {
        return caught;
      }
    })();
    expect(error).toBeInstanceOf(LandscaperError);
    const shown = [error, (error as LandscaperError).cause]
      .map((part) => (part instanceof Error ? part.message : ""))
      .join("\n");
    for (const form of [sentinel, Buffer.from(sentinel).toString("base64"), "3ntinel-Valu"])
      expect(shown).not.toContain(form);
  });

  it("stay out of schema errors, also of defaults and exports", () => {
    const context = contextOf({
      imports: [
        {
          name: "a",
          schema: { type: "object", properties: { secret: { type: "number" } }, patternProperties: { "^x": false } },
        },
      ],
    });
    expect(() => resolveImports({ context, given: data({ a: { secret: sentinel } }) })).toThrow(
      "imports.a.secret: expected a number, found a string",
    );
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

  it("lets what a host function throws pass, so that its caller can fetch and render again", () => {
    class NeedsInput extends Error {}
    const host = {
      functions: {
        getResource: () => {
          throw new NeedsInput();
        },
      },
    };
    expect(() => renderItem('{{ getResource .cd "name" "x" }}', {}, { host })).toThrow(NeedsInput);
  });

  it("gives plain data to host functions and takes plain data from them", () => {
    const calls: (readonly unknown[])[] = [];
    const host = {
      functions: {
        getResource: (...args: readonly unknown[]) => {
          calls.push(args);
          return { access: { imageReference: "img:1" }, numbers: [1, 2] };
        },
      },
    };
    const value = renderItem(
      '{{ $r := getResource .cd "name" "x" 5 (dict "a" 1) }}[{{ $r.access.imageReference }}, {{ len $r.numbers }}]',
      {},
      { host, componentDescriptor: { component: {} } },
    );
    expect(value).toEqual(["img:1", 2]);
    expect(calls).toEqual([[{ component: {} }, "name", "x", 5, { a: 1 }]]);
  });

  it("bounds the work of templates", () => {
    expect(() => renderItem("{{ range 1000000000 }}{{ end }}", {}, { budget: { maxSteps: 1000 } })).toThrow(
      /^deploy execution "d": template: d:4:\d+: executing "d" at <1000000000>: budget exceeded: more than 1000 steps\ntemplate source:/,
    );
  });

  it("keeps large integers of JSON as Go does", () => {
    expect(renderItem("{{ .imports.a }}", { a: 1234567 })).toBe(1234567);
    expect(renderItem("{{ .imports.a | int64 }}", { a: 1234567 })).toBe(1234567);
  });
});

describe("other languages", () => {
  it("runs Spiff executions by the engine that is given, with state", () => {
    const runs: SpiffExecution[] = [];
    const spiff = {
      execute: (run: SpiffExecution) => {
        runs.push(run);
        return {
          output: { deployItems: [{ name: "s", type: "mock", config: { apiVersion: "v1", kind: "M" } }] },
          state: { n: 2 },
        };
      },
    };
    const context = contextOf(
      { deployExecutions: [{ name: "s", type: "Spiff", template: { deployItems: "(( x ))" } }] },
      { spiff },
    );
    const imports = resolveImports({ context, given: {} });
    const result = renderDeployItems({ context, imports, state: { s: { n: 1 } } });
    expect(result.deployItems.map(({ name }) => name)).toEqual(["s"]);
    expect(result.state).toEqual({ s: { n: 2 } });
    expect(runs[0]).toMatchObject({
      name: 'deploy execution "s"',
      template: { deployItems: "(( x ))" },
      state: { n: 1 },
    });
    expect(runs[0]?.bindings["imports"]).toEqual({});
  });

  it("maps data by the mapper that is given", () => {
    const mapper = {
      map: (document: unknown, bindings: Readonly<Record<string, unknown>>) => ({
        document,
        bindings: Object.keys(bindings),
      }),
    };
    const context = contextOf({ imports: [{ name: "b", schema: true }] }, { mapper });
    const { bindings } = resolveImports({
      context,
      given: { ...data({ a: 1 }), t: { type: "target", target } },
      mappings: { b: "(( a ))" },
    });
    expect(bindings).toEqual({ b: { document: "(( a ))", bindings: ["a", "t"] } });
  });

  it("maps exports, which are there by name and once more under exports", () => {
    const mapper = { map: (_: unknown, bindings: Readonly<Record<string, unknown>>) => bindings };
    const context = contextOf(
      {
        exports: [{ name: "x", schema: true }],
        exportExecutions: [{ name: "e", type: "GoTemplate", template: "exports: {x: 1}" }],
      },
      { mapper },
    );
    const imports = resolveImports({ context, given: {} });
    const rendered = renderExports({
      context,
      imports,
      bindings: { deployItems: {}, dataObjects: {}, targets: {} },
      wanted: { data: ["y"], targets: [] },
      mappings: { y: "(( x ))" },
    });
    expect(rendered.data).toEqual({ y: { x: 1, exports: { x: 1 } } });
  });
});

describe("mapData", () => {
  it.each<[unknown, boolean]>([
    ["plain", false],
    ["a (( b )) c", true],
    ["((\n x ))", true],
    ["(not) (an) expression", false],
    [5, false],
    [[1, ["(( x ))"]], true],
    [{ a: { b: "(( x ))" } }, true],
    [{ "(( x ))": 1 }, true],
    [{ "<<": 1 }, true],
    [{ "<<<": "(( merge ))" }, true],
    [{ a: [null, true] }, false],
  ])("sees whether %j has expressions", (document, has) => {
    expect(hasExpressions(document)).toBe(has);
  });

  it("takes documents without expressions for constants", () => {
    expect(mapData({ mappings: { a: { b: [1] }, c: null }, bindings: {}, mapper: undefined, where: "m" })).toEqual({
      a: { b: [1] },
      c: null,
    });
    expect(() => mapData({ mappings: { a: "(( b ))" }, bindings: {}, mapper: undefined, where: "m" })).toThrow(
      "m.a: expressions in (( )) cannot be evaluated here",
    );
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

const tour = join(import.meta.dirname, "../../../../shared/examples/guided-tour");
const isHere = existsSync(tour);

describe("guided tour", () => {
  it(`renders the manifest deployer example${isHere ? "" : " (not run: the examples are not beside the project)"}`, () => {
    if (!isHere) return;
    const text = readFileSync(join(tour, "basics/manifest-deployer/installation/installation.yaml.tpl"), "utf8");
    const installation = fromYaml(text) as { spec: { blueprint: { inline: { filesystem: unknown } } } };
    const context = contextOf("", { source: createBlueprint(installation.spec.blueprint.inline.filesystem) });
    const imports = resolveImports({ context, given: { cluster: { type: "target", target } } });
    expect(renderDeployItems({ context, imports }).deployItems).toEqual([
      {
        name: "default-deploy-item",
        type: "landscaper.gardener.cloud/kubernetes-manifest",
        target: { name: "my-cluster", namespace: "ns" },
        config: {
          apiVersion: "manifest.deployer.landscaper.gardener.cloud/v1alpha2",
          kind: "ProviderConfiguration",
          updateStrategy: "update",
          manifests: [
            {
              policy: "manage",
              manifest: {
                apiVersion: "v1",
                kind: "ConfigMap",
                metadata: { name: "hello-world", namespace: "example" },
                data: { testData: "hello" },
              },
            },
          ],
        },
      },
    ]);
  });

  it(`renders the export parameters example${isHere ? "" : " (not run: the examples are not beside the project)"}`, () => {
    if (!isHere) return;
    const folder = join(tour, "import-export/export-parameters/blueprint");
    const files = Object.fromEntries(
      readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), "utf8")]),
    );
    const context = contextOf("", { source: createBlueprint(files) });
    const imports = resolveImports({ context, given: { cluster: { type: "target", target } } });
    expect(renderDeployItems({ context, imports }).deployItems.map(({ name }) => name)).toEqual([
      "default-deploy-item",
    ]);
    const deployItems = { "default-deploy-item": { "test-token": Buffer.from("a token").toString("base64") } };
    const exports = renderExports({
      context,
      imports,
      bindings: { deployItems, dataObjects: {}, targets: {} },
      wanted: { data: ["token"], targets: [] },
    });
    expect(exports.data).toEqual({ token: "a token" });
  });
});
