{{/* Labels of the cleanup. Not those by which the Deployment selects its Pods: the cleanup waits until these have ended. */}}
{{- define "container-deployer.cleanupLabels" -}}
app.kubernetes.io/name: {{ printf "%s-cleanup" (include "common.name" .) | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/part-of: landscaper
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{/* metadata of an object of the cleanup: a hook, which goes when the cleanup has succeeded. Arguments: root, name, namespace, weight. */}}
{{- define "container-deployer.cleanupMetadata" -}}
name: {{ .name | quote }}
namespace: {{ .namespace }}
labels:
  {{- include "container-deployer.cleanupLabels" .root | nindent 2 }}
annotations:
  helm.sh/hook: pre-delete
  helm.sh/hook-weight: {{ .weight | quote }}
  helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
  helm.sh/hook-output-log-policy: hook-failed
{{- end -}}

{{/* Role with a file of rules/, and its binding to the account of the cleanup. Arguments: root, name, namespace, file. */}}
{{- define "container-deployer.cleanupRole" }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  {{- include "container-deployer.cleanupMetadata" (dict "root" .root "name" .name "namespace" .namespace "weight" "-1") | nindent 2 }}
rules:
  {{- include "common.rules" (dict "root" .root "file" .file) | nindent 2 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  {{- include "container-deployer.cleanupMetadata" (dict "root" .root "name" .name "namespace" .namespace "weight" "-1") | nindent 2 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: {{ .name | quote }}
subjects:
  - kind: ServiceAccount
    name: {{ include "common.fullname" .root }}-cleanup
    namespace: {{ .root.Release.Namespace }}
{{- end }}
