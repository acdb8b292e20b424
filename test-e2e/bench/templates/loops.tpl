{{- range $i, $svc := .services }}
- name: {{ $svc.name | quote }}
  index: {{ $i }}
  image: {{ printf "%s/%s:%s" ($svc.registry | default "registry.example.com") $svc.image $svc.tag }}
  replicas: {{ ternary 3 1 $svc.production }}
  pullPolicy: {{ $svc.pullPolicy | default "IfNotPresent" }}
  {{- range .ports }}
  - port: {{ .number }}
    name: {{ printf "%s-%d" .name (int .number) | quote }}
    protocol: {{ .protocol | default "TCP" }}
  {{- end }}
{{- end }}
