import { describe, expect, it } from "@jest/globals";
import { apiVersion, generateDataName, type DataImport, type Installation, type TargetImport } from "@landscaper/api";
import { listImportSources, outerScopeOf } from "./import-sources.ts";

const root = { name: "root" };
const nested = { name: "sub", parent: "root" };

interface State {
  readonly name: string;
  readonly parent?: string;
  readonly spec?: Partial<Installation["spec"]>;
}

function installationOf({ name, parent, spec }: State): Installation {
  const owner = { apiVersion, kind: "Installation", name: parent ?? "", uid: "1" };
  const metadata = { name, namespace: "ns", ...(parent === undefined ? {} : { ownerReferences: [owner] }) };
  return { apiVersion, kind: "Installation", metadata, spec: { blueprint: {}, ...spec } };
}

function sources(
  imports: { data?: DataImport[]; targets?: TargetImport[] },
  state: { name: string; parent?: string } = root,
) {
  return listImportSources(installationOf({ ...state, spec: { imports } }));
}

describe("scopes", () => {
  it("of roots is the empty one, of nested Installations that of the parent", () => {
    expect([outerScopeOf(installationOf(root)), outerScopeOf(installationOf(nested))]).toEqual(["", "Inst.root"]);
  });
});

describe("data imports", () => {
  it("name DataObjects verbatim in the root scope, by hash elsewhere, and verbatim with # (core.md §3.1)", () => {
    const data = [
      { name: "a", dataRef: "foo" },
      { name: "b", dataRef: "#global" },
    ];
    expect(sources({ data })).toEqual([
      { importName: "a", kind: "dataObject", objectName: "foo", reference: 'data object "foo"' },
      { importName: "b", kind: "dataObject", objectName: "global", reference: 'data object "#global"' },
    ]);
    expect(sources({ data }, nested)).toEqual([
      {
        importName: "a",
        kind: "dataObject",
        objectName: "2oh4lbmpv7gunph5dluz47hyhssiywun",
        reference: 'data object "foo"',
      },
      { importName: "b", kind: "dataObject", objectName: "global", reference: 'data object "#global"' },
    ]);
  });

  it("name Secrets and ConfigMaps as they are", () => {
    const data = [
      { name: "a", secretRef: { name: "s", key: "k" } },
      { name: "b", configMapRef: { name: "c" } },
    ];
    expect(sources({ data }, nested)).toEqual([
      { importName: "a", kind: "secret", ref: { name: "s", key: "k" }, reference: 'secret "s" (key "k")' },
      { importName: "b", kind: "configMap", ref: { name: "c" }, reference: 'config map "c"' },
    ]);
  });

  it("without a source are an error", () => {
    expect(() => sources({ data: [{ name: "a" }] })).toThrow(
      'import "a": expected dataRef, secretRef or configMapRef, found none',
    );
  });
});

describe("target imports", () => {
  const name = "t";
  it.each([
    [{ target: "one" }, { kind: "target", objectName: "one", reference: 'target "one"' }],
    [
      { targets: ["one", "two"] },
      { kind: "targetList", objectNames: ["one", "two"], reference: 'targets "one", "two"' },
    ],
    [{ targets: [] }, { kind: "targetList", objectNames: [], reference: "targets " }],
    [
      { targetMap: { red: "one", blue: "two" } },
      { kind: "targetMap", objectNames: { red: "one", blue: "two" }, reference: 'targets "one", "two"' },
    ],
    [
      { targets: [{ red: "one" }, { blue: "two" }] },
      { kind: "targetMap", objectNames: { red: "one", blue: "two" }, reference: 'targets "one", "two"' },
    ],
  ])("%j", (targetImport, want) => {
    expect(sources({ targets: [{ name, ...targetImport }] })).toEqual([{ importName: "t", ...want }]);
  });

  it("refer to imports of the parent and to elements of its maps", () => {
    const targets = [
      { name: "map", targetMapRef: "clusters" },
      { name: "list", targetListRef: "clusters" },
      { name: "element", target: "clusters[red]" },
    ];
    expect(sources({ targets }, nested)).toEqual([
      {
        importName: "map",
        kind: "parentMap",
        scope: "Inst.root",
        key: "clusters",
        reference: 'target map import "clusters"',
      },
      {
        importName: "list",
        kind: "parentList",
        scope: "Inst.root",
        key: "clusters",
        reference: 'target list import "clusters"',
      },
      {
        importName: "element",
        kind: "target",
        objectName: generateDataName("Inst.root", "clusters[red]"),
        reference: 'target "clusters[red]"',
      },
    ]);
  });

  it.each([
    [{}, 'import "t": expected target, targets, targetListRef, targetMap or targetMapRef, found none'],
    [{ targets: ["one", { red: "two" }] }, 'import "t": targets: expected names or maps, found both'],
    [{ targetMapRef: "x" }, 'import "t": targetMapRef names an import of the parent, but a root installation has none'],
    [
      { targetListRef: "x" },
      'import "t": targetListRef names an import of the parent, but a root installation has none',
    ],
  ])("%j is an error", (targetImport, want) => {
    expect(() => sources({ targets: [{ name, ...targetImport }] })).toThrow(want);
  });
});
