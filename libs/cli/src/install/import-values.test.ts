import { describe, expect, it } from "@jest/globals";
import type { ImportDefinition } from "@landscaper/api";
import { readExports, readImportValues } from "./import-values.ts";

const definitions: readonly ImportDefinition[] = [
  { name: "text", type: "data", schema: { type: "string" } },
  { name: "any", type: "data", schema: {}, required: false, imports: [{ name: "below", type: "data", schema: {} }] },
  { name: "one", type: "target", targetType: "kubernetes-cluster" },
  { name: "list", type: "targetList", targetType: "kubernetes-cluster" },
  { name: "map", type: "targetMap", targetType: "kubernetes-cluster" },
];

type Words = readonly (readonly [name: string, text: string])[];

function read({ imports = [], targets = [] }: { readonly imports?: Words; readonly targets?: Words }) {
  const given = (words: Words, isFile: boolean) => words.map(([name, text]) => ({ name, value: text, text, isFile }));
  return readImportValues(definitions, {
    installation: "app",
    namespace: "ns",
    imports: given(imports, false),
    targets: given(targets, true),
  });
}

describe("readImportValues", () => {
  it("takes text for what wants text, and YAML for the rest, also below conditional imports", () => {
    const { values, problems } = read({
      imports: [
        ["text", "010"],
        ["any", "010"],
        ["below", "no"],
      ],
    });
    expect([values, problems]).toEqual([
      { text: { type: "data", value: "010" }, any: { type: "data", value: 8 }, below: { type: "data", value: false } },
      [],
    ]);
  });

  it("gives each kubeconfig a Target and a Secret of the name of its import", () => {
    const { values, targets, problems } = read({
      targets: [
        ["one", "a"],
        ["list", "b"],
        ["list", "c"],
        ["map.blue", "d"],
        ["map.Green", "e"],
      ],
    });
    expect(problems).toEqual([]);
    const names = targets.map(({ name, kubeconfig }) => `${name} ${kubeconfig}`);
    expect(names).toEqual([
      "app-one a",
      "app-list-0 b",
      "app-list-1 c",
      "app-map-blue d",
      expect.stringMatching(/^[a-z2-7]+ e$/),
    ]);
    const { one, list, map } = values;
    expect(one).toEqual({
      type: "target",
      target: {
        apiVersion: "landscaper.gardener.cloud/v1alpha1",
        kind: "Target",
        metadata: { name: "app-one", namespace: "ns" },
        spec: {
          type: "landscaper.gardener.cloud/kubernetes-cluster",
          secretRef: { name: "app-one", key: "kubeconfig" },
        },
      },
    });
    expect(list?.type === "targetList" && list.targets.map(({ metadata }) => metadata.name)).toEqual([
      "app-list-0",
      "app-list-1",
    ]);
    expect(map?.type === "targetMap" && Object.keys(map.targets)).toEqual(["blue", "Green"]);
  });

  it.each<readonly [{ imports?: Words; targets?: Words }, string]>([
    [
      { targets: [["none", "a"]] },
      "imports.none: the blueprint has no such import, it has text (data), any (data), below (data), one (target), list (list of targets), map (map of targets)",
    ],
    [{ targets: [["text", "a"]] }, "imports.text: it is data: --import text=VALUE"],
    [
      {
        targets: [
          ["one", "a"],
          ["one", "b"],
        ],
      },
      "imports.one: expected one target, found several",
    ],
    [{ targets: [["map", "a"]] }, "imports.map: it is a map of targets: --target map.KEY=KUBECONFIG"],
    [
      {
        targets: [
          ["map.a", "a"],
          ["map.a", "b"],
        ],
      },
      'imports.map: expected the key "a" once',
    ],
    [{ imports: [["any", "null"]] }, "imports.any: null is no value of a DataObject; leave the import out"],
    [{ imports: [["list", "a"]] }, "imports.list: it is a list of targets: --target list=KUBECONFIG"],
  ])("says what is wrong: %j", (words, problem) => {
    expect(read(words).problems).toEqual([problem]);
  });
});

describe("readExports", () => {
  const declared = [
    { name: "url", type: "data" as const, schema: {} },
    { name: "cluster", type: "target" as const, targetType: "kubernetes-cluster" },
  ];
  const read = (...words: readonly (readonly [string, string])[]) =>
    readExports(declared, { installation: "app", words: words.map(([name, value]) => ({ name, value })) });

  it("sends exports to the objects that are named, or to those of the Installation", () => {
    expect(read(["url", ""], ["cluster", "blue"])).toEqual({
      exports: { data: [{ name: "url", dataRef: "app-url" }], targets: [{ name: "cluster", target: "blue" }] },
      problems: [],
    });
  });

  it("says nothing where nothing is asked for", () => {
    expect(read()).toEqual({ exports: undefined, problems: [] });
  });

  it("names exports that are not there", () => {
    expect(read(["none", ""]).problems).toEqual([
      "exports.none: the blueprint has no such export, it has url, cluster",
    ]);
  });
});
