{{- $total := 0 -}}
{{- $previous := "" -}}
{{- range $i, $svc := .services -}}
{{- if and $svc.production (gt (len $svc.ports) 1) -}}
{{- $total = add $total (len $svc.ports) -}}
{{- range $port := $svc.ports -}}
{{- if eq $port.protocol "UDP" }}
{{ $svc.name }}/udp/{{ $port.number }}
{{- else if or (eq $port.number 443.0) (eq $port.number 8443.0) }}
{{ $svc.name }}/tls/{{ $port.number }} after {{ $previous }}
{{- else }}
{{ $svc.name }}/tcp/{{ $port.number }}
{{- end -}}
{{- end -}}
{{- else if not $svc.production -}}
{{- with $svc.resources }}
{{ $svc.name }}: {{ .limits.cpu }} {{ .limits.memory }} of {{ $.release }}
{{- end -}}
{{- if ne $svc.name $previous }} new{{ end -}}
{{- if le $i 3 }} early{{ else if ge $i 20 }} late{{ end -}}
{{- end -}}
{{- $previous = $svc.name -}}
{{- end }}
total: {{ $total }}
