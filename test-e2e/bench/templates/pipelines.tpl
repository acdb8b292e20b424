{{- range .services }}
{{ .name | default "none" | trim | lower | replace "_" "-" | trunc 63 | trimSuffix "-" | trimPrefix "x" | quote }}
{{ .tag | default .version | toString | replace "+" "_" | trunc 63 | quote }}
{{ list .name .image .tag | compact | join "/" | lower | b64enc | b64dec | squote }}
{{ (index .ports 0).number | int | add 1 | mul 2 | toString | printf "%s/%s" .name | quote | indent 4 }}
{{ .labels | default dict | len | int64 | max 3 | min 10 | printf "%03d" }}
{{ coalesce .missing .nothing .name | empty | not | ternary "yes" "no" | upper | repeat 2 | trunc 5 | title }}
{{- end }}
