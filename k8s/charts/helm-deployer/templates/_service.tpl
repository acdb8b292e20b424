{{- define "helm-deployer.service" -}}
section: deployer
image: helm-deployer
apiVersion: helm.deployer.landscaper.gardener.cloud/v1alpha1
kind: Configuration
{{- end -}}
