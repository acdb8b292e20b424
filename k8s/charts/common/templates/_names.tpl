{{/* What a chart says of its service: the template CHART.service of its _service.tpl, as an object. */}}
{{- define "common.service" -}}
{{ include (printf "%s.service" .Chart.Name) . }}
{{- end -}}

{{/* Name of the values of the service itself: "landscaper", "deployer" or "agent". */}}
{{- define "common.sectionName" -}}
{{ include (printf "%s.section" .Chart.Name) . }}
{{- end -}}

{{/* Name of the Environment of an agent. */}}
{{- define "common.environmentName" -}}
{{ (.Values.agent | default dict).name | default .Release.Name }}
{{- end -}}

{{- define "common.name" -}}
{{ default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end -}}

{{/* Name of all objects in the namespace of the release. */}}
{{- define "common.fullname" -}}
{{- $name := include "common.name" . -}}
{{- if .Values.fullnameOverride -}}
{{ .Values.fullnameOverride | trunc 52 | trimSuffix "-" }}
{{- else if contains $name .Release.Name -}}
{{ .Release.Name | trunc 52 | trimSuffix "-" }}
{{- else -}}
{{ printf "%s-%s" .Release.Name $name | trunc 52 | trimSuffix "-" }}
{{- end -}}
{{- end -}}

{{/*
Name of what has no namespace. No other release has it: neither namespaces nor names of releases contain a colon.
*/}}
{{- define "common.clusterName" -}}
{{ printf "landscaper:%s:%s" .Release.Namespace (include "common.fullname" .) }}
{{- end -}}

{{- define "common.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{ default (include "common.fullname" .) .Values.serviceAccount.name }}
{{- else -}}
{{ required "serviceAccount.name: expected the name of an account, because serviceAccount.create is false" .Values.serviceAccount.name }}
{{- end -}}
{{- end -}}

{{- define "common.selectorLabels" -}}
app.kubernetes.io/name: {{ include "common.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "common.labels" -}}
{{ include "common.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: landscaper
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name (.Chart.Version | replace "+" "_") }}
{{- end -}}

{{/* metadata of an object in the namespace of the chart's objects. */}}
{{- define "common.metadata" -}}
name: {{ include "common.fullname" . }}
namespace: {{ include "common.namespace" . }}
labels:
  {{- include "common.labels" . | nindent 2 }}
{{- end -}}
