{{- define "container-deployer.service" -}}
image: container-deployer
apiVersion: container.deployer.landscaper.gardener.cloud/v1alpha1
kind: Configuration
runsPods: true
{{- end -}}

{{- define "container-deployer.section" -}}
deployer
{{- end -}}
