{{/* The image with its tag or digest. */}}
{{- define "common.image" -}}
{{- $service := include "common.service" . | fromYaml -}}
{{ include "common.imageOf" (dict "root" . "image" $service.image "values" .Values.image) }}
{{- end -}}

{{/* An image of this version with its tag or digest. Arguments: root, image (its name), values (repository and tag, if the chart has them). */}}
{{- define "common.imageOf" -}}
{{- $global := ((.root.Values.global | default dict).landscaper | default dict).image | default dict -}}
{{- $values := .values | default dict -}}
{{- $repository := $values.repository | default (printf "%s%s" ($global.prefix | default "landscaper/") .image) -}}
{{- $tag := $values.tag | default $global.tag | default .root.Chart.AppVersion -}}
{{ printf "%s%s%s" $repository (ternary "@" ":" (hasPrefix "sha256:" $tag)) $tag }}
{{- end -}}

{{- define "common.args" -}}
{{- $section := include "common.sectionName" . | index .Values | default dict -}}
- --config=/app/ls/config/config.yaml
{{- if include "common.kubeconfigSecret" . }}
- --landscaper-kubeconfig=/app/ls/landscaper-cluster-kubeconfig/kubeconfig
{{- end }}
{{- if eq (include "common.sectionName" .) "landscaper" }}
- --leader-elect
{{- with $section.leaseDuration }}
- --leader-elect-lease-duration={{ . }}
{{- end }}
{{- else }}
- --lease-namespace={{ include "common.leaseNamespace" . }}
{{- with $section.leaseDuration }}
- --lease-duration={{ . }}
{{- end }}
{{- end }}
{{- if hasKey $section "verbosityLevel" }}
- --verbosity={{ $section.verbosityLevel }}
{{- end }}
{{- end -}}

{{- define "common.env" -}}
{{- $section := include "common.sectionName" . | index .Values | default dict -}}
{{- $settings := $section.k8sClientSettings | default dict -}}
- name: MY_POD_NAME
  valueFrom:
    fieldRef:
      fieldPath: metadata.name
- name: MY_POD_NAMESPACE
  valueFrom:
    fieldRef:
      fieldPath: metadata.namespace
{{- range $client, $name := dict "hostClient" "HOST" "resourceClient" "RESOURCE" }}
{{- range $field, $value := index $settings $client | default dict }}
- name: LS_{{ $name }}_CLIENT_{{ upper $field }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}
{{- if eq (include "common.sectionName" .) "landscaper" }}
{{- with include "common.natsEnv" . }}
{{ . }}
{{- end }}
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "common.podSecurityContext" -}}
{{- $restricted := dict "runAsNonRoot" true "runAsUser" 65532 "runAsGroup" 65532 "fsGroup" 65532 "seccompProfile" (dict "type" "RuntimeDefault") -}}
{{ mergeOverwrite $restricted (.Values.podSecurityContext | default dict) | toYaml }}
{{- end -}}

{{- define "common.securityContext" -}}
{{- $restricted := dict "allowPrivilegeEscalation" false "readOnlyRootFilesystem" true "capabilities" (dict "drop" (list "ALL")) -}}
{{ mergeOverwrite $restricted (.Values.securityContext | default dict) | toYaml }}
{{- end -}}

{{- define "common.volumeMounts" -}}
- name: config
  mountPath: /app/ls/config
  readOnly: true
- name: tmp
  mountPath: /tmp
{{- if include "common.kubeconfigSecret" . }}
- name: landscaper-cluster-kubeconfig
  mountPath: /app/ls/landscaper-cluster-kubeconfig
  readOnly: true
{{- end }}
{{- if include "common.registryFiles" . | fromYamlArray }}
- name: registry-secrets
  mountPath: /app/ls/registry/secrets
  readOnly: true
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "common.volumes" -}}
{{- $oci := include "common.oci" . | fromYaml -}}
- name: config
  configMap:
    name: {{ include "common.fullname" . }}
- name: tmp
  emptyDir:
    sizeLimit: {{ .Values.tmpSizeLimit }}
{{- with include "common.kubeconfigSecret" . | fromYaml }}
- name: landscaper-cluster-kubeconfig
  secret:
    secretName: {{ .name | quote }}
    defaultMode: 0440
    items:
      - key: {{ .key | quote }}
        path: kubeconfig
{{- end }}
{{- if include "common.registryFiles" . | fromYamlArray }}
- name: registry-secrets
  projected:
    defaultMode: 0440
    sources:
      {{- if $oci.secrets }}
      - secret:
          name: {{ include "common.fullname" . }}-registries
      {{- end }}
      {{- range $oci.secretRefs }}
      - secret:
          name: {{ . | quote }}
          items:
            - key: .dockerconfigjson
              path: refs/{{ . }}
      {{- end }}
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Spreads several replicas over zones and nodes, as far as there are some. */}}
{{- define "common.topologySpread" -}}
{{- if .Values.topologySpreadConstraints -}}
{{ toYaml .Values.topologySpreadConstraints }}
{{- else if eq (include "common.isReplicated" .) "true" -}}
{{- $labels := include "common.selectorLabels" . -}}
{{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
- topologyKey: {{ $key }}
  maxSkew: 1
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- $labels | nindent 6 }}
{{- end }}
{{- end -}}
{{- end -}}
