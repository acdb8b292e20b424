{{/*
Namespace of the chart's objects: the namespace of the release, unless the values place an agent in the namespace of deployer management. The agent of an
existing release stays where it is, because another namespace would reinstall its deployers.
*/}}
{{- define "common.namespace" -}}
{{- $section := include "common.sectionName" . | index .Values | default dict -}}
{{- if and (eq (include "common.sectionName" .) "agent") $section.inLandscaperNamespace (not (include "common.isInReleaseNamespace" .)) -}}
{{ $section.landscaperNamespace | default "ls-system" }}
{{- else -}}
{{ .Release.Namespace }}
{{- end -}}
{{- end -}}

{{/* "true" if an earlier revision has created the Deployment in the namespace of the release. */}}
{{- define "common.isInReleaseNamespace" -}}
{{- if and .Release.IsUpgrade (lookup "apps/v1" "Deployment" .Release.Namespace (include "common.fullname" .)) -}}true{{- end -}}
{{- end -}}

{{/* Namespace of deployer management, if the core manages deployers in the cluster of the release; else empty. */}}
{{- define "common.managementNamespace" -}}
{{- $section := include "common.sectionName" . | index .Values | default dict -}}
{{- if and (include "common.managesDeployers" .) (not (include "common.kubeconfigSecret" .)) -}}
{{ ($section.deployerManagement | default dict).namespace | default "ls-system" }}
{{- end -}}
{{- end -}}

{{/* "true" if the core would run in the namespace of deployer management. */}}
{{- define "common.sharesNamespace" -}}
{{- if eq (include "common.managementNamespace" .) .Release.Namespace -}}true{{- end -}}
{{- end -}}

{{/* "true" unless the values of the core forbid it. `helm upgrade --reuse-values` of an earlier release has no such value. */}}
{{- define "common.mayCreateNamespace" -}}
{{- $settings := .Values.managementNamespace | default dict -}}
{{- if ne (toString $settings.create) "false" -}}true{{- end -}}
{{- end -}}

{{/* Name of the namespace of deployer management, if the chart of the core creates it; else empty. */}}
{{- define "common.createdNamespace" -}}
{{- if and (include "common.mayCreateNamespace" .) (not (include "common.sharesNamespace" .)) -}}
{{ include "common.managementNamespace" . }}
{{- end -}}
{{- end -}}

{{/* Fails at a first install into the namespace of deployer management. */}}
{{- define "common.demandTwoNamespaces" -}}
{{- if and .Release.IsInstall (include "common.sharesNamespace" .) (not (.Values.managementNamespace | default dict).allowShared) -}}
{{- fail (printf "the namespace of the release (%s) must differ from the namespace of deployer management (landscaper.deployerManagement.namespace: %s), because agents of Environments read Secrets there. Install into another namespace: --namespace landscaper-system --create-namespace. To render a hub that exists, use helm template --is-upgrade, or set managementNamespace.allowShared to true" .Release.Namespace (include "common.managementNamespace" .)) -}}
{{- end -}}
{{- end -}}

{{/*
Namespace of the programs of users if the values name none. A live release keeps the namespace that it has, because the states of programs are there.
*/}}
{{- define "common.programsNamespace" -}}
{{- $live := lookup "v1" "ConfigMap" .Release.Namespace (include "common.fullname" .) | default dict -}}
{{- $config := get ($live.data | default dict) "config.yaml" | default "{}" | fromYaml -}}
{{- ternary ($config.namespace | default "") "" .Release.IsUpgrade | default (include "common.ownProgramsNamespace" .) -}}
{{- end -}}

{{/* "true" if the chart creates the namespace of programs. */}}
{{- define "common.createsProgramsNamespace" -}}
{{- $section := include "common.sectionName" . | index .Values | default dict -}}
{{- if and (not $section.namespace) (eq (include "common.programsNamespace" .) (include "common.ownProgramsNamespace" .)) -}}true{{- end -}}
{{- end -}}

{{/* Namespace that the chart creates for programs. The deployer may read and write all its Secrets, so it is not the namespace of the release. */}}
{{- define "common.ownProgramsNamespace" -}}
{{ printf "%s-programs" (.Release.Namespace | trunc 54 | trimSuffix "-") }}
{{- end -}}

{{/* Warning for the notes of a hub in one namespace; else empty. */}}
{{- define "common.sharedNamespaceWarning" -}}
{{- if include "common.sharesNamespace" . -}}
{{ printf "The core runs in the namespace of deployer management (%s), whose Secrets agents of Environments read. Move the release to a namespace of its own: landscaper hub move --release %s --from %s --to landscaper-system (docs/guide/install.md#two-namespaces)." .Release.Namespace .Release.Name .Release.Namespace }}
{{- end -}}
{{- end -}}

{{/*
A Namespace that Helm keeps at the end of the release. One that exists and does not belong to this release is left alone. Arguments: root, name, labels (optional).
*/}}
{{- define "common.keptNamespace" -}}
{{- $live := lookup "v1" "Namespace" "" .name -}}
{{- $notes := ($live.metadata | default dict).annotations | default dict -}}
{{- $isOwn := and (eq (get $notes "meta.helm.sh/release-name") .root.Release.Name) (eq (get $notes "meta.helm.sh/release-namespace") .root.Release.Namespace) -}}
{{- if or (not $live) $isOwn }}
apiVersion: v1
kind: Namespace
metadata:
  name: {{ .name }}
  labels:
    {{- include "common.labels" .root | nindent 4 }}
    {{- with .labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    helm.sh/resource-policy: keep
{{- end }}
{{- end -}}
