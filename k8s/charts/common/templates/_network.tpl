{{- define "common.metricsService" -}}
apiVersion: v1
kind: Service
metadata:
  {{- include "common.metadata" . | nindent 2 }}
spec:
  # Of all pods, also of those that are not ready: their metrics say why.
  clusterIP: None
  publishNotReadyAddresses: true
  selector:
    {{- include "common.selectorLabels" . | nindent 4 }}
  ports:
    - name: http-metrics
      port: 8080
      targetPort: http-metrics
      protocol: TCP
{{- end -}}

{{/* "true" if a switch is on in the chart or for all charts. Arguments: root, name. */}}
{{- define "common.isOn" -}}
{{- $global := index ((.root.Values.global | default dict).landscaper | default dict) .name | default dict -}}
{{- if or (index .root.Values .name).enabled $global.enabled -}}true{{- end -}}
{{- end -}}

{{- define "common.networkPolicy" -}}
{{- if include "common.isOn" (dict "root" . "name" "networkPolicy") -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "common.metadata" . | nindent 2 }}
spec:
  podSelector:
    matchLabels:
      {{- include "common.selectorLabels" . | nindent 6 }}
  policyTypes:
    - Ingress
    {{- if .Values.networkPolicy.egress }}
    - Egress
    {{- end }}
  ingress:
    - ports:
        - port: http-metrics
          protocol: TCP
      {{- with .Values.networkPolicy.metricsFrom }}
      from:
        {{- toYaml . | nindent 8 }}
      {{- end }}
  {{- include "common.egress" . | nindent 2 }}
{{- end -}}
{{- end -}}

{{/* The field egress of a NetworkPolicy: DNS and what the operator permits. Nothing if the operator restricts nothing. */}}
{{- define "common.egress" -}}
{{- with .Values.networkPolicy.egress -}}
egress:
  - ports:
      - port: 53
        protocol: UDP
      - port: 53
        protocol: TCP
  {{- toYaml . | nindent 2 }}
{{- end -}}
{{- end -}}
