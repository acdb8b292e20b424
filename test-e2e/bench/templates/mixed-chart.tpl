{{- define "chart.selector" -}}
app: {{ .app | quote }}
release: {{ .release | quote }}
{{- end -}}
{{- range $name, $component := .components }}
{{- if $component.enabled }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ printf "%s-%s" $.release $name | trunc 63 }}
  {{- if $component.annotations }}
  annotations:
    {{- range $key, $value := $component.annotations }}
    {{ $key }}: {{ $value | quote }}
    {{- end }}
  {{- end }}
  labels: {{- include "chart.selector" (dict "app" $name "release" $.release) | nindent 4 }}
spec:
  type: {{ $component.type | default "ClusterIP" }}
  ports:
  {{- range $component.ports }}
  - port: {{ .number | int }}
    targetPort: {{ .target | default .name }}
    {{- if and (eq $component.type "NodePort") .nodePort }}
    nodePort: {{ .nodePort }}
    {{- end }}
    name: {{ .name | lower | trunc 15 }}
  {{- end }}
  selector: {{- include "chart.selector" (dict "app" $name "release" $.release) | nindent 4 }}
{{- end }}
{{- end }}
