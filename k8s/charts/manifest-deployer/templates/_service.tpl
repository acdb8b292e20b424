{{- define "manifest-deployer.service" -}}
image: manifest-deployer
apiVersion: manifest.deployer.landscaper.gardener.cloud/v1alpha2
kind: Configuration
{{- end -}}

{{- define "manifest-deployer.section" -}}
deployer
{{- end -}}
