import { describe, expect, it } from "@jest/globals";
import { encodeUtf8, mapFromPlain } from "@landscaper/golang";
import { fromYaml } from "@landscaper/goyaml";
import { folderOf } from "../chart/chart-folder.ts";
import { loadChartFolder } from "../chart/load-chart.ts";
import { processDependencies } from "../dependencies/process-dependencies.ts";
import { renderChart } from "../rendering/render-chart.ts";
import { renderValues } from "../values/render-values.ts";
import { dialectDifferences, loadHybrid, type DifferenceName } from "./dialect-differences.ts";
import { explainChanges, type ObjectTexts } from "./explain-changes.ts";
import type { HelmVersion } from "./helm-version.ts";

interface Sample {
  readonly files: Readonly<Record<string, string>>;
  readonly given?: object;
}

const order = "order";
const map = (name: string, value: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\ndata: { value: ${value} }\n`;
const shown = (expression: string): string => `{{ ${expression} | toString | quote }}`;
const subchart = (name: string): string => `{ apiVersion: v2, name: ${name}, version: 1.0.0 }\n`;

/** Returns the objects of a rendering and their order, or undefined if the rendering fails. */
async function render(
  { files, given = {} }: Sample,
  version: HelmVersion,
  replaced?: DifferenceName,
): Promise<ObjectTexts | undefined> {
  const dialect = await loadHybrid(version, replaced);
  const all = { "Chart.yaml": "{ apiVersion: v2, name: web, version: 1.0.0 }\n", ...files };
  const listing = new Map(Object.entries(all).map(([name, text]) => [name, encodeUtf8(text)]));
  try {
    const loaded = await loadChartFolder(folderOf(listing), { dialect });
    const chart = processDependencies(loaded, mapFromPlain({ ...given }), { dialect });
    const values = renderValues(chart, mapFromPlain({ ...given }), { dialect });
    const capabilities = { kubeVersion: "v1.33.4-gke.1" };
    const rendered = renderChart(chart, {
      values,
      release: { name: "rel", namespace: "ns" },
      capabilities,
      dialect,
      now: () => new Date(0),
    });
    const objects = rendered.manifests.map(({ content }) => fromYaml(content) as { kind: string; metadata: object });
    const entries = objects.map((each) => [`${each.kind} ${nameOf(each)}`, JSON.stringify(each)] as const);
    return new Map([...entries, [order, entries.map(([id]) => id).join()]]);
  } catch {
    return undefined;
  }
}

function nameOf({ metadata }: { readonly metadata: object }): string {
  return String(Reflect.get(metadata, "name"));
}

async function explain(sample: Sample, version: HelmVersion): Promise<Record<string, string[]>> {
  const [before, after] = [await render(sample, "3"), await render(sample, "4")];
  if (before === undefined || after === undefined) throw new Error("a version refuses the chart");
  const causes = await explainChanges({
    version,
    before: version === "3" ? before : after,
    after: version === "3" ? after : before,
    render: async (request) => await render(sample, request.version, request.replaced),
  });
  return Object.fromEntries([...causes].map(([id, names]) => [id, names.map((name) => dialectDifferences[name].rows)]));
}

const webhook = (kind: string): string =>
  `apiVersion: admissionregistration.k8s.io/v1\nkind: ${kind}\nmetadata: { name: w }\n`;

const samples: readonly (readonly [string, Sample, Record<string, string[]>])[] = [
  [
    "R1: null in values.yaml",
    { files: { "values.yaml": "a: null\n", "templates/a.yaml": map("m", '{{ hasKey .Values "a" | quote }}') } },
    { "ConfigMap m": ["R1-R5"] },
  ],
  [
    "R2: null for a key of a dependency",
    {
      files: {
        "values.yaml": "sub: { limit: null }\n",
        "charts/sub/Chart.yaml": subchart("sub"),
        "charts/sub/values.yaml": "limit: 100Mi\n",
        "charts/sub/templates/a.yaml": map("m", '{{ .Values.limit | default "none" }}'),
        "templates/b.yaml": map("same", "x"),
      },
    },
    { "ConfigMap m": ["R1-R5"] },
  ],
  [
    "R4: null below global",
    {
      files: {
        "values.yaml": "global: { zone: null }\n",
        "charts/sub/Chart.yaml": subchart("sub"),
        "charts/sub/values.yaml": "global: { zone: eu }\n",
        "charts/sub/templates/a.yaml": map("m", '{{ .Values.global.zone | default "none" }}'),
      },
    },
    { "ConfigMap m": ["R1-R5"] },
  ],
  [
    "R6: several documents in values.yaml; an object appears",
    {
      files: {
        "values.yaml": "a: 1\n---\nmore: true\n",
        "templates/a.yaml": `{{ if .Values.more }}\n${map("more", "x")}\n{{ end }}`,
      },
    },
    { "ConfigMap more": ["R6"], [order]: ["R6"] },
  ],
  [
    "R8: the order of webhook configurations",
    {
      files: {
        "templates/a.yaml": webhook("ValidatingWebhookConfiguration"),
        "templates/b.yaml": "apiVersion: example.org/v1\nkind: Alpha\nmetadata: { name: a }\n",
      },
    },
    { [order]: ["R8"] },
  ],
  [
    "R9: empty lines of a final block scalar",
    {
      files: {
        "templates/a.yaml": `${map("m", "x").replace("{ value: x }", "\n  value: |+\n    text")}\n\n\n---\n${map("n", "x")}`,
      },
    },
    { "ConfigMap m": ["R9"] },
  ],
  ["R10: .Chart", { files: { "templates/a.yaml": map("m", shown("kindOf .Chart")) } }, { "ConfigMap m": ["R10"] }],
  [
    "R11: the suffix of a version of Kubernetes",
    { files: { "templates/a.yaml": map("m", "{{ .Capabilities.KubeVersion }}") } },
    { "ConfigMap m": ["R11"] },
  ],
  [
    "R13: the version of Helm",
    { files: { "templates/a.yaml": map("m", shown(".Capabilities.HelmVersion.Version")) } },
    { "ConfigMap m": ["R13"] },
  ],
  [
    "R16: dependencies under two aliases",
    {
      files: {
        "Chart.yaml":
          "{ apiVersion: v2, name: web, version: 1.0.0, dependencies: [{ name: sub, version: 1.0.0, alias: one }, { name: sub, version: 1.0.0, alias: two }] }\n",
        "charts/sub/Chart.yaml":
          "{ apiVersion: v2, name: sub, version: 1.0.0, dependencies: [{ name: leaf, version: 1.0.0, alias: inner, import-values: [data] }] }\n",
        "charts/sub/templates/a.yaml": map("{{ .Chart.Name }}", '{{ .Values.fromLeaf | default "none" | quote }}'),
        "charts/sub/charts/leaf/Chart.yaml": subchart("leaf"),
        "charts/sub/charts/leaf/values.yaml": "exports: { data: { fromLeaf: 1 } }\n",
      },
    },
    { "ConfigMap two": ["R16"] },
  ],
  [
    "the name of a Go type",
    { files: { "templates/a.yaml": map("m", shown('printf "%T" .Values')) } },
    { "ConfigMap m": ["Go types"] },
  ],
  [
    "two differences, each of which changes the object",
    {
      files: {
        "values.yaml": "a: null\n",
        "templates/a.yaml": map(
          "m",
          `{{ printf "%t %s" (hasKey .Values "a") .Capabilities.HelmVersion.Version | quote }}`,
        ),
      },
    },
    { "ConfigMap m": ["R1-R5", "R13"] },
  ],
  [
    "two differences that change the object only together",
    {
      files: {
        "values.yaml": "a: null\n---\nb: 1\n",
        "templates/a.yaml": map("m", `{{ and (not (hasKey .Values "a")) (hasKey .Values "b") | quote }}`),
      },
    },
    { "ConfigMap m": ["R1-R5", "R6"] },
  ],
];

describe.each(["3", "4"] as const)("explainChanges, from Helm %s to the other version", (version) => {
  it.each(samples)("finds %s", async (_, sample, causes) => {
    expect(await explain(sample, version)).toEqual(causes);
  });
});

it("renders nothing if no object changes", async () => {
  const same = new Map([["a", "1"]]);
  const render = async (): Promise<never> => await Promise.reject(new Error("not expected"));
  expect(await explainChanges({ version: "3", before: same, after: new Map(same), render })).toEqual(new Map());
});

describe("a chart that only one version accepts", () => {
  const large = "x".repeat(5 * 1024 * 1024 + 1);
  it.each<[string, { refusing: HelmVersion; replaced: DifferenceName }, Sample]>([
    [
      "R10: a field that .Chart does not have",
      { refusing: "3", replaced: "chartObject" },
      { files: { "templates/a.yaml": map("m", "{{ .Chart.Nope }}") } },
    ],
    [
      "R19: apiVersion v3",
      { refusing: "4", replaced: "chartVersion" },
      { files: { "Chart.yaml": "{ apiVersion: v3, name: web, version: 1.0.0 }\n" } },
    ],
    ["R22: a file of more than 5 MiB", { refusing: "3", replaced: "fileBytes" }, { files: { "large.txt": large } }],
  ])("is accepted with this difference replaced: %s", async (_, { refusing, replaced }, sample) => {
    expect(await render(sample, refusing)).toBe(undefined);
    expect(await render(sample, refusing, replaced)).toBeDefined();
  });
});
