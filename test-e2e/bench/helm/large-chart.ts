/** Templates of the large chart, each of which makes a Deployment, a Service and a ConfigMap. */
const count = 120;

const helpers = `{{- define "large.name" -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}
{{- end }}
{{- define "large.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "large.selector" . }}
{{- if .Chart.AppVersion }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}
{{- define "large.selector" -}}
app.kubernetes.io/name: {{ include "large.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "large.env" -}}
{{- range $name, $value := .env }}
- name: {{ $name | upper }}
  value: {{ tpl (toString $value) $.root | quote }}
{{- end }}
{{- end }}
`;

function template(index: number): string {
  return `{{- $own := index .Values.parts ${index % 7} }}
{{- if $own.enabled }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "large.name" . }}-${index}
  labels:
    {{- include "large.labels" . | nindent 4 }}
spec:
  replicas: {{ $own.replicas | default 1 }}
  selector:
    matchLabels:
      {{- include "large.selector" . | nindent 6 }}
  template:
    metadata:
      annotations:
        checksum/config: {{ toYaml $own | sha256sum }}
      labels:
        {{- include "large.selector" . | nindent 8 }}
    spec:
      containers:
      - name: {{ $own.name | lower }}
        image: "{{ $own.image.repository }}:{{ $own.image.tag | default .Chart.AppVersion }}"
        env:
          {{- include "large.env" (dict "env" $own.env "root" $) | nindent 10 }}
        {{- with $own.resources }}
        resources:
          {{- toYaml . | nindent 10 }}
        {{- end }}
        {{- range $port := $own.ports }}
        # port {{ $port.name }} of ${index}
        {{- end }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ include "large.name" . }}-${index}
  labels:
    {{- include "large.labels" . | nindent 4 }}
spec:
  ports:
    {{- range $own.ports }}
    - port: {{ .port }}
      name: {{ .name }}
      targetPort: {{ .port | int }}
    {{- end }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ include "large.name" . }}-${index}
data:
  {{- range $key, $value := $own.config }}
  {{ $key }}: {{ $value | quote }}
  {{- end }}
  all.yaml: |
    {{- toYaml .Values.parts | nindent 4 }}
{{- end }}
`;
}

function part(index: number): object {
  const names = Array.from({ length: 12 }, (_, at) => at);
  return {
    enabled: true,
    name: `Part-${index}`,
    replicas: index,
    image: { repository: `registry.example.com/team/part-${index}`, tag: index % 2 === 0 ? "" : `v1.${index}` },
    env: Object.fromEntries(
      names.map((at) => [`variable_${at}`, at % 3 === 0 ? "{{ .Release.Name }}" : `value ${at}`]),
    ),
    resources: { limits: { cpu: "1", memory: `${index}Gi` }, requests: { cpu: "100m", memory: "64Mi" } },
    ports: [
      { name: "http", port: 8080 + index },
      { name: "metrics", port: 9090 },
    ],
    config: Object.fromEntries(names.map((at) => [`key-${at}`, `a longer text of the configuration, number ${at}`])),
  };
}

/** The files of a chart with more than 100 templates that makes more than 1 MiB. */
export function largeChart(): ReadonlyMap<string, string> {
  return new Map([
    ["Chart.yaml", 'apiVersion: v2\nname: large\nversion: 1.2.3\nappVersion: "4.5"\n'],
    // JSON is YAML.
    ["values.yaml", JSON.stringify({ parts: Array.from({ length: 7 }, (_, index) => part(index)) }, undefined, 1)],
    ["templates/_helpers.tpl", helpers],
    ...Array.from({ length: count }, (_, index) => [`templates/part-${index}.yaml`, template(index)] as const),
  ]);
}
