{{- define "name" -}}
{{- default .chart .nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- define "fullname" -}}
{{- if .fullnameOverride -}}
{{- .fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .release (include "name" .) | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- define "labels" -}}
app.kubernetes.io/name: {{ include "name" . }}
app.kubernetes.io/instance: {{ .release }}
app.kubernetes.io/version: {{ .version | quote }}
app.kubernetes.io/managed-by: landscaper
{{- end -}}
{{- define "container" -}}
- name: {{ .name }}
  image: "{{ .image }}:{{ .tag }}"
{{- end -}}
{{- range .services }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "fullname" $ }}-{{ .name }}
  labels:
    {{- include "labels" $ | nindent 4 }}
spec:
  selector:
    matchLabels:
      {{- include "labels" $ | nindent 6 }}
  template:
    spec:
      containers:
        {{- include "container" . | nindent 8 }}
      {{- template "container" . }}
---
{{- end }}
