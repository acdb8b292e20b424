import { describe, expect, it } from "@jest/globals";
import { apiVersion, LandscaperError, type Target } from "@landscaper/api";
import { createBlueprint } from "./create-blueprint.ts";
import { renderExports } from "./export/render-exports.ts";
import type { ImportedValues } from "./parameter/parameter-value.ts";
import type { RenderContext } from "./render-context.ts";
import { resolveImports } from "./import/resolve-imports.ts";

function contextOf(blueprint: unknown): RenderContext {
  return {
    source: createBlueprint({ "blueprint.yaml": blueprint }),
    installation: { name: "inst", namespace: "ns", spec: { blueprint: { inline: { filesystem: {} } } } },
    now: () => new Date("2024-02-29T12:00:00Z"),
    random: (bytes) => new Uint8Array(bytes),
  };
}

const target = (type: string): Target => ({
  apiVersion,
  kind: "Target",
  metadata: { name: "t", namespace: "ns" },
  spec: { type },
});
const own = "landscaper.gardener.cloud/mock";

describe("the types of imported targets (core.md §1.2 no. 33, 34)", () => {
  const resolve = (type: string, value: ImportedValues[string]) => {
    const blueprint = { imports: [{ name: "where", type, targetType: "mock" }] };
    return resolveImports({ context: contextOf(blueprint), given: { where: value } });
  };

  it("count in every element of lists and maps, with and without prefix", () => {
    const good = [target("mock"), target(own)];
    expect(resolve("targetList", { type: "targetList", targets: good }).values).toHaveProperty(["where"]);
    const map = { a: target("mock"), b: target(own) };
    expect(resolve("targetMap", { type: "targetMap", targets: map }).values).toHaveProperty(["where"]);
  });

  it.each([
    ["targetList", { type: "targetList", targets: [target(own), target("other/mock")] }, "imports.where[1]"],
    ["targetMap", { type: "targetMap", targets: { a: target(own), b: target("other/mock") } }, "imports.where[b]"],
  ] as const)("of a %s are refused where they differ", (type, value, where) => {
    const message = `${where}: expected a Target of type ${own}, found Target ns/t of type other/mock`;
    expect(() => resolve(type, value)).toThrow(new LandscaperError({ message, reason: "ImportTypeMismatch" }));
  });
});

describe("an exported target (core.md §1.2 no. 42)", () => {
  const exported = (fields: string) => {
    const context = contextOf({
      exports: [{ name: "where", targetType: "mock" }],
      exportExecutions: [
        { name: "default", type: "GoTemplate", template: `exports: { where: { type: mock, ${fields} } }` },
      ],
    });
    const imports = resolveImports({ context, given: {} });
    const bindings = { deployItems: {}, dataObjects: {}, targets: {} };
    return renderExports({ context, imports, bindings, wanted: { data: [], targets: ["where"] } }).targets["where"];
  };

  it.each([
    ["config: { a: 1 }", { config: { a: 1 } }],
    ["configuration: { a: 1 }", { config: { a: 1 } }],
    ["secretRef: { name: s, key: k }", { secretRef: { name: "s", key: "k" } }],
    ["secretRef: { name: s }", { secretRef: { name: "s" } }],
    ["config: 1, labels: { a: b }, annotations: { c: d }", { config: 1, labels: { a: "b" }, annotations: { c: "d" } }],
    ["config: null, secretRef: null", {}],
  ])("may say %s", (fields, want) => expect(exported(fields)).toEqual({ type: own, ...want }));

  it.each([
    ["config: 1, secretRef: { name: s }", "exports.where: expected config or secretRef, found both"],
    ["secretRef: {}", "exports.where.secretRef.name: expected text that is not empty, found nothing"],
    ["secretRef: { name: s, key: 1 }", "exports.where.secretRef.key: expected text, found a number"],
    ["labels: { a: 1 }", "exports.where.labels.a: expected text, found a number"],
  ])("may not say %s", (fields, message) => expect(() => exported(fields)).toThrow(message));
});
