{{- define "manifest-deployer.service" -}}
section: deployer
image: manifest-deployer
apiVersion: manifest.deployer.landscaper.gardener.cloud/v1alpha2
kind: Configuration
{{- end -}}
