{{/*
A reference to a Secret as users write it, a name or {name, key}, as {name, key}. Arguments: ref, key (the default).
*/}}
{{- define "common.secretRef" -}}
{{- if kindIs "string" .ref -}}
name: {{ .ref | quote }}
key: {{ .key | quote }}
{{- else -}}
name: {{ .ref.name | quote }}
key: {{ default .key .ref.key | quote }}
{{- end -}}
{{- end -}}

{{/* The settings of the kubeconfig that count: those of the chart, else the shared ones. */}}
{{- define "common.kubeconfigSettings" -}}
{{- $section := include "common.sectionName" . | index .Values | default dict -}}
{{- $global := (.Values.global | default dict).landscaper | default dict -}}
{{- $own := $section.landscaperClusterKubeconfig | default dict -}}
{{- $settings := ternary $own ($global.landscaperClusterKubeconfig | default dict) (or (not (empty $own.secretRef)) (not (empty $own.kubeconfig))) -}}
{{- if and $settings.secretRef $settings.kubeconfig -}}
{{- fail (printf "%s.landscaperClusterKubeconfig: set secretRef or kubeconfig, not both" (include "common.sectionName" .)) -}}
{{- end -}}
{{ $settings | toYaml }}
{{- end -}}

{{/* {name, key} of the Secret with the kubeconfig of the landscaper cluster; empty where that is the cluster of the release. */}}
{{- define "common.kubeconfigSecret" -}}
{{- $settings := include "common.kubeconfigSettings" . | fromYaml -}}
{{- if $settings.secretRef -}}
{{ include "common.secretRef" (dict "ref" $settings.secretRef "key" "kubeconfig") }}
{{- else if $settings.kubeconfig -}}
name: {{ include "common.fullname" . }}-landscaper-kubeconfig
key: kubeconfig
{{- end -}}
{{- end -}}

{{/* The variable NATS_URL; empty if no events are published. */}}
{{- define "common.natsEnv" -}}
{{- $global := (.Values.global | default dict).landscaper | default dict -}}
{{- $own := .Values.nats | default dict -}}
{{- $nats := ternary $own ($global.nats | default dict) (or (not (empty $own.url)) (not (empty $own.secretRef))) -}}
{{- if and $nats.url $nats.secretRef -}}
{{- fail "nats: set url or secretRef, not both" -}}
{{- end -}}
{{- if contains "@" ($nats.url | default "") -}}
{{- fail "nats.url: expected a URL without credentials, which belong into a Secret: use nats.secretRef" -}}
{{- end -}}
{{- if $nats.secretRef -}}
{{- $ref := include "common.secretRef" (dict "ref" $nats.secretRef "key" "url") | fromYaml -}}
- name: NATS_URL
  valueFrom:
    secretKeyRef:
      name: {{ $ref.name | quote }}
      key: {{ $ref.key | quote }}
{{- else if $nats.url -}}
- name: NATS_URL
  value: {{ $nats.url | quote }}
{{- end -}}
{{- end -}}

{{/* Namespace of the Leases of all deployers. */}}
{{- define "common.leaseNamespace" -}}
{{- $section := include "common.sectionName" . | index .Values | default dict -}}
{{- $global := (.Values.global | default dict).landscaper | default dict -}}
{{ $section.leaseNamespace | default $global.leaseNamespace | default "ls-system" }}
{{- end -}}
