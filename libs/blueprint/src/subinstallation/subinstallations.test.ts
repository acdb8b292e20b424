import { LandscaperError, type InstallationTemplate } from "@landscaper/api";
import { describe, expect, it } from "@jest/globals";
import * as fc from "fast-check";
import type { ParameterValue } from "../parameter/parameter-value.ts";
import { checkInstallationTemplates } from "./check-installation-templates.ts";
import { connectImports } from "./connect-imports.ts";
import { orderSubinstallations, predecessorsOf } from "./order-subinstallations.ts";

function template(name: string, fields: Partial<InstallationTemplate> = {}): InstallationTemplate {
  return {
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "InstallationTemplate",
    name,
    blueprint: { filesystem: {} },
    ...fields,
  };
}

function flow(
  name: string,
  { imports = [], exports = [] }: { imports?: string[]; exports?: string[] },
): InstallationTemplate {
  return template(name, {
    imports: { data: imports.map((dataRef, i) => ({ name: `i${i}`, dataRef })) },
    exports: { data: exports.map((dataRef, i) => ({ name: `e${i}`, dataRef })) },
  });
}

function message(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof LandscaperError) return error.message;
    throw error;
  }
  return "ok";
}

describe("checkInstallationTemplates", () => {
  const inTemplate = 'subinstallation "t": ';
  it.each<[Partial<InstallationTemplate>, string]>([
    [{}, "ok"],
    [{ name: "a".repeat(52) }, "ok"],
    [{ name: "a".repeat(53) }, `subinstallation "${"a".repeat(53)}": the name must have at most 52 characters`],
    [{ blueprint: {} }, `${inTemplate}blueprint: exactly one of ref and filesystem must be set`],
    [
      { blueprint: { ref: "cd://x", filesystem: {} } },
      `${inTemplate}blueprint: exactly one of ref and filesystem must be set`,
    ],
    [{ imports: { data: [{ name: "", dataRef: "x" }] } }, `${inTemplate}imports.data: every entry must have a name`],
    [
      { imports: { data: [{ name: "a", dataRef: "x" }], targets: [{ name: "a", target: "y" }] } },
      `${inTemplate}imports.targets: the name "a" must be unique`,
    ],
    [
      { imports: { data: [{ name: "a", secretRef: { name: "s" } }] } },
      `${inTemplate}imports.data "a": secretRef and configMapRef are not allowed in subinstallations, expected dataRef`,
    ],
    [{ imports: { data: [{ name: "a" }] } }, `${inTemplate}imports.data "a": dataRef must be set`],
    [
      { imports: { targets: [{ name: "a" }] } },
      `${inTemplate}imports.targets "a": exactly one of target, targets, targetListRef, targetMap and targetMapRef must be set`,
    ],
    [
      { imports: { targets: [{ name: "a", target: "x", targetMapRef: "y" }] } },
      `${inTemplate}imports.targets "a": exactly one of target, targets, targetListRef, targetMap and targetMapRef must be set`,
    ],
    [{ imports: { targets: [{ name: "a", targets: [] }] } }, "ok"],
    [
      { imports: { targets: [{ name: "a", targets: ["x", ""] }] } },
      `${inTemplate}imports.targets "a": targets must not have empty names`,
    ],
    [{ imports: { targets: [{ name: "a", targetMap: {} }] } }, "ok"],
    [
      { imports: { targets: [{ name: "a", targetMap: { Bad: "x" } }] } },
      `${inTemplate}imports.targets "a": the key "Bad" is not allowed in a target map`,
    ],
    [
      { imports: { targets: [{ name: "a", targetMap: { ok: "" } }] } },
      `${inTemplate}imports.targets "a": targetMap must not have empty names`,
    ],
    [{ exports: { data: [{ name: "a", dataRef: "" }] } }, `${inTemplate}exports.data "a": dataRef must be set`],
    [
      { exports: { data: [{ name: "a", dataRef: "x y" }] } },
      `${inTemplate}exports.data "a": dataRef must have only letters, digits, -, _ and ., with a letter or digit at both ends`,
    ],
    [
      {
        exports: {
          targets: [
            { name: "a", target: "x" },
            { name: "a", target: "y" },
          ],
        },
      },
      `${inTemplate}exports.targets: the name "a" must be unique`,
    ],
    [{ exports: { data: [{ name: "a", dataRef: "x" }], targets: [{ name: "a", target: "x" }] } }, "ok"],
  ])("judges %j", (fields, text) => {
    expect(message(() => checkInstallationTemplates([template("t", fields)]))).toBe(text);
  });

  it("wants unique names", () => {
    expect(message(() => checkInstallationTemplates([template("t"), template("t")]))).toBe(
      `${inTemplate}the name must be unique among all subinstallations of the blueprint`,
    );
  });
});

