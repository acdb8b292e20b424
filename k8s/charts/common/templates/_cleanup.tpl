{{/* Values of the cleanup. An upgrade with --reuse-values from a release without a cleanup has none of them. */}}
{{- define "common.cleanup" -}}
{{- $resources := dict "requests" (dict "cpu" "50m" "memory" "96Mi") "limits" (dict "memory" "384Mi") -}}
{{- $defaults := dict "enabled" true "keepState" false "timeoutSeconds" (ternary 480 120 (eq (include "common.sectionName" .) "deployer")) "resources" $resources -}}
{{ mergeOverwrite $defaults (.Values.cleanup | default dict) | toYaml }}
{{- end -}}

{{/* Labels of the cleanup. Not those by which the Deployment selects its Pods: the cleanup waits until these have ended. */}}
{{- define "common.cleanupLabels" -}}
app.kubernetes.io/name: {{ printf "%s-cleanup" (include "common.name" .) | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/part-of: landscaper
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{/* metadata of an object of the cleanup: a hook, which is deleted when the cleanup has succeeded. Arguments: root, name, namespace, weight. */}}
{{- define "common.cleanupMetadata" -}}
name: {{ .name | quote }}
namespace: {{ .namespace }}
labels:
  {{- include "common.cleanupLabels" .root | nindent 2 }}
annotations:
  helm.sh/hook: pre-delete
  helm.sh/hook-weight: {{ .weight | quote }}
  helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
  helm.sh/hook-output-log-policy: hook-failed
{{- end -}}

{{/* Role with a file of rules/, and its binding to the account of the cleanup. Arguments: root, name, namespace, file, account. */}}
{{- define "common.cleanupRole" }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  {{- include "common.cleanupMetadata" (dict "root" .root "name" .name "namespace" .namespace "weight" "-1") | nindent 2 }}
rules:
  {{- include "common.rules" (dict "root" .root "file" .file) | nindent 2 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  {{- include "common.cleanupMetadata" (dict "root" .root "name" .name "namespace" .namespace "weight" "-1") | nindent 2 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: {{ .name | quote }}
subjects:
  - kind: ServiceAccount
    name: {{ .account }}
    namespace: {{ .root.Release.Namespace }}
{{- end }}

{{/*
The Job that runs the command cleanup of the image. Arguments: root, account, args (a list), usesLandscaperCluster (whether the command needs the
kubeconfig of the landscaper cluster and what the operator mounts for it).
*/}}
{{- define "common.cleanupJob" }}
{{- $root := .root }}
{{- $cleanup := include "common.cleanup" $root | fromYaml }}
{{- if and (include "common.isOn" (dict "root" $root "name" "networkPolicy")) $root.Values.networkPolicy.egress }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "common.cleanupMetadata" (dict "root" $root "name" (printf "%s-cleanup" (include "common.fullname" $root)) "namespace" $root.Release.Namespace "weight" "-1") | nindent 2 }}
spec:
  podSelector:
    matchLabels:
      {{- include "common.cleanupLabels" $root | nindent 6 }}
  policyTypes:
    - Ingress
    - Egress
  {{- include "common.egress" $root | nindent 2 }}
{{- end }}
{{- $global := ($root.Values.global | default dict).landscaper | default dict }}
{{- $kubeconfig := include "common.kubeconfigSecret" $root | fromYaml }}
---
apiVersion: batch/v1
kind: Job
metadata:
  {{- include "common.cleanupMetadata" (dict "root" $root "name" (printf "%s-cleanup" (include "common.fullname" $root)) "namespace" $root.Release.Namespace "weight" "0") | nindent 2 }}
spec:
  backoffLimit: 0
  activeDeadlineSeconds: {{ add $cleanup.timeoutSeconds 120 }}
  # A Pod that loses its node is replaced: the cleanup can be repeated.
  podFailurePolicy:
    rules:
      - action: Ignore
        onPodConditions:
          - type: DisruptionTarget
            status: "True"
  template:
    metadata:
      labels:
        {{- include "common.cleanupLabels" $root | nindent 8 }}
        {{- with $root.Values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with $root.Values.podAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      restartPolicy: Never
      serviceAccountName: {{ .account }}
      automountServiceAccountToken: true
      {{- with $root.Values.imagePullSecrets | default $global.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $root.Values.priorityClassName }}
      priorityClassName: {{ . }}
      {{- end }}
      securityContext:
        {{- include "common.podSecurityContext" $root | nindent 8 }}
      containers:
        - name: cleanup
          image: {{ include "common.image" $root | quote }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy | default ($global.image | default dict).pullPolicy | default "IfNotPresent" }}
          args:
            - cleanup
            {{- range .args }}
            - {{ . }}
            {{- end }}
            - --deployment={{ $root.Release.Namespace }}/{{ include "common.fullname" $root }}
            - --timeout={{ $cleanup.timeoutSeconds }}s
          {{- with $root.Values.extraEnv }}
          env:
            {{- toYaml . | nindent 12 }}
          {{- end }}
          terminationMessagePolicy: FallbackToLogsOnError
          securityContext:
            {{- include "common.securityContext" $root | nindent 12 }}
          resources:
            {{- toYaml $cleanup.resources | nindent 12 }}
          volumeMounts:
            - name: tmp
              mountPath: /tmp
            {{- if and .usesLandscaperCluster $kubeconfig }}
            - name: landscaper-cluster-kubeconfig
              mountPath: /app/ls/landscaper-cluster-kubeconfig
              readOnly: true
            {{- end }}
            {{- with ternary $root.Values.extraVolumeMounts list .usesLandscaperCluster }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
      volumes:
        - name: tmp
          emptyDir:
            sizeLimit: {{ $root.Values.tmpSizeLimit }}
        {{- if and .usesLandscaperCluster $kubeconfig }}
        - name: landscaper-cluster-kubeconfig
          secret:
            secretName: {{ $kubeconfig.name | quote }}
            defaultMode: 0440
            items:
              - key: {{ $kubeconfig.key | quote }}
                path: kubeconfig
        {{- end }}
        {{- with ternary $root.Values.extraVolumes list .usesLandscaperCluster }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with $root.Values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $root.Values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end }}
