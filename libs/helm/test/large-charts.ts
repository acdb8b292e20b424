/** What a large chart is large by. */
export type LargeShape = "crds" | "templates" | "range" | "values";

export const largeShapes: readonly LargeShape[] = ["crds", "templates", "range", "values"];

/** Helm takes no larger files. */
const fileBytes = 4_000_000;

/**
 * Files of a chart that renders to about so many bytes of YAML with its default values. "crds": definitions with schemas in files, which a
 * template takes apart, reads and prints unless they are excluded. "templates": many templates of workloads with labels of a library. "range": one
 * template that makes objects in a loop. "values": large maps of values through toYaml and merges.
 */
export function largeChart(shape: LargeShape, bytes: number): Readonly<Record<string, string>> {
  const chartYaml = `apiVersion: v2\nname: large-${shape}\nversion: 1.0.0\n`;
  return { "Chart.yaml": chartYaml, ...shapes[shape](bytes) };
}

const shapes: Readonly<Record<LargeShape, (bytes: number) => Record<string, string>>> = {
  crds: crdFiles,
  templates: workloadFiles,
  range: rangeFiles,
  values: valueFiles,
};

function crdFiles(bytes: number): Record<string, string> {
  const definition = (index: number): string => crdOf(`kind${index}`);
  const files: Record<string, string> = {
    "values.yaml": "base:\n  enabled: true\n  excludedCRDs: [kind0.large.example]\n",
    "templates/crds.yaml": `{{- if .Values.base.enabled }}
{{- range $path, $_ := .Files.Glob "files/*.yaml" }}
{{- range $crd := $.Files.Get $path | splitList "\\n---\\n" }}
{{- $name := index ($crd | fromYaml) "metadata" "name" }}
{{- if not (has $name $.Values.base.excludedCRDs) }}
---
{{ $crd }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
`,
  };
  const perFile = Math.floor(fileBytes / definition(100).length);
  const count = Math.ceil(bytes / definition(100).length);
  for (let start = 0; start < count; start += perFile) {
    const indices = Array.from({ length: Math.min(perFile, count - start) }, (_, at) => start + at);
    files[`files/crds-${start}.yaml`] = indices.map(definition).join("\n---\n");
  }
  return files;
}

function crdOf(kind: string): string {
  const description =
    "Describes where traffic goes: a host by its name in the registry, and the port of it that is meant. ".repeat(3);
  const field = (name: string): string => `                  ${name}:
                    description: ${description.trim().replaceAll(":", ",")}
                    type: object
                    properties:
                      host: {type: string, maxLength: 255}
                      port: {type: integer, maximum: 65535, minimum: 1}
                      labels:
                        type: object
                        additionalProperties:
                          type: string
`;
  const fields = Array.from({ length: 60 }, (_, index) => field(`field${index}`)).join("");
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ${kind}.large.example
spec:
  group: large.example
  names: {kind: ${kind}, plural: ${kind}, singular: ${kind}}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                rules:
                  type: object
                  properties:
${fields.replace(/^ {18}/gm, "                    ")}`;
}

const helpers = `{{- define "large.labels" -}}
app.kubernetes.io/name: {{ .name | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/version: {{ .root.Chart.Version | quote }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end }}
{{- define "large.workload" -}}
{{- $values := mergeOverwrite (deepCopy .root.Values.defaults) (default dict (get .root.Values.workloads .name)) -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .name }}
  labels:
    {{- include "large.labels" . | nindent 4 }}
spec:
  replicas: {{ $values.replicas }}
  selector:
    matchLabels:
      {{- include "large.labels" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "large.labels" . | nindent 8 }}
      annotations:
        checksum/values: {{ $values | toJson | sha256sum }}
    spec:
      containers:
        - name: main
          image: {{ printf "%s/%s:%s" $values.image.registry $values.image.name (tpl $values.image.tag .root) }}
          env:
            {{- range $key, $value := $values.env }}
            - name: {{ $key | upper | replace "-" "_" }}
              value: {{ $value | quote }}
            {{- end }}
          resources:
            {{- toYaml $values.resources | nindent 12 }}
          {{- with $values.affinity }}
          affinity:
            {{- toYaml . | nindent 12 }}
          {{- end }}
{{- end }}
`;

const defaults = `defaults:
  replicas: 2
  image: {registry: registry.example, name: app, tag: "{{ .Chart.Version }}"}
  env:
${Array.from({ length: 20 }, (_, index) => `    setting-${index}: value of the setting number ${index}\n`).join("")}
  resources: {limits: {cpu: 100m, memory: 128Mi}, requests: {cpu: 10m, memory: 64Mi}}
  affinity:
    podAntiAffinity:
      preferredDuringSchedulingIgnoredDuringExecution:
        - weight: 100
          podAffinityTerm: {topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: large}}}
workloads:
  w1: {replicas: 5}
`;

/** Of one workload as it is rendered. */
const workloadBytes = 3000;

function workloadFiles(bytes: number): Record<string, string> {
  const count = Math.ceil(bytes / workloadBytes);
  const files = Array.from({ length: count }, (_, index) => [
    `templates/w${index}.yaml`,
    `{{- include "large.workload" (dict "root" $ "name" "w${index}") }}\n`,
  ]);
  return { "values.yaml": defaults, "templates/_helpers.tpl": helpers, ...Object.fromEntries(files) };
}

function rangeFiles(bytes: number): Record<string, string> {
  const template = `{{- range $index := until (int .Values.count) }}
---
{{ include "large.workload" (dict "root" $ "name" (printf "w%d" $index)) }}
{{- end }}
`;
  const count = Math.ceil(bytes / workloadBytes);
  return {
    "values.yaml": `count: ${count}\n${defaults}`,
    "templates/_helpers.tpl": helpers,
    "templates/all.yaml": template,
  };
}

function valueFiles(bytes: number): Record<string, string> {
  const entry = (index: number): string =>
    `  host-${index}.example.org:\n    weight: ${index}\n    paths: [/a/${index}, /b/${index}]\n    note: "traffic of the host number ${index}"\n`;
  const count = Math.ceil(bytes / 2 / entry(1000).length);
  // Helm takes values.yaml of 5 MiB: the same is printed several times.
  const perCopy = Math.min(count, Math.floor(fileBytes / entry(1000).length));
  const copies = Math.max(2, Math.round((2 * count) / perCopy));
  const hosts = Array.from({ length: perCopy }, (_, index) => entry(index)).join("");
  return {
    "values.yaml": `copies: ${copies}\nmore: {extra: {weight: 1}}\nhosts:\n${hosts}`,
    "templates/all.yaml": `{{- $hosts := merge (dict) .Values.hosts .Values.more }}
{{- range $copy := until (int .Values.copies) }}
---
apiVersion: large.example/v1
kind: Routes
metadata: {name: routes-{{ $copy }}}
spec:
  hosts:
    {{- toYaml $hosts | nindent 4 }}
{{- end }}
`,
  };
}
