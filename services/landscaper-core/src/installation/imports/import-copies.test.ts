import { describe, expect, it } from "@jest/globals";
import { apiVersion, generateDataName, hashDataObjectValue, hashTarget, type Target } from "@landscaper/api";
import { buildImportCopies } from "./import-copies.ts";
import { installationOf } from "../../../test/installations.ts";

const root = installationOf({ name: "root" });
const owner = { apiVersion, kind: "Installation", name: "root", uid: "root" };

function target(name: string, labels: Record<string, string> = {}, annotations: Record<string, string> = {}): Target {
  return {
    apiVersion,
    kind: "Target",
    metadata: { name, namespace: "ns", labels, annotations },
    spec: { type: "test", config: { of: name } },
  };
}

const base = {
  "data.landscaper.gardener.cloud/context": "Inst.root",
  "data.landscaper.gardener.cloud/source": "Inst.root",
  "data.landscaper.gardener.cloud/sourceType": "import",
  "data.landscaper.gardener.cloud/jobid": "job",
};

describe("copies of imports (core.md §3.1, §3.3)", () => {
  it("of data hold the value, labels, hash and a plain owner", () => {
    const { dataObjects } = buildImportCopies(root, "job", { foo: { type: "data", value: { a: 1 } } });
    expect(dataObjects).toEqual([
      {
        apiVersion,
        kind: "DataObject",
        metadata: {
          name: "2oh4lbmpv7gunph5dluz47hyhssiywun",
          namespace: "ns",
          labels: { ...base, "data.landscaper.gardener.cloud/key": "foo" },
          annotations: { "data.landscaper.gardener.cloud/hash": hashDataObjectValue({ a: 1 }) },
          ownerReferences: [owner],
        },
        data: { a: 1 },
      },
    ]);
  });

  it("of a single target keep what its user has put on it, but no label or annotation of ours (§4.15)", () => {
    const original = target(
      "cluster",
      { mine: "x", "data.landscaper.gardener.cloud/context": "Inst.other" },
      { mine: "y", "kubectl.kubernetes.io/last-applied-configuration": "{}" },
    );
    const { targets } = buildImportCopies(root, "job", { cluster: { type: "target", target: original } });
    expect(targets.map(({ metadata }) => metadata)).toEqual([
      {
        name: generateDataName("Inst.root", "cluster"),
        namespace: "ns",
        labels: { ...base, mine: "x", "data.landscaper.gardener.cloud/key": "cluster" },
        annotations: { mine: "y", "data.landscaper.gardener.cloud/hash": hashTarget(original.spec) },
        ownerReferences: [owner],
      },
    ]);
  });

  it("of a map have one element per key, without the user's labels", () => {
    const targets = { red: target("one", { mine: "x" }), blue: target("two") };
    const copies = buildImportCopies(root, "job", { clusters: { type: "targetMap", targets } });
    expect(copies.targets.map(({ metadata, spec }) => [metadata.name, metadata.labels, spec.config])).toEqual([
      [
        "yc6bzbf6pydeknd54xlmz2hgjpkfktsp",
        {
          ...base,
          "data.landscaper.gardener.cloud/key": "clusters",
          "data.landscaper.gardener.cloud/targetmapkey": "red",
        },
        { of: "one" },
      ],
      [
        generateDataName("Inst.root", "clusters[blue]"),
        {
          ...base,
          "data.landscaper.gardener.cloud/key": "clusters",
          "data.landscaper.gardener.cloud/targetmapkey": "blue",
        },
        { of: "two" },
      ],
    ]);
  });

  it("of a list have one element per index", () => {
    const copies = buildImportCopies(root, "job", { clusters: { type: "targetList", targets: [target("one")] } });
    expect(copies.targets.map(({ metadata }) => [metadata.name, metadata.labels])).toEqual([
      [
        "vyrr2cxn4kgmsxwfbidhrrpxadzeqmsi",
        { ...base, "data.landscaper.gardener.cloud/key": "clusters", "data.landscaper.gardener.cloud/index": "0" },
      ],
    ]);
  });
});
