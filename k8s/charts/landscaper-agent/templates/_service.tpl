{{- define "landscaper-agent.service" -}}
image: landscaper-agent
apiVersion: config.landscaper.gardener.cloud/v1alpha1
kind: AgentConfiguration
{{- end -}}

{{- define "landscaper-agent.section" -}}
agent
{{- end -}}
