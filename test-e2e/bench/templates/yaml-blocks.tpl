{{- range .services }}
kind: Deployment
metadata:
  name: {{ .name }}
  labels:
    {{- toYaml .labels | nindent 4 }}
  annotations:
    {{- toYaml .annotations | nindent 4 }}
spec:
  env:
    {{- toYaml .env | nindent 4 }}
  resources:
    {{- toYaml .resources | nindent 4 }}
  {{- with .affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
---
{{- end }}
