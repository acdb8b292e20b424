{{- define "mock-deployer.service" -}}
image: mock-deployer
apiVersion: mock.deployer.landscaper.gardener.cloud/v1alpha1
kind: Configuration
{{- end -}}

{{- define "mock-deployer.section" -}}
deployer
{{- end -}}
