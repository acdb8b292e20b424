{{- range .services }}
{{ .resources.limits.cpu }} {{ .resources.limits.memory }} {{ .resources.requests.cpu }} {{ .resources.requests.memory }}
{{ $.release }} {{ $.global.registry.host }} {{ $.global.registry.port }} {{ index $.global "registry" "host" }}
{{ with .probes }}{{ with .liveness }}{{ .path }} {{ .port }} {{ .initialDelaySeconds }}{{ end }}{{ end }}
{{ (index .ports 0).name }} {{ len .ports }} {{ if .missing }}x{{ else }}{{ .labels.app }}{{ end }}
{{ .name }} {{ .image }} {{ .tag }} {{ .production }} {{ .replicas }}
{{- end }}