describe("connectImports", () => {
  const target = { apiVersion: "v1", kind: "Target", metadata: { name: "t" }, spec: { type: "x" } };
  const values: Record<string, ParameterValue> = {
    data: { type: "data", value: 1 },
    target: { type: "target", target },
    list: { type: "targetList", targets: [target, target] },
    map: { type: "targetMap", targets: { a: target } },
  };
  const definition = {
    imports: [
      { name: "data", schema: true },
      { name: "optional", schema: true, required: false, imports: [{ name: "conditional", schema: true }] },
      { name: "target", targetType: "x" },
      { name: "list", type: "targetList" as const, targetType: "x" },
      { name: "map", type: "targetMap" as const, targetType: "x" },
    ],
  };
  const parent = { definition, imports: { values, bindings: {}, unsatisfied: new Set(["optional", "conditional"]) } };
  const connect = (imports: NonNullable<InstallationTemplate["imports"]>): string | InstallationTemplate["imports"] => {
    const sibling = template("s", {
      exports: { data: [{ name: "d", dataRef: "sibling-data" }], targets: [{ name: "t", target: "sibling-target" }] },
    });
    try {
      return connectImports([template("t", { imports }), sibling], parent)[0]?.imports;
    } catch (error) {
      return error instanceof LandscaperError ? error.message : String(error);
    }
  };

  it("accepts imports of the parent and exports of siblings, and prunes those without a value", () => {
    expect(
      connect({
        data: [
          { name: "a", dataRef: "data" },
          { name: "b", dataRef: "optional" },
          { name: "c", dataRef: "conditional" },
          { name: "d", dataRef: "sibling-data" },
        ],
      }),
    ).toEqual({
      data: [
        { name: "a", dataRef: "data" },
        { name: "d", dataRef: "sibling-data" },
      ],
    });
  });

  it.each([
    [{ target: "target" }],
    [{ target: "map[a]" }],
    [{ target: "list[1]" }],
    [{ target: "sibling-target" }],
    [{ targets: ["target", "list[0]"] }],
    [{ targets: [{ x: "target" }, { y: "map[a]" }] }],
    [{ targetMap: { x: "sibling-target", y: "map[a]" } }],
    [{ targetMapRef: "map" }],
    [{ targetListRef: "list" }],
    [{ target: "#global" }],
    [{ targets: ["target", "#global"] }],
    [{ targetMap: { x: "#global" } }],
  ])("accepts the target import %j", (entry) => {
    expect(connect({ targets: [{ name: "i", ...entry }] })).toEqual({ targets: [{ name: "i", ...entry }] });
  });

  const is = (reference: string, word: string): string =>
    `subinstallation "t": import "i": "${reference}" is neither ${word} of the blueprint nor an export of another subinstallation`;
  it.each([
    [{ target: "nope" }, is("nope", "a target import")],
    [{ target: "data" }, is("data", "a target import")],
    [{ target: "map" }, is("map", "a target import")],
    [{ target: "map[zz]" }, is("map[zz]", "a target import")],
    [{ target: "list[2]" }, is("list[2]", "a target import")],
    [{ target: "constructor" }, is("constructor", "a target import")],
    [{ targetListRef: "#global" }, is("#global", "a target list import")],
    [{ targetMapRef: "list" }, is("list", "a target map import")],
    [{ targetListRef: "map" }, is("map", "a target list import")],
  ])("refuses the target import %j", (entry, text) => {
    expect(connect({ targets: [{ name: "i", ...entry }] })).toBe(text);
  });

  it("suggests the name that is most like an unknown one", () => {
    expect(connect({ data: [{ name: "i", dataRef: "daat" }] })).toBe(
      `${is("daat", "a data import")}: did you mean "data"?`,
    );
  });

  it("refuses data imports of targets and of nothing", () => {
    expect(connect({ data: [{ name: "i", dataRef: "target" }] })).toBe(is("target", "a data import"));
    expect(connect({ data: [{ name: "i", dataRef: "zz" }] })).toBe(is("zz", "a data import"));
  });
});

