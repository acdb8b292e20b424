import { describe, expect, it } from "@jest/globals";
import {
  apiVersion,
  generateDataName,
  hashDataObjectValue,
  hashTarget,
  labels,
  type DataObject,
} from "@landscaper/api";
import { buildExportObjects, checkExportOwner, isListedExport, isOwnExport } from "./export-objects.ts";
import { installationOf } from "../../test/installations.ts";

const exports = { data: [{ name: "value", dataRef: "shared" }], targets: [{ name: "cluster", target: "target-1" }] };
const rendered = {
  data: { value: [1, 2], other: "dropped" },
  targets: { cluster: { type: "t", config: { a: 1 }, labels: { l: "1" }, annotations: { n: "2" } } },
  state: {},
};
const plain = { rendered, sensitive: {} };

describe("exports (core.md §1.5 D5)", () => {
  it("of a root are named as they are, and have no context label", () => {
    const root = installationOf({ name: "root", spec: { exports } });
    const labels = {
      "data.landscaper.gardener.cloud/source": "Inst.root",
      "data.landscaper.gardener.cloud/sourceType": "export",
      "data.landscaper.gardener.cloud/jobid": "job",
    };
    const ownerReferences = [{ apiVersion, kind: "Installation", name: "root", uid: "root" }];
    expect(buildExportObjects(root, "job", plain)).toEqual({
      dataObjects: [
        {
          apiVersion,
          kind: "DataObject",
          metadata: {
            name: "shared",
            namespace: "ns",
            labels: { ...labels, "data.landscaper.gardener.cloud/key": "shared" },
            annotations: { "data.landscaper.gardener.cloud/hash": hashDataObjectValue([1, 2]) },
            ownerReferences,
          },
          data: [1, 2],
        },
      ],
      targets: [
        {
          apiVersion,
          kind: "Target",
          metadata: {
            name: "target-1",
            namespace: "ns",
            labels: { ...labels, l: "1", "data.landscaper.gardener.cloud/key": "target-1" },
            annotations: { n: "2", "data.landscaper.gardener.cloud/hash": hashTarget({ config: { a: 1 } }) },
            ownerReferences,
          },
          spec: { type: "t", config: { a: 1 } },
        },
      ],
    });
  });

  it("say what of their data is secret", () => {
    const root = installationOf({ name: "root", spec: { exports } });
    const { dataObjects } = buildExportObjects(root, "job", { ...plain, sensitive: { value: ["/1"] } });
    expect(dataObjects[0]?.metadata.annotations).toEqual({
      "data.landscaper.gardener.cloud/hash": hashDataObjectValue([1, 2]),
      "landscaper.gardener.cloud/sensitive": "true",
      "landscaper.gardener.cloud/sensitive-paths": '["/1"]',
    });
  });

  it("of a nested Installation live in the scope of its parent", () => {
    const nested = installationOf({ name: "sub", parent: "root", spec: { exports: { data: exports.data } } });
    const { dataObjects } = buildExportObjects(nested, "job", plain);
    expect(dataObjects[0]?.metadata.name).toBe(generateDataName("Inst.root", "shared"));
    expect(dataObjects[0]?.metadata.labels).toMatchObject({
      "data.landscaper.gardener.cloud/context": "Inst.root",
      "data.landscaper.gardener.cloud/source": "Inst.sub",
    });
  });

  it("may refer to a Secret instead of a configuration", () => {
    const root = installationOf({ name: "root", spec: { exports: { targets: exports.targets } } });
    const secretRef = { name: "s", key: "k" };
    const { targets } = buildExportObjects(root, "job", {
      ...plain,
      rendered: { ...rendered, targets: { cluster: { type: "t", secretRef } } },
    });
    expect(targets[0]?.spec).toEqual({ type: "t", secretRef });
  });
});

