import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sampleCharts, sampleChartsFolder, wordsOfSample } from "../src/sample-charts.ts";
import { largeChart } from "./large-chart.ts";

/** A chart as both commands get it: the words behind `helm template`. */
export interface ChartCall {
  readonly name: string;
  readonly words: readonly string[];
  /** Whether two renderings differ. */
  readonly random: boolean;
}

type Files = ReadonlyMap<string, string>;

const metadata = ["Chart.yaml", "apiVersion: v2\nname: generated\nversion: 1.0.0\n"] as const;

/** A property of a CRD's schema with `depth` levels of properties below it. */
function property(depth: number, indent: string): string {
  const own = `${indent}description: a field of the specification with a sentence about its meaning\n`;
  if (depth === 0) return `${own}${indent}type: string\n`;
  const fields = ["first", "second", "third"].map(
    (name) => `${indent}  ${name}:\n${property(depth - 1, `${indent}    `)}`,
  );
  return `${own}${indent}type: object\n${indent}properties:\n${fields.join("")}`;
}

function crd(index: number): string {
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: things${index}.example.com
spec:
  group: example.com
  names: { kind: Thing${index}, plural: things${index} }
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
${property(5, "        ")}`;
}

/** CRDs as templates, as many charts have them. */
function crdChart(count: number): Files {
  const files = Array.from({ length: count }, (_, index) => [`templates/crd-${index}.yaml`, crd(index)] as const);
  return new Map([metadata, ...files]);
}

/** Templates that each make a map from values. */
function templatesChart(count: number, keys: number): Files {
  const text = (index: number): string => `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-${index}
data:
{{- range $i := until ${keys} }}
  key-{{ $i }}: {{ printf "%s-%d" $.Values.text $i | quote }}
{{- end }}
`;
  const files = Array.from({ length: count }, (_, index) => [`templates/map-${index}.yaml`, text(index)] as const);
  return new Map([metadata, ["values.yaml", "text: a value of the configuration\n"], ...files]);
}

/** Templates whose lines come from named templates. */
function includesChart(count: number, includes: number): Files {
  const helpers = `{{- define "line" -}}
{{ include "name" . }}: {{ .value | quote }}
{{- end }}
{{- define "name" -}}
{{ printf "name-%d" (int .at) | trunc 50 | trimSuffix "-" }}
{{- end }}
`;
  const text = (index: number): string => `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-${index}
data:
{{- range $i := until ${includes} }}
{{ include "line" (dict "at" $i "value" $.Values.text) | indent 2 }}
{{- end }}
`;
  const files = Array.from({ length: count }, (_, index) => [`templates/map-${index}.yaml`, text(index)] as const);
  return new Map([
    metadata,
    ["values.yaml", "text: a value of the configuration\n"],
    ["templates/_helpers.tpl", helpers],
    ...files,
  ]);
}

/** Charts of 0.5 to 5 MB of output, by what there is much of. */
const generated: Readonly<Record<string, () => Files>> = {
  "mixed, 1 MB": largeChart,
  "CRDs, 0.5 MB": () => crdChart(14),
  "CRDs, 2 MB": () => crdChart(56),
  "CRDs, 5 MB": () => crdChart(140),
  "templates, 0.5 MB": () => templatesChart(100, 100),
  "templates, 2 MB": () => templatesChart(400, 100),
  "includes, 0.5 MB": () => includesChart(30, 350),
  "includes, 2 MB": () => includesChart(120, 350),
};

function write(folder: string, files: Files): void {
  for (const [name, text] of files) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** Writes the generated charts into a folder; with the sample charts where these are beside the project, one case of each. */
export function chartCalls(folder: string): ChartCall[] {
  const own = Object.entries(generated).map(([name, files], index) => {
    const chart = join(folder, `generated-${index}`);
    write(chart, files());
    return { name, words: ["rel", chart], random: false };
  });
  if (!existsSync(sampleChartsFolder)) return own;
  const samples = new Map<string, ChartCall>();
  // Those that draw no random values first: their output can be compared.
  for (const sample of sampleCharts().toSorted((a, b) => Number(a.random) - Number(b.random))) {
    if (sample.expect !== "output" || samples.has(sample.chart)) continue;
    samples.set(sample.chart, { name: sample.id, words: wordsOfSample(sample), random: sample.random });
  }
  return [...samples.values(), ...own];
}

/** A chart with one small template. */
export function writeSmallChart(folder: string): string {
  write(
    folder,
    new Map([metadata, ["templates/map.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: small }\n"]]),
  );
  return folder;
}
