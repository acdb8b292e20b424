{{- range .services }}
{{ .name | upper }} {{ .name | title }} {{ .name | camelcase }} {{ .name | kebabcase }} {{ .name | snakecase }}
{{ .description | replace "the" "THE" | trunc 120 }}
{{ .description | trim | lower | nospace | substr 0 40 }}
{{ regexReplaceAll "[^a-z0-9-]+" (.description | lower) "-" | trunc 63 | trimSuffix "-" }}
{{ if regexMatch "^[a-z]([-a-z0-9]*[a-z0-9])?$" .name }}valid{{ else }}invalid{{ end }}
{{ splitList "-" .name | join "." }} {{ .name | contains "api" }} {{ hasPrefix "svc" .name }} {{ hasSuffix "0" .name }}
{{ .description | b64enc }} {{ .description | sha256sum | trunc 8 }} {{ squote .name }} {{ .name | repeat 2 }}
{{ cat .name .tag }} {{ .name | trimPrefix "svc-" | printf "%-20s|" }}
{{- end }}
