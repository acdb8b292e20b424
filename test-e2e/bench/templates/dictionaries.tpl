{{- $defaults := dict "replicas" 1 "strategy" (dict "type" "RollingUpdate" "maxSurge" 1) "tolerations" (list "a" "b") -}}
{{- range .services }}
{{- $merged := merge (dict "labels" (dict "tier" "backend")) (deepCopy .) $defaults -}}
{{- $_ := set $merged "computed" (printf "%s-%s" .name .tag) -}}
{{- $flags := dict "name" .name "debug" (hasKey . "debug") -}}
{{- range $key, $value := pick $merged "replicas" "computed" "tag" "image" }}
{{ $key }}={{ $value }}
{{- end }}
{{ $flags.name }}: {{ $flags.debug }} {{ get $merged "computed" }} {{ dig "strategy" "type" "none" $merged }} {{ keys $merged | sortAlpha | join "," }}
{{- $rest := omit $merged "env" "labels" "annotations" }}
{{ len $rest }}
{{- end }}
