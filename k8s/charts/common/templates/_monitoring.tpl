{{- define "common.serviceMonitor" -}}
{{- if include "common.isOn" (dict "root" . "name" "serviceMonitor") -}}
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata:
  {{- include "common.metadata" . | nindent 2 }}
    {{- with .Values.serviceMonitor.labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  selector:
    matchLabels:
      {{- include "common.selectorLabels" . | nindent 6 }}
  endpoints:
    - port: http-metrics
      path: /metrics
      interval: {{ .Values.serviceMonitor.interval }}
{{- end -}}
{{- end -}}

{{- define "common.dashboard" -}}
{{- if include "common.isOn" (dict "root" . "name" "dashboard") -}}
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ include "common.fullname" . }}-dashboard
  namespace: {{ include "common.namespace" . }}
  labels:
    {{- include "common.labels" . | nindent 4 }}
    {{- with .Values.dashboard.labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with .Values.dashboard.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
data:
  {{ include "common.fullname" . }}.json: |-
    {{- .Files.Get "dashboard.json" | trim | nindent 4 }}
{{- end -}}
{{- end -}}
