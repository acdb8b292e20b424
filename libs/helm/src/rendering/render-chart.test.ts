import { describe, expect, it } from "@jest/globals";
import { encodeUtf8, fromPlain, type GoMap, isMap } from "@landscaper/golang";
import type { Chart, ChartMetadata } from "../chart/chart.ts";
import { helmVersions } from "../versions/helm-version.ts";
import { loadDialect } from "../versions/load-dialect.ts";
import { CompiledCharts } from "./compiled-charts.ts";
import { ManifestError, renderChart, type RenderChartOptions, type RenderedChart } from "./render-chart.ts";

interface ChartParts {
  readonly metadata?: Partial<ChartMetadata>;
  readonly templates?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly dependencies?: readonly Chart[];
}

function chartOf({ metadata, templates = {}, files = {}, dependencies = [] }: ChartParts): Chart {
  const filesOf = (texts: Readonly<Record<string, string>>): Chart["files"] =>
    Object.entries(texts).map(([name, text]) => ({ name, data: encodeUtf8(text) }));
  return {
    metadata: { name: "c", version: "1.0.0", ...metadata },
    values: new Map(),
    templates: filesOf(templates),
    files: filesOf(files),
    raw: [],
    dependencies,
  };
}

function valuesOf(plain: object): GoMap {
  const values = fromPlain(plain);
  return isMap(values) ? values : new Map();
}

function render(chart: Chart, options: Partial<RenderChartOptions> = {}): RenderedChart {
  return renderChart(chart, { values: new Map(), release: { name: "r", namespace: "n" }, ...options });
}

const contents = (rendered: RenderedChart): string[] => rendered.manifests.map(({ content }) => content);

