{{- $image := (getResource .cd "name" "image").access.imageReference }}
{{- $deployer := dict }}
{{- with .imports.landscaperCluster }}
  {{- $kubeconfig := dig "spec" "config" "kubeconfig" "" . }}
  {{- if not $kubeconfig }}
    {{- fail "landscaperCluster: expected a Target with a kubeconfig in spec.config; for one in a Secret of the deployer's namespace set deployer.landscaperClusterKubeconfig.secretRef in values" }}
  {{- end }}
  {{- $text := ternary $kubeconfig ($kubeconfig | toJson) (kindIs "string" $kubeconfig) }}
  {{- $_ := set $deployer "landscaperClusterKubeconfig" (dict "kubeconfig" $text) }}
{{- end }}
{{- with .imports.identity }}
  {{- $_ := set $deployer "identity" . }}
{{- end }}
{{- with .imports.targetSelectors }}
  {{- $_ := set $deployer "targetSelector" . }}
{{- end }}
{{- with .imports.namespaces }}
  {{- $_ := set $deployer "namespaces" . }}
{{- end }}
{{- $defaults := dict }}
{{- /* One of a fleet: a heartbeat every three seconds of each would be a load for the landscaper cluster. */}}
{{- if .imports.landscaperCluster }}
  {{- $_ := set $defaults "leaseDuration" "300s" }}
{{- end }}
{{- /* Programs that the deployer starts in pods: image-init is the image of the init container. */}}
{{- range $resource := .cd.component.resources }}
  {{- if hasPrefix "image-" $resource.name }}
    {{- $_ := set $defaults (printf "%sContainer" (trimPrefix "image-" $resource.name)) (dict "image" $resource.access.imageReference) }}
  {{- end }}
{{- end }}
{{- $values := dict "image" (dict "repository" (ociRefRepo $image) "tag" (ociRefVersion $image)) }}
{{- if $defaults }}
  {{- $_ := set $values "deployer" $defaults }}
{{- end }}
{{- $values = mergeOverwrite $values (.imports.values | default dict) (dict "deployer" $deployer) }}
deployItems:
  - name: deployer
    type: landscaper.gardener.cloud/helm
    target: { import: cluster }
    config:
      apiVersion: helm.deployer.landscaper.gardener.cloud/v1alpha1
      kind: ProviderConfiguration
      name: {{ .imports.releaseName | toJson }}
      namespace: {{ .imports.releaseNamespace | toJson }}
      createNamespace: true
      helmDeployment: false
      # The container deployer removes its objects from the host when it is uninstalled.
      hooks: run
      chart: { resourceRef: {{ getResourceKey "cd://resources/chart" }} }
      values: {{ $values | toJson }}
