{{- define "landscaper.service" -}}
image: landscaper-core
apiVersion: config.landscaper.gardener.cloud/v1alpha1
kind: LandscaperConfiguration
{{- end -}}

{{- define "landscaper.section" -}}
landscaper
{{- end -}}