describe("renderChart", () => {
  it("gives manifests, hooks, crds and notes of a chart and its dependencies", () => {
    const sub = chartOf({
      metadata: { name: "sub" },
      templates: { "templates/NOTES.txt": "sub's notes", "templates/s.yaml": "kind: Secret\nv: {{ .Values.v }}" },
      files: { "crds/s.yaml": "kind: S" },
    });
    const chart = chartOf({
      templates: {
        "templates/NOTES.txt": "notes of {{ .Release.Name }}",
        "templates/a.yaml": 'kind: Job\nmetadata: {name: j, annotations: {"helm.sh/hook": test}}\n---\nkind: Pod',
        "templates/h.yaml": 'metadata: {annotations: {"helm.sh/hook": nope}}',
      },
      files: { "crds/c.yaml": "kind: C", "other.txt": "" },
      dependencies: [sub],
    });
    const rendered = render(chart, { values: valuesOf({ sub: { v: 5 } }) });
    expect(contents(rendered)).toEqual(["kind: Secret\nv: 5", "kind: Pod"]);
    expect(rendered.manifests.map(({ path }) => path)).toEqual(["c/charts/sub/templates/s.yaml", "c/templates/a.yaml"]);
    expect(rendered.hooks.map(({ name, events }) => [name, events])).toEqual([["j", ["test"]]]);
    expect(rendered.unknownHooks).toEqual(["nope"]);
    expect(rendered.crds.map(({ filename }) => filename)).toEqual(["c/crds/c.yaml", "c/charts/sub/crds/s.yaml"]);
    expect(rendered.notes).toBe("notes of r");
    const withSubcharts = render(chart, { values: valuesOf({ sub: {} }), hasSubchartNotes: true });
    expect(withSubcharts.notes).toBe("sub's notes\nnotes of r");
  });

  it.each([
    [">=1.30", "1.35.0", undefined],
    [">=1.36", "v1.35.0", "chart requires kubeVersion: >=1.36 which is incompatible with Kubernetes v1.35.0"],
    ["no range", "1.35", "chart requires kubeVersion: no range which is incompatible with Kubernetes v1.35"],
  ])("takes kubeVersion %j for Kubernetes %s", (kubeVersion, cluster, message) => {
    const chart = chartOf({ metadata: { kubeVersion } });
    const run = (): unknown => render(chart, { capabilities: { kubeVersion: cluster } });
    if (message === undefined) expect(run()).toMatchObject({ manifests: [] });
    else expect(run).toThrow(message);
  });

  // Real answers: `install --dry-run=server` of Helm 3.22.0 and 4.3.1 against a server with this version.
  it.each(helmVersions)("gives templates the version of a cluster as it is, with Helm %s", async (version) => {
    const dialect = await loadDialect(version);
    const kubeNumbers = { major: "1", minor: "34+" };
    const options = { dialect, capabilities: { kubeVersion: "v1.34.1-gke.1", kubeNumbers } };
    const printed =
      "{{ with .Capabilities.KubeVersion }}{{ . }} {{ .Version }} {{ .GitVersion }} {{ .Major }} {{ .Minor }}{{ end }}";
    expect(contents(render(chartOf({ templates: { "templates/a.yaml": `v: ${printed}` } }), options))).toEqual([
      "v: v1.34.1-gke.1 v1.34.1-gke.1 v1.34.1-gke.1 1 34+",
    ]);
    const ranged = chartOf({ metadata: { kubeVersion: ">=1.30.0" } });
    expect(() => render(ranged, options)).toThrow("incompatible with Kubernetes v1.34.1-gke.1");
    expect(render(chartOf({ metadata: { kubeVersion: ">=1.30.0-0" } }), options).manifests).toEqual([]);
  });

  it("leads names of dependencies with dots into tables of values, as Helm does", () => {
    const sub = chartOf({ metadata: { name: "a.b" }, templates: { "templates/s.yaml": "v: {{ .Values.v }}" } });
    const chart = chartOf({ dependencies: [sub] });
    expect(contents(render(chart, { values: valuesOf({ a: { b: { v: 1 } } }) }))).toEqual(["v: 1"]);
    expect(contents(render(chart, { values: valuesOf({ "a.b": { v: 1 } }) }))).toEqual(["v:"]);
  });

  it("takes the last of two templates of one name", () => {
    const twin = (text: string): Chart =>
      chartOf({ metadata: { name: "sub" }, templates: { "templates/s.yaml": text } });
    expect(contents(render(chartOf({ dependencies: [twin("v: 1"), twin("v: 2")] })))).toEqual(["v: 2"]);
  });

  it("makes a missing key an error when it is strict", () => {
    const chart = chartOf({ templates: { "templates/a.yaml": "a: {{ .Values.x }}" } });
    expect(contents(render(chart))).toEqual(["a:"]);
    expect(() => render(chart, { isStrict: true })).toThrow(
      'template: c/templates/a.yaml:1:13: executing "c/templates/a.yaml" at <.Values.x>: map has no entry for key "x"',
    );
  });

  it("has all files in the error of one that is no manifest", () => {
    const chart = chartOf({ templates: { "templates/a.yaml": "a: 1", "templates/b.yaml": "- b" } });
    const error = ((): unknown => {
      try {
        return render(chart);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(ManifestError);
    if (error instanceof ManifestError) {
      expect([error.file, [...error.files]]).toEqual([
        "c/templates/b.yaml",
        [
          ["c/templates/b.yaml", "- b"],
          ["c/templates/a.yaml", "a: 1"],
        ],
      ]);
    }
  });

  it("gives each rendering its values alone, whatever templates set in them", () => {
    const chart = chartOf({ templates: { "templates/a.yaml": 'n: {{ len .Values }}{{ $_ := set .Values "x" 1 }}' } });
    const compiled = new CompiledCharts();
    const runs = [1, 2].map(() => contents(render(chart, { compiled, values: valuesOf({ a: 1 }) })));
    expect(runs).toEqual([["n: 1"], ["n: 1"]]);
  });
});

describe("CompiledCharts", () => {
  const chart = (text: string): Chart => chartOf({ templates: { "templates/a.yaml": text } });

  it("parses charts of the same content once", () => {
    const compiled = new CompiledCharts();
    expect(compiled.compile(chart("a: 1"))).toBe(compiled.compile(chart("a: 1")));
    expect(compiled.compile(chart("a: 1"))).not.toBe(compiled.compile(chart("a: 2")));
    expect(compiled.compile(chart("a: 1"))).not.toBe(compiled.compile(chart("a: 1"), "error"));
  });

  it("drops what was not used for longest", () => {
    const compiled = new CompiledCharts({ maxBytes: 10 });
    const [first, second] = [chart("a: 1"), chart("a: 2")];
    const [one, two] = [compiled.compile(first), compiled.compile(second)];
    expect(compiled.compile(first)).toBe(one);
    compiled.compile(chart("a: 3"));
    expect(compiled.compile(first)).toBe(one);
    expect(compiled.compile(second)).not.toBe(two);
  });

  it("keeps nothing of a chart that cannot be parsed", () => {
    const compiled = new CompiledCharts();
    for (let turn = 0; turn < 2; turn++) {
      expect(() => compiled.compile(chart("{{ .x"))).toThrow("parse error at (c/templates/a.yaml:1): unclosed action");
    }
  });
});
