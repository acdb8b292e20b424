{{/* "true" if there is always more than one pod. */}}
{{- define "common.isReplicated" -}}
{{ gt (int .Values.replicaCount) 1 }}
{{- end -}}

{{- define "common.isScaled" -}}
{{- if gt (int .Values.hpa.maxReplicas) 1 -}}
{{- if lt (int .Values.hpa.maxReplicas) (int .Values.replicaCount) -}}
{{- fail (printf "hpa.maxReplicas: expected at least replicaCount (%d), found %d" (int .Values.replicaCount) (int .Values.hpa.maxReplicas)) -}}
{{- end -}}
true
{{- end -}}
{{- end -}}

{{- define "common.probe" -}}
httpGet:
  path: {{ . }}
  port: http-metrics
timeoutSeconds: 5
{{- end -}}

{{- define "common.deployment" -}}
{{- $global := (.Values.global | default dict).landscaper | default dict -}}
{{- $secrets := include "common.secrets" . -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  {{- include "common.metadata" . | nindent 2 }}
spec:
  {{- if not (include "common.isScaled" .) }}
  replicas: {{ .Values.replicaCount }}
  {{- end }}
  revisionHistoryLimit: 5
  strategy:
    type: {{ .Values.updateStrategy.type }}
    {{- if eq .Values.updateStrategy.type "RollingUpdate" }}
    rollingUpdate:
      maxSurge: 1
      maxUnavailable: 0
    {{- end }}
  selector:
    matchLabels:
      {{- include "common.selectorLabels" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "common.labels" . | nindent 8 }}
        {{- with .Values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      annotations:
        checksum/config: {{ include "common.config" . | sha256sum }}
        {{- if $secrets }}
        checksum/secrets: {{ $secrets | sha256sum }}
        {{- end }}
        {{- with .Values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ include "common.serviceAccountName" . }}
      automountServiceAccountToken: true
      {{- with .Values.imagePullSecrets | default $global.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .Values.priorityClassName }}
      priorityClassName: {{ . }}
      {{- end }}
      securityContext:
        {{- include "common.podSecurityContext" . | nindent 8 }}
      terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
      containers:
        - name: {{ .Chart.Name }}
          image: {{ include "common.image" . | quote }}
          imagePullPolicy: {{ .Values.image.pullPolicy | default ($global.image | default dict).pullPolicy | default "IfNotPresent" }}
          args:
            {{- include "common.args" . | nindent 12 }}
          env:
            {{- include "common.env" . | nindent 12 }}
          ports:
            - name: http-metrics
              containerPort: 8080
              protocol: TCP
          # A service waits for API servers that are away, and says so on /readyz: only a process that hangs is restarted.
          startupProbe:
            {{- include "common.probe" "/healthz" | nindent 12 }}
            periodSeconds: 2
            failureThreshold: 150
          livenessProbe:
            {{- include "common.probe" "/healthz" | nindent 12 }}
            periodSeconds: 15
            failureThreshold: 4
          readinessProbe:
            {{- include "common.probe" "/readyz" | nindent 12 }}
            periodSeconds: 5
          securityContext:
            {{- include "common.securityContext" . | nindent 12 }}
          resources:
            {{- toYaml .Values.resources | nindent 12 }}
          volumeMounts:
            {{- include "common.volumeMounts" . | nindent 12 }}
      volumes:
        {{- include "common.volumes" . | nindent 8 }}
      {{- with .Values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .Values.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .Values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with include "common.topologySpread" . }}
      topologySpreadConstraints:
        {{- . | trim | nindent 8 }}
      {{- end }}
{{- end -}}

{{- define "common.availability" -}}
{{- if eq (include "common.isReplicated" .) "true" }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "common.metadata" . | nindent 2 }}
spec:
  maxUnavailable: {{ .Values.podDisruptionBudget.maxUnavailable }}
  selector:
    matchLabels:
      {{- include "common.selectorLabels" . | nindent 6 }}
{{- end }}
{{- if include "common.isScaled" . }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  {{- include "common.metadata" . | nindent 2 }}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ include "common.fullname" . }}
  minReplicas: {{ .Values.replicaCount }}
  maxReplicas: {{ .Values.hpa.maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: {{ .Values.hpa.averageCpuUtilization }}
    - type: Resource
      resource:
        name: memory
        target:
          type: Utilization
          averageUtilization: {{ .Values.hpa.averageMemoryUtilization }}
{{- end }}
{{- end -}}

{{- define "common.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "common.serviceAccountName" . }}
  namespace: {{ include "common.namespace" . }}
  labels:
    {{- include "common.labels" . | nindent 4 }}
  {{- with .Values.serviceAccount.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
automountServiceAccountToken: false
{{- end -}}
{{- end -}}