describe("an object under the name of an export (core.md §4.46)", () => {
  const exported = buildExportObjects(
    installationOf({ name: "root", spec: { exports: { data: [{ name: "value", dataRef: "shared" }] } } }),
    "job",
    { rendered: { data: { value: 1 }, targets: {}, state: {} }, sensitive: {} },
  ).dataObjects[0]!;
  const existing = (...owners: readonly (readonly [kind: string, name: string])[]): DataObject => ({
    apiVersion,
    kind: "DataObject",
    metadata: {
      name: "shared",
      ownerReferences: owners.map(([kind, name]) => ({ apiVersion, kind, name, uid: name })),
    },
  });

  it.each([
    ["nobody", existing()],
    ["ourselves", existing(["Installation", "root"])],
    ["something else", existing(["Execution", "other"])],
  ])("that belongs to %s may be written", (_name, object) => {
    expect(() => checkExportOwner(object, exported)).not.toThrow();
  });

  it("that is an import of the parent may be written only if an earlier job has left it", () => {
    const inScope = (sourceType: string, job: string, context = "Inst.parent"): DataObject => ({
      ...existing(["Installation", "parent"]),
      metadata: {
        ...existing(["Installation", "parent"]).metadata,
        labels: { [labels.dataContext]: context, [labels.dataSourceType]: sourceType, [labels.dataJobId]: job },
      },
    });
    const child = installationOf({ name: "child", parent: "parent", spec: { exports: { data: [exports.data[0]!] } } });
    const desired = buildExportObjects(child, "job", plain).dataObjects[0]!;
    const isRefused = (object: DataObject): boolean => {
      try {
        checkExportOwner(object, desired);
        return false;
      } catch {
        return true;
      }
    };
    expect([
      isRefused(inScope("import", "earlier")),
      isRefused(inScope("import", "job")),
      isRefused(inScope("export", "earlier")),
      isRefused(inScope("import", "earlier", "Inst.other")),
    ]).toEqual([false, true, true, true]);
  });

  it("that belongs to another Installation may not", () => {
    expect(() => checkExportOwner(existing(["Installation", "root"], ["Installation", "other"]), exported)).toThrow(
      'export to "shared": DataObject "shared" belongs to installation "other" already',
    );
  });
});

describe("an export of an earlier job", () => {
  const root = installationOf({ name: "root", spec: { exports } });
  const child = installationOf({ name: "child", parent: "root", spec: { exports } });
  const inScope = generateDataName("Inst.root", "shared");
  const objectOf = (kind: string, name: string) => ({ apiVersion, kind, metadata: { name, namespace: "ns" } });

  it.each([
    {
      name: "a root lists it by its name",
      installation: root,
      object: objectOf("DataObject", "shared"),
      isListed: true,
    },
    {
      name: "by the name of an export of the blueprint it is not listed",
      installation: root,
      object: objectOf("DataObject", "value"),
      isListed: false,
    },
    {
      name: "a Target is not listed by a DataObject of its name",
      installation: root,
      object: objectOf("Target", "shared"),
      isListed: false,
    },
    {
      name: "Targets are listed by theirs",
      installation: root,
      object: objectOf("Target", "target-1"),
      isListed: true,
    },
    {
      name: "in the scope of a parent it has the name of the scope",
      installation: child,
      object: objectOf("DataObject", inScope),
      isListed: true,
    },
    {
      name: "in the scope of a parent the name of a root is another one",
      installation: child,
      object: objectOf("DataObject", "shared"),
      isListed: false,
    },
    {
      name: "an Installation without exports lists none",
      installation: installationOf({ name: "root" }),
      object: objectOf("DataObject", "shared"),
      isListed: false,
    },
  ])("$name", ({ installation, object, isListed }) => {
    expect(isListedExport(installation, object)).toBe(isListed);
  });

  const [desired] = buildExportObjects(root, "job", plain).dataObjects;
  if (desired === undefined) throw new Error("there is no export");
  const owner = (uid: string) => ({ apiVersion, kind: "Installation", name: uid, uid });
  const marks = { [labels.dataSourceType]: "export", [labels.dataSource]: "Inst.root" };
  it.each([
    { name: "is its own", own: marks, owners: ["root"], isOwn: true },
    { name: "is not, when another Installation owns it besides", own: marks, owners: ["root", "other"], isOwn: false },
    { name: "is not, when only another one owns it", own: marks, owners: ["other"], isOwn: false },
    { name: "is not, when nobody owns it", own: marks, owners: [], isOwn: false },
    {
      name: "is not, when another one has written it",
      own: { ...marks, [labels.dataSource]: "Inst.other" },
      owners: ["root"],
      isOwn: false,
    },
    {
      name: "is not, when it is a copy of an import",
      own: { ...marks, [labels.dataSourceType]: "import" },
      owners: ["root"],
      isOwn: false,
    },
    { name: "is not, when a user has made it", own: {}, owners: [], isOwn: false },
  ])("$name", ({ own, owners, isOwn }) => {
    const metadata = { name: "shared", namespace: "ns", labels: own, ownerReferences: owners.map(owner) };
    expect(isOwnExport({ ...objectOf("DataObject", "shared"), metadata }, desired)).toBe(isOwn);
  });
});