describe("orderSubinstallations", () => {
  const names = (templates: readonly InstallationTemplate[]): string[] => templates.map(({ name }) => name);

  it("keeps the given order where nothing flows", () => {
    expect(names(orderSubinstallations([flow("c", {}), flow("a", {}), flow("b", {})]))).toEqual(["c", "a", "b"]);
  });

  it("puts exporters before importers", () => {
    const templates = [
      flow("d", { imports: ["c"] }),
      flow("c", { imports: ["b"], exports: ["c"] }),
      flow("b", { imports: ["a"], exports: ["b"] }),
      flow("a", { exports: ["a"] }),
    ];
    expect(names(orderSubinstallations(templates))).toEqual(["a", "b", "c", "d"]);
    expect(Object.fromEntries(predecessorsOf(templates))).toEqual({ a: [], b: ["a"], c: ["b"], d: ["c"] });
  });

  it("follows targets as it follows data, apart from each other", () => {
    const templates = [
      template("user", { imports: { targets: [{ name: "t", targetMap: { x: "made" } }] } }),
      template("maker", {
        exports: { targets: [{ name: "t", target: "made" }], data: [{ name: "d", dataRef: "made" }] },
      }),
      flow("other", { imports: ["made"] }),
    ];
    expect(Object.fromEntries(predecessorsOf(templates))).toEqual({ user: ["maker"], maker: [], other: ["maker"] });
  });

  it("names both exporters of one name", () => {
    expect(message(() => orderSubinstallations([flow("a", { exports: ["x"] }), flow("b", { exports: ["x"] })]))).toBe(
      'the data "x" is exported by both "a" and "b"',
    );
    expect(message(() => orderSubinstallations([flow("a", { exports: ["x", "x"] })]))).toBe(
      'the data "x" is exported by "a" twice',
    );
  });

  it("prints the ring, also of one that needs itself", () => {
    expect(message(() => orderSubinstallations([flow("a", { imports: ["x"], exports: ["x"] })]))).toBe(
      "subinstallations need each other's exports in a ring: a => a",
    );
    const ring = [
      flow("a", { imports: ["c"], exports: ["a"] }),
      flow("b", { imports: ["a"], exports: ["b"] }),
      flow("c", { imports: ["b"], exports: ["c"] }),
    ];
    expect(message(() => orderSubinstallations(ring))).toBe(
      "subinstallations need each other's exports in a ring: a => b => c => a",
    );
  });

  it("respects every flow of any graph without rings", () => {
    const count = 8;
    const edges = fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { maxLength: 15 });
    fc.assert(
      fc.property(
        edges,
        fc.shuffledSubarray([...Array(count).keys()], { minLength: count, maxLength: count }),
        (pairs, shuffled) => {
          const templates = shuffled.map((i) =>
            flow(`n${i}`, {
              exports: [`x${i}`],
              imports: pairs.filter(([from, to]) => to === i && from < to).map(([from]) => `x${from}`),
            }),
          );
          const ordered = names(orderSubinstallations(templates));
          for (const [from, to] of pairs) {
            if (from < to) expect(ordered.indexOf(`n${from}`)).toBeLessThan(ordered.indexOf(`n${to}`));
          }
          expect(ordered.toSorted()).toEqual(names(templates).toSorted());
        },
      ),
      { numRuns: 200, seed: 21 },
    );
  });
});
