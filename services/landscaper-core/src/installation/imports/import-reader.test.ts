import { describe, expect, it } from "@jest/globals";
import { apiVersion, labels, type Target } from "@landscaper/api";
import { createImportReader, type ImportReaderOptions } from "./import-reader.ts";

const copy = {
  [labels.dataContext]: "Inst.root",
  [labels.dataKey]: "clusters",
  [labels.dataSourceType]: "import",
  [labels.dataJobId]: "job",
};

/** A Target in the scope Inst.root. */
function target(name: string, own: Readonly<Record<string, string>>): Target {
  return {
    apiVersion,
    kind: "Target",
    metadata: { name, namespace: "ns", labels: { ...copy, ...own } },
    spec: { type: "t" },
  };
}

describe("the elements that a parent passes on (core.md §4.25)", () => {
  const scope = [
    target("element", {}),
    target("of-another-import", { [labels.dataKey]: "others" }),
    target("an-export", { [labels.dataSourceType]: "export" }),
    target("of-an-earlier-job", { [labels.dataJobId]: "earlier" }),
  ];
  // Nothing else is read.
  const targets = { lister: { byIndex: (_: string, key: string) => (key === "ns/Inst.root" ? scope : []) } };
  const options = { targets, namespace: "ns" } as unknown as ImportReaderOptions;
  const names = (asked: { readonly scope: string; readonly key: string; readonly jobID: string }) =>
    createImportReader(options, "absent")
      .parentTargets(asked)
      .map(({ metadata }) => metadata.name);

  it("§4.25: are those of its scope, of the import, and of the own job", () => {
    expect(names({ scope: "Inst.root", key: "clusters", jobID: "job" })).toEqual(["element"]);
    expect(names({ scope: "Inst.other", key: "clusters", jobID: "job" })).toEqual([]);
  });
});
