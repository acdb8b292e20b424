{{/* What the user of a release of one service should know. */}}
{{- define "common.notes" -}}
{{- $section := include "common.sectionName" . | index .Values | default dict -}}
{{- $name := include "common.fullname" . -}}
{{ .Chart.Name }} {{ .Chart.AppVersion }} runs as Deployment {{ $name }} in namespace {{ include "common.namespace" . }}.

  kubectl -n {{ include "common.namespace" . }} rollout status deployment/{{ $name }}
  kubectl -n {{ include "common.namespace" . }} logs deployment/{{ $name }}
{{- if include "common.kubeconfigSecret" . }}

{{- if eq (include "common.sectionName" .) "agent" }}
The agent keeps the Environment {{ include "common.environmentName" . }} on the landscaper cluster. "landscaper agent bootstrap" creates the Environment and the account of the agent there.
{{- else }}
The resources of Landscaper are in another cluster. Give its user the rights of the chart's folder rules/ there. To make an account with them, render
the chart without the kubeconfig, and apply its roles to that cluster:

  helm template {{ .Release.Name }} CHART -n {{ .Release.Namespace }} -s templates/serviceaccount.yaml -s templates/rbac.yaml
{{- end }}
{{- end }}
{{- if eq (include "common.sectionName" .) "landscaper" }}
{{- if not (include "common.deploysCrds" .) }}

The core leaves CRDs and admission policies alone. Apply those of this version before it starts, and with each update:

  kubectl apply -f crds/
{{- end }}
{{- else if ne (include "common.leaseNamespace" .) (include "common.namespace" .) }}

The Leases of all deployers are in namespace {{ include "common.leaseNamespace" . }} of the landscaper cluster, which has to exist.
{{- end }}
{{- if eq (include "common.sectionName" .) "agent" }}

Deployers are installed in namespace {{ include "common.podsNamespace" . | trim }}{{ if ne (include "common.podsNamespace" . | trim) (include "common.namespace" .) }}, which has to exist{{ end }}.
{{- end }}
{{- if (include "common.service" . | fromYaml).runsPods }}

Programs run as pods in namespace {{ include "common.podsNamespace" . }}{{ if include "common.createsProgramsNamespace" . }}, which the chart creates{{ else if ne (include "common.podsNamespace" .) .Release.Namespace }}, which has to exist{{ end }}.
{{- end }}
{{- range $warning := include "common.warnings" . | fromYamlArray }}

WARNING: {{ $warning }}
{{- end }}
{{- end -}}

{{/* Of values that are accepted and do not do what one might expect. */}}
{{- define "common.warnings" -}}
{{- $section := include "common.sectionName" . | index .Values | default dict -}}
{{- $name := include "common.sectionName" . -}}
{{- $egress := (include "common.config" . | fromYaml).egress | default dict -}}
{{- if and $section.namespace (eq $name "deployer") (not (include "common.service" . | fromYaml).runsPods) }}
- {{ printf "deployer.namespace (%s) has no effect: the deployer makes no pods of its own." $section.namespace | quote }}
{{- end }}
{{- if $section.k8sClientSettings }}
- {{ printf "%s.k8sClientSettings has no effect: at most 64 requests are in flight, and the API server shares its time fairly." $name | quote }}
{{- end }}
{{- if and (ne $name "landscaper") (or (.Values.nats | default dict).url (.Values.nats | default dict).secretRef) }}
- {{ "nats has no effect: the core publishes the events. Remove the value." | quote }}
{{- end }}
{{- if and (eq (toString $egress.profile) "hardened") (not $egress.clusterCIDRs) }}
- {{ printf "%s.egress.clusterCIDRs is empty: the profile hardened denies the networks of Pods, Services and nodes only if they are named." $name | quote }}
{{- end }}
{{- if and (include "common.service" . | fromYaml).runsPods (eq (include "common.podsNamespace" .) .Release.Namespace) }}
- {{ printf "Programs of users run in the namespace of the release (%s). The deployer may read and write all its Secrets, such as the records of Helm. Move the programs: README.md of the chart, \"Move programs to another namespace\"." .Release.Namespace | quote }}
{{- end }}
{{- if eq $name "landscaper" }}
{{- with include "common.sharedNamespaceWarning" . }}
- {{ . | quote }}
{{- end }}
{{- end }}
{{- if and (not .Values.rbac.create) (not (include "common.kubeconfigSecret" .)) }}
- {{ printf "rbac.create is false. Give the account %s the rights of the chart's folder rules/." (include "common.serviceAccountName" .) | quote }}
{{- end }}
{{- end -}}
