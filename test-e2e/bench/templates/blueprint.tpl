deployItems:
{{- range .services }}
- name: {{ .name }}
  type: landscaper.gardener.cloud/kubernetes-manifest
  target:
    name: {{ $.global.cluster }}
  config:
    apiVersion: manifest.deployer.landscaper.gardener.cloud/v1alpha2
    kind: ProviderConfiguration
    updateStrategy: {{ .updateStrategy | default "patch" }}
    manifests:
    - policy: manage
      manifest:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: {{ .name }}-config
          namespace: {{ $.global.namespace }}
        data:
          config.json: {{ toJson .env | quote }}
          checksum: {{ toJson . | sha256sum }}
          pretty: |
            {{- toPrettyJson .resources | nindent 12 }}
{{- end }}
