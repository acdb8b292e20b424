{{- define "helm-deployer.service" -}}
image: helm-deployer
apiVersion: helm.deployer.landscaper.gardener.cloud/v1alpha1
kind: Configuration
{{- end -}}

{{- define "helm-deployer.section" -}}
deployer
{{- end -}}
