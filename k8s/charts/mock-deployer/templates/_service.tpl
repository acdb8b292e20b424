{{- define "mock-deployer.service" -}}
section: deployer
image: mock-deployer
apiVersion: mock.deployer.landscaper.gardener.cloud/v1alpha1
kind: Configuration
{{- end -}}
