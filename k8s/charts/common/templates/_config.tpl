{{/* What of the section is no field of the configuration file. */}}
{{- define "common.chartSettings" -}}
[landscaperClusterKubeconfig, inLandscaperNamespace, verbosityLevel, leaseNamespace, leaseDuration, k8sClientSettings{{ if not (or (include "common.service" . | fromYaml).runsPods (eq (include "common.sectionName" .) "agent")) }}, namespace{{ end }}]
{{- end -}}

{{/* Access to registries as users write it. */}}
{{- define "common.oci" -}}
{{- $section := include "common.sectionName" . | index .Values | default dict -}}
{{- if eq (include "common.sectionName" .) "landscaper" -}}
{{ ($section.registry | default dict).oci | default dict | toYaml }}
{{- else -}}
{{ $section.oci | default dict | toYaml }}
{{- end -}}
{{- end -}}

{{/* Files of the Secrets for registries, as a list below /app/ls/registry/secrets. */}}
{{- define "common.registryFiles" -}}
{{- $oci := include "common.oci" . | fromYaml -}}
{{- $files := list -}}
{{- range $name := keys ($oci.secrets | default dict) | sortAlpha -}}
{{- $files = append $files (printf "/app/ls/registry/secrets/%s" $name) -}}
{{- end -}}
{{- range $name := $oci.secretRefs -}}
{{- $files = append $files (printf "/app/ls/registry/secrets/refs/%s" $name) -}}
{{- end -}}
{{ $files | toYaml }}
{{- end -}}

{{/* config.yaml: only what is set, so that the service's own defaults hold. */}}
{{- define "common.config" -}}
{{- $service := include "common.service" . | fromYaml -}}
{{- $global := (.Values.global | default dict).landscaper | default dict -}}
{{- $config := include "common.sectionName" . | index .Values | default dict | deepCopy -}}
{{- range $name := include "common.chartSettings" . | fromYamlArray -}}
{{- $_ := unset $config $name -}}
{{- end -}}
{{- if $global.egress -}}
{{- $_ := set $config "egress" (mergeOverwrite (deepCopy $global.egress) ($config.egress | default dict)) -}}
{{- end -}}
{{- $oci := omit (include "common.oci" . | fromYaml) "secrets" "secretRefs" -}}
{{- $files := include "common.registryFiles" . | fromYamlArray -}}
{{- if $files -}}
{{- $_ := set $oci "configFiles" (concat $files ($oci.configFiles | default list)) -}}
{{- end -}}
{{- if eq (include "common.sectionName" .) "landscaper" -}}
{{- $config = include "common.coreConfig" (dict "root" . "config" $config "oci" $oci) | fromYaml -}}
{{- else -}}
{{- $_ := unset $config "oci" -}}
{{- if $oci -}}
{{- $_ := set $config "oci" $oci -}}
{{- end -}}
{{- if eq (include "common.sectionName" .) "agent" -}}
{{- $_ := set $config "name" (include "common.environmentName" .) -}}
{{- $_ := set $config "namespace" (include "common.podsNamespace" . | trim) -}}
{{- else -}}
{{- $_ := set $config "identity" ($config.identity | default (printf "%s.%s" .Release.Namespace (include "common.fullname" .))) -}}
{{- end -}}
{{- if $service.runsPods -}}
{{- $_ := set $config "namespace" (include "common.podsNamespace" .) -}}
{{- range $name := list "init" "wait" -}}
{{- $container := index $config (printf "%sContainer" $name) | default dict -}}
{{- $image := $container.image | default (include "common.imageOf" (dict "root" $ "image" (printf "%s-%s" $service.image $name))) -}}
{{- $_ := set $config (printf "%sContainer" $name) (set $container "image" $image) -}}
{{- end -}}
{{- end -}}
{{- end -}}
apiVersion: {{ $service.apiVersion }}
kind: {{ $service.kind }}
{{ toYaml $config }}
{{- end -}}

{{/* Of the core: registries are one level deeper, and the health check looks at the Deployments of its own namespace. */}}
{{- define "common.coreConfig" -}}
{{- $config := .config -}}
{{- $registry := omit ($config.registry | default dict) "oci" -}}
{{- if .oci -}}
{{- $_ := set $registry "oci" .oci -}}
{{- end -}}
{{- $_ := unset $config "registry" -}}
{{- if $registry -}}
{{- $_ := set $config "registry" $registry -}}
{{- end -}}
{{- if $config.lsDeployments -}}
{{- $name := include "common.fullname" .root -}}
{{- $health := mergeOverwrite (dict "lsController" $name "lsHealthCheckName" $name) $config.lsDeployments -}}
{{- $_ := set $config "lsDeployments" (set $health "deploymentsNamespace" .root.Release.Namespace) -}}
{{- end -}}
{{ toYaml $config }}
{{- end -}}

{{- define "common.configMap" -}}
apiVersion: v1
kind: ConfigMap
metadata:
  {{- include "common.metadata" . | nindent 2 }}
data:
  config.yaml: |
    {{- include "common.config" . | nindent 4 }}
{{- end -}}

{{/* Secrets of what users write into the values. */}}
{{- define "common.secrets" -}}
{{- $settings := include "common.kubeconfigSettings" . | fromYaml -}}
{{- $oci := include "common.oci" . | fromYaml -}}
{{- if $settings.kubeconfig }}
---
apiVersion: v1
kind: Secret
metadata:
  name: {{ include "common.fullname" . }}-landscaper-kubeconfig
  namespace: {{ include "common.namespace" . }}
  labels:
    {{- include "common.labels" . | nindent 4 }}
stringData:
  kubeconfig: |
    {{- $settings.kubeconfig | nindent 4 }}
{{- end }}
{{- if $oci.secrets }}
---
apiVersion: v1
kind: Secret
metadata:
  name: {{ include "common.fullname" . }}-registries
  namespace: {{ include "common.namespace" . }}
  labels:
    {{- include "common.labels" . | nindent 4 }}
stringData:
  {{- range $name, $content := $oci.secrets }}
  {{ $name | quote }}: {{ ternary $content (toJson $content) (kindIs "string" $content) | quote }}
  {{- end }}
{{- end }}
{{- end -}}
