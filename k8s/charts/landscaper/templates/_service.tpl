{{- define "landscaper.service" -}}
section: landscaper
image: landscaper-core
apiVersion: config.landscaper.gardener.cloud/v1alpha1
kind: LandscaperConfiguration
{{- end -}}
