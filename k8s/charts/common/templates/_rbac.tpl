{{/* Binding of a role to the account of the release. Arguments: root, kind, name, namespace (of a Role), role (name of the role, if it differs from the name of the binding). */}}
{{- define "common.binding" -}}
apiVersion: rbac.authorization.k8s.io/v1
kind: {{ .kind }}Binding
metadata:
  name: {{ .name | quote }}
  {{- with .namespace }}
  namespace: {{ . }}
  {{- end }}
  labels:
    {{- include "common.labels" .root | nindent 4 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: {{ .kind }}
  name: {{ .role | default .name | quote }}
subjects:
  - kind: ServiceAccount
    name: {{ include "common.serviceAccountName" .root }}
    namespace: {{ include "common.namespace" .root }}
{{- end -}}

{{/* A list of rules of the chart's folder rules/. Arguments: root, file. */}}
{{- define "common.rules" -}}
{{- $path := printf "rules/%s.yaml" .file -}}
{{- $rules := required (printf "the chart %s has no %s" .root.Chart.Name $path) (.root.Files.Get $path) | trim -}}
{{- if eq (include "common.sectionName" .root) "agent" -}}
{{- $rules = replace "ENVIRONMENT" (include "common.environmentName" .root) $rules -}}
{{- end -}}
{{- $rules = replace "DEPLOYMENT" (include "common.fullname" .root) $rules -}}
{{ $rules }}
{{- end -}}

{{/* Role of files of rules/, with its binding. Arguments: root, kind, name, namespace (of a Role), files. */}}
{{- define "common.role" -}}
{{- $root := .root }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: {{ .kind }}
metadata:
  name: {{ .name | quote }}
  {{- with .namespace }}
  namespace: {{ . }}
  {{- end }}
  labels:
    {{- include "common.labels" .root | nindent 4 }}
rules:
  {{- range .files }}
  {{- include "common.rules" (dict "root" $root "file" .) | nindent 2 }}
  {{- end }}
---
{{ include "common.binding" . }}
{{- end -}}

{{/* Rights on the landscaper cluster; not where that is another one than the cluster of the release. */}}
{{- define "common.landscaperClusterRbac" -}}
{{- if and .Values.rbac.create (not (include "common.kubeconfigSecret" .)) -}}
{{- $sectionName := include "common.sectionName" . -}}
{{- $files := list "landscaper-cluster" -}}
{{- if and (eq $sectionName "landscaper") (include "common.deploysCrds" .) -}}
{{- $files = append $files "landscaper-crds" -}}
{{- end -}}
{{- if and (eq $sectionName "landscaper") (include "common.managesDeployers" .) -}}
{{- $files = append $files "landscaper-deployer-management" -}}
{{- end -}}
{{- $root := . -}}
{{- /* Those of an agent are of its Environment. */}}
{{- $namespaces := ternary list ((index .Values $sectionName | default dict).namespaces | default list) (eq $sectionName "agent") -}}
{{- range $namespaces -}}
{{- include "common.role" (dict "root" $root "kind" "Role" "name" (printf "%s:items" (include "common.clusterName" $root)) "namespace" . "files" $files) }}
{{- else -}}
{{- include "common.role" (dict "root" $root "kind" "ClusterRole" "name" (include "common.clusterName" $root) "files" $files) }}
{{- end -}}
{{- if eq $sectionName "agent" -}}
{{- $namespace := (index .Values $sectionName).landscaperNamespace | default "ls-system" -}}
{{- include "common.role" (dict "root" . "kind" "Role" "name" (printf "%s:items" (include "common.clusterName" .)) "namespace" $namespace "files" (list "landscaper-namespace")) }}
{{- /* The core keeps this Role, which lists the Secrets that the agent reads. */}}
---
{{ include "common.binding" (dict "root" . "kind" "Role" "name" (printf "%s:secrets" (include "common.clusterName" .)) "namespace" $namespace "role" (printf "landscaper:agent:secrets:%s" (include "common.environmentName" .))) }}
{{- end -}}
{{- if ne $sectionName "landscaper" -}}
{{- $namespace := include "common.leaseNamespace" . -}}
{{- $name := ternary (include "common.fullname" .) (include "common.clusterName" .) (eq $namespace (include "common.namespace" .)) -}}
{{- include "common.role" (dict "root" . "kind" "Role" "name" $name "namespace" $namespace "files" (list "landscaper-lease-namespace")) }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* "true" if the core brings the CRDs. */}}
{{- define "common.deploysCrds" -}}
{{- $section := include "common.sectionName" . | index .Values | default dict -}}
{{- $crds := $section.crdManagement | default dict -}}
{{- if ne (toString $crds.deployCrd) "false" -}}true{{- end -}}
{{- end -}}

{{/* "true" if the core manages deployers. */}}
{{- define "common.managesDeployers" -}}
{{- $section := include "common.sectionName" . | index .Values | default dict -}}
{{- $management := $section.deployerManagement | default dict -}}
{{- if ne (toString $management.disable) "true" -}}true{{- end -}}
{{- end -}}

{{/* Rights of the core in the cluster that it runs in. */}}
{{- define "common.hostRbac" -}}
{{- if .Values.rbac.create -}}
{{- $section := include "common.sectionName" . | index .Values | default dict -}}
{{- $files := list "host-namespace" -}}
{{- if $section.lsDeployments -}}
{{- $files = append $files "host-health-check" -}}
{{- end -}}
{{- include "common.role" (dict "root" . "kind" "Role" "name" (include "common.fullname" .) "namespace" .Release.Namespace "files" $files) }}
{{- if and (include "common.kubeconfigSecret" .) (include "common.deploysCrds" .) -}}
{{- include "common.role" (dict "root" . "kind" "ClusterRole" "name" (include "common.clusterName" .) "files" (list "host-crds")) }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Namespace of the pods that a deployer makes, or of the deployers of an agent. */}}
{{- define "common.podsNamespace" -}}
{{- $section := include "common.sectionName" . | index .Values | default dict -}}
{{- if and (not $section.namespace) (include "common.service" . | fromYaml).runsPods -}}
{{ include "common.programsNamespace" . }}
{{- else -}}
{{ $section.namespace | default (include "common.namespace" .) }}
{{- end -}}
{{- end -}}

{{/* Rights of a deployer in the namespace of its pods, in the cluster that it runs in. */}}
{{- define "common.podsRbac" -}}
{{- if .Values.rbac.create -}}
{{- $namespace := include "common.podsNamespace" . -}}
{{- $name := ternary (printf "%s-pods" (include "common.fullname" .)) (printf "%s:pods" (include "common.clusterName" .)) (eq $namespace (include "common.namespace" .)) -}}
{{- include "common.role" (dict "root" . "kind" "Role" "name" $name "namespace" $namespace "files" (list "host-namespace")) }}
{{- end -}}
{{- end -}}

{{/* Rights of an agent in the cluster that it runs in. */}}
{{- define "common.agentRbac" -}}
{{- if .Values.rbac.create -}}
{{- $namespace := include "common.podsNamespace" . | trim -}}
{{- include "common.role" (dict "root" . "kind" "ClusterRole" "name" (printf "%s:host" (include "common.clusterName" .)) "files" (list "host-cluster")) }}
{{- $name := ternary (printf "%s-host" (include "common.fullname" .)) (printf "%s:host" (include "common.clusterName" .)) (eq $namespace (include "common.namespace" .)) -}}
{{- include "common.role" (dict "root" . "kind" "Role" "name" $name "namespace" $namespace "files" (list "host-namespace")) }}
{{- end -}}
{{- end -}}

{{/* Roles of users, aggregated to those that Kubernetes has. */}}
{{- define "common.userRoles" -}}
{{- if and .Values.userRoles.create (not (include "common.kubeconfigSecret" .)) }}
{{- range $role := list "admin" "edit" "view" }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: landscaper-{{ $role }}
  labels:
    {{- include "common.labels" $ | nindent 4 }}
    rbac.authorization.k8s.io/aggregate-to-{{ $role }}: "true"
rules:
  {{- include "common.rules" (dict "root" $ "file" (printf "users/%s" $role)) | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}
