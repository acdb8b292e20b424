{{- $image := (getResource .cd "name" "image").access.imageReference }}
{{- $agent := dict }}
{{- with .imports.landscaperCluster }}
  {{- $kubeconfig := dig "spec" "config" "kubeconfig" "" . }}
  {{- if not $kubeconfig }}
    {{- fail "landscaperCluster: expected a Target with a kubeconfig in spec.config; for one in a Secret of the agent's namespace set agent.landscaperClusterKubeconfig.secretRef in values" }}
  {{- end }}
  {{- $text := ternary $kubeconfig ($kubeconfig | toJson) (kindIs "string" $kubeconfig) }}
  {{- $_ := set $agent "landscaperClusterKubeconfig" (dict "kubeconfig" $text) }}
{{- end }}
{{- with .imports.environment }}
  {{- $_ := set $agent "name" . }}
{{- end }}
{{- with .imports.targetSelectors }}
  {{- $_ := set $agent "targetSelectors" . }}
{{- end }}
{{- with .imports.namespaces }}
  {{- $_ := set $agent "namespaces" . }}
{{- end }}
{{- $values := dict "image" (dict "repository" (ociRefRepo $image) "tag" (ociRefVersion $image)) }}
{{- $values = mergeOverwrite $values (.imports.values | default dict) (dict "agent" $agent) }}
deployItems:
  - name: agent
    type: landscaper.gardener.cloud/helm
    target: { import: cluster }
    config:
      apiVersion: helm.deployer.landscaper.gardener.cloud/v1alpha1
      kind: ProviderConfiguration
      name: {{ .imports.releaseName | toJson }}
      namespace: {{ .imports.releaseNamespace | toJson }}
      createNamespace: true
      helmDeployment: false
      chart: { resourceRef: {{ getResourceKey "cd://resources/chart" }} }
      values: {{ $values | toJson }}
