{{- $names := list -}}
{{- range .services -}}{{- $names = append $names .name -}}{{- end -}}
{{ $names | sortAlpha | join "," }}
{{ concat $names (list "a" "b" "a") | uniq | sortAlpha | join "," }}
{{ has "svc-api-3" $names }} {{ without $names "svc-api-1" "svc-api-2" | len }} {{ reverse $names | first }} {{ last $names }} {{ rest $names | len }} {{ initial $names | len }}
{{ range chunk 5 $names }}{{ . | join "+" }}
{{ end }}
{{ slice $names 1 5 | join "," }} {{ index $names 3 }} {{ prepend $names "first" | len }} {{ compact (list "" 1 nil "x") | len }}
{{ range $label, $value := .labels }}{{ $label }}={{ $value }},{{ end }}
{{ range .services }}{{ keys .labels | sortAlpha | join "," }} {{ values .resources.limits | len }}
{{ end }}
