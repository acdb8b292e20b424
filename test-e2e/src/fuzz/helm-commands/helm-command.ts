import type { RenderingFile } from "@landscaper/helm/testing";

/** Files of a folder and one command line of `helm template` on them. */
export interface HelmCommand {
  /** By path; the chart is in "chart/". */
  readonly files: Readonly<Record<string, RenderingFile>>;
  /** Words after `helm template rel`. "CHART" stands for the folder of the chart. */
  readonly words: readonly string[];
}

/** Words that most cases have before their own. */
export const usualWords: readonly string[] = ["CHART/chart", "--namespace", "ns", "--kube-version", "1.35.0"];

/** Paths of the templates that show what a chart gets: values with the types of their leaves, metadata, and names of dependencies. */
const showTemplates: Readonly<Record<string, string>> = {
  "templates/show.yaml": [
    "kind: Show",
    "name: {{ .Template.Name }}",
    "values: {{ toJson .Values | quote }}",
    'types: {{ include "types" .Values | quote }}',
    "chart: {{ toJson .Chart | quote }}",
    "subcharts: {{ range $name, $chart := .Subcharts }}{{ $name }}:{{ $chart.Chart.Name }} {{ end }}",
    "",
  ].join("\n"),
  "templates/_types.tpl":
    '{{ define "types" }}{{ if kindIs "map" . }}m({{ range $k, $v := . }}{{ $k }}:{{ include "types" $v }},{{ end }})' +
    '{{ else if kindIs "slice" . }}l({{ range . }}{{ include "types" . }},{{ end }}){{ else }}{{ typeOf . }}{{ end }}{{ end }}\n',
};

/** Adds the templates that show what a chart gets to each chart of a folder. */
export function withShowTemplates(files: HelmCommand["files"]): HelmCommand["files"] {
  const folders = Object.keys(files).flatMap((path) =>
    path.endsWith("/Chart.yaml") ? [path.slice(0, -"Chart.yaml".length)] : [],
  );
  const shown = folders.flatMap((folder) =>
    Object.entries(showTemplates).map(([path, text]) => [`${folder}${path}`, text] as const),
  );
  return { ...Object.fromEntries(shown), ...files };
}
