import { describe, expect, it } from "@jest/globals";
import { fromPlain, toPlain, type GoMap } from "@landscaper/golang";
import type { Chart } from "@landscaper/helm";
import type { ReleaseRecord } from "@landscaper/helm-release";
import { parseDiffWords } from "./diff-flags.ts";
import { upgradeInput } from "./upgrade-values.ts";

const map = (value: object): GoMap => fromPlain(value) as GoMap; // of an object
const chart: Chart = {
  metadata: { name: "shop", version: "2.0.0" },
  values: map({ replicas: 1, image: { tag: "new" } }),
  templates: [],
  files: [],
  raw: [],
  dependencies: [],
};
const record: ReleaseRecord = {
  name: "shop",
  namespace: "ns",
  version: 1,
  info: { first_deployed: "", last_deployed: "", deleted: "", description: "", status: "deployed" },
  chart: { metadata: { name: "shop", version: "1.0.0" }, values: { replicas: 7, image: { tag: "old" }, extra: true } },
  config: { replicas: 3, image: { pull: "Always" } },
  manifest: "",
  hooks: [],
};
const same = { replicas: 1, image: { tag: "new" } };
const old = { replicas: 3, image: { tag: "old", pull: "Always" }, extra: true };

describe("upgradeInput", () => {
  it.each<[string, { flag: string; given: object }, { values: object; defaults: object }]>([
    ["what is given", { flag: "", given: { a: 1 } }, { values: { a: 1 }, defaults: same }],
    [
      "what the release was given, where nothing is",
      { flag: "", given: {} },
      { values: record.config, defaults: same },
    ],
    ["nothing but the chart's own", { flag: "--reset-values", given: {} }, { values: {}, defaults: same }],
    [
      "what is given over what the release was given",
      { flag: "--reset-then-reuse-values", given: { replicas: 5 } },
      { values: { replicas: 5, image: { pull: "Always" } }, defaults: same },
    ],
    [
      "the release's defaults, too",
      { flag: "--reuse-values", given: { replicas: 5 } },
      { values: { replicas: 5, image: { pull: "Always" } }, defaults: old },
    ],
    [
      "nothing where null is given",
      { flag: "--reuse-values", given: { image: null } },
      { values: { replicas: 3 }, defaults: old },
    ],
  ])("takes %s", (_, { flag, given }, expected) => {
    const parsed = parseDiffWords(["shop", "chart", ...(flag === "" ? [] : [flag])]);
    const input = upgradeInput(parsed, { chart, given: map(given), record });
    expect({ values: toPlain(input.values), defaults: toPlain(input.chart.values) }).toEqual(expected);
  });

  it("takes what is given for an installation", () => {
    const input = upgradeInput(parseDiffWords(["shop", "chart"]), { chart, given: map({ a: 1 }), record: undefined });
    expect([toPlain(input.values), input.chart]).toEqual([{ a: 1 }, chart]);
  });
});
