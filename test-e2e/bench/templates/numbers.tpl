{{- $sum := 0 -}}
{{- range $i := until 50 -}}
{{- $sum = add $sum (mul $i 3) (sub 10 $i) -}}
{{ $i }}: {{ div $sum 7 }} {{ mod $sum 7 }} {{ max $i 10 20 }} {{ min $i 10 20 }} {{ printf "%03d|%x|%6.2f" $sum $sum (divf $sum 3) }} {{ round (mulf $i 1.37) 1 }} {{ floor 1.7 }} {{ ceil 1.2 }} {{ lt $i 25 }}
{{ end -}}
{{- range .numbers }}{{ . }} {{ int . }} {{ add1 . }} {{ float64 . }} {{ toString . }}
{{ end -}}
