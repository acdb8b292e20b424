{{/* Alerts of every service. Argument: labels of its series. */}}
{{- define "common.serviceAlerts" -}}
- alert: LandscaperDown
  expr: absent(up{ {{- . -}} } == 1)
  for: 5m
  severity: critical
  summary: No pod of the service answers
  description: Prometheus has reached no pod for five minutes. Jobs of this service stand still.
- alert: LandscaperRestarting
  expr: changes(process_start_time_seconds{ {{- . -}} }[30m]) > 3
  for: 0m
  severity: warning
  summary: A pod starts again and again
  description: The process of {{`{{ $labels.pod }}`}} has started {{`{{ $value }}`}} times in 30 minutes. Its log says why it ended.
- alert: LandscaperApiServerUnreachable
  expr: >-
    sum by (host) (increase(rest_client_requests_total{ {{- . -}} ,code="none",host!="targets"}[5m]))
    / sum by (host) (increase(rest_client_requests_total{ {{- . -}} ,host!="targets"}[5m])) > 0.5
  for: 5m
  severity: critical
  summary: Requests to an API server get no answer
  description: More than half of the requests to {{`{{ $labels.host }}`}} had no answer for five minutes.
- alert: LandscaperForbidden
  expr: sum by (host, verb, resource) (increase(rest_client_requests_total{ {{- . -}} ,code="403",host!="targets"}[15m])) > 0
  for: 5m
  severity: warning
  summary: The service lacks a right
  description: The API server {{`{{ $labels.host }}`}} refuses {{`{{ $labels.verb }} {{ $labels.resource }}`}}.
- alert: LandscaperJobsFailing
  expr: >-
    sum by (kind) (increase(landscaper_job_duration_seconds_count{ {{- . -}} ,result="Failed"}[30m]))
    / sum by (kind) (increase(landscaper_job_duration_seconds_count{ {{- . -}} }[30m])) > 0.5
    and sum by (kind) (increase(landscaper_job_duration_seconds_count{ {{- . -}} }[30m])) >= 5
  for: 10m
  severity: warning
  summary: Most jobs fail
  description: '{{`{{ $value | humanizePercentage }}`}} of the jobs of kind {{`{{ $labels.kind }}`}} failed in the last 30 minutes.'
- alert: LandscaperQueueOld
  expr: max by (controller) (landscaper_queue_oldest_age_seconds{ {{- . -}} }) > 300
  for: 5m
  severity: warning
  summary: Work waits for a worker for more than five minutes
  description: The oldest key of the controller {{`{{ $labels.controller }}`}} has waited for {{`{{ $value | humanizeDuration }}`}}.
- alert: LandscaperWorkersSaturated
  expr: >-
    (controller_runtime_active_workers{ {{- . -}} }
    - (landscaper_shares_running{ {{- . -}} } or 0 * controller_runtime_active_workers{ {{- . -}} }))
    >= controller_runtime_max_concurrent_reconciles{ {{- . -}} }
    and on (namespace, job, pod, controller) workqueue_depth{ {{- . -}} } > 0
  for: 15m
  severity: warning
  summary: All workers of a controller are at work
  description: The controller {{`{{ $labels.controller }} of {{ $labels.pod }}`}} has had no free worker for 15 minutes while work waits.
- alert: LandscaperServersResting
  expr: sum by (pod) (landscaper_circuits_open{ {{- . -}} }) > 0
  for: 15m
  severity: info
  summary: Servers of users do not answer
  description: '{{`{{ $labels.pod }}`}} has given {{`{{ $value }}`}} servers a rest for 15 minutes.'
- alert: LandscaperLeaseHeld
  expr: >-
    sum by (name) (leader_election_long_waits_total{ {{- . -}} }) > 0
    and on (name) max by (name) (leader_election_master_status{ {{- . -}} }) == 0
  for: 1m
  severity: critical
  summary: No pod of the service holds its Lease
  description: No pod has held the Lease {{`{{ $labels.name }}`}} for a minute, and a pod has waited for it longer than three lease durations.
- alert: LandscaperMainThreadBlocked
  expr: >-
    landscaper_main_thread_longest_turn_seconds{ {{- . -}} } > 1
    and changes(landscaper_main_thread_longest_turn_seconds{ {{- . -}} }[1h]) > 0
  for: 0m
  severity: warning
  summary: The main thread was busy for more than a second
  description: The main thread of {{`{{ $labels.pod }}`}} was busy for {{`{{ $value | humanizeDuration }}`}} without a pause, which puts its Leases at risk.
{{- end -}}

{{- define "common.coreAlerts" -}}
- alert: LandscaperNoLeader
  expr: max by (name) (leader_election_master_status{ {{- . -}} }) == 0
  for: 1m
  severity: critical
  summary: No pod of the core works
  description: No pod has held the Lease {{`{{ $labels.name }}`}} for a minute. Jobs neither start nor end.
- alert: LandscaperDeployItemsWaiting
  expr: max by (type) (landscaper_deploy_items_waiting{ {{- . -}} }) > 0
  for: 3m
  severity: warning
  summary: DeployItems wait for a deployer
  description: '{{`{{ $value }}`}} items of the type {{`{{ $labels.type }}`}} have waited for a deployer for three minutes.'
- alert: LandscaperNamespaceShared
  expr: max by (namespace) (landscaper_core_in_deployer_namespace{ {{- . -}} }) > 0
  for: 1h
  severity: warning
  summary: The core runs in the namespace of deployer management
  description: Agents of Environments read Secrets of the namespace {{`{{ $labels.namespace }}`}}, which has the core and its Helm release.
- alert: LandscaperEventsBehind
  expr: max by (pod) (landscaper_events_lag_seconds{ {{- . -}} }) > 120
  for: 1m
  severity: warning
  summary: CloudEvents wait for NATS
  description: The oldest event of {{`{{ $labels.pod }}`}} has waited for {{`{{ $value | humanizeDuration }}`}}. Its /readyz?verbose says why.
- alert: LandscaperEventsRefused
  expr: sum by (pod) (increase(landscaper_events_refused_total{ {{- . -}} }[15m])) > 0
  for: 0m
  severity: warning
  summary: NATS refuses CloudEvents
  description: '{{`{{ $labels.pod }}`}} gave up {{`{{ $value | humanize }}`}} events that NATS refused. Its log names their subjects.'
{{- end -}}

{{- define "common.deployerAlerts" -}}
- alert: LandscaperSharesExhausted
  expr: sum by (controller) (landscaper_shares_waiting{ {{- . -}} }) > 0
  for: 30m
  severity: info
  summary: Items wait for others to finish with their targets
  description: '{{`{{ $value }}`}} items have waited for a share of their target for 30 minutes.'
{{- end -}}

{{/* All alerts of the service, as a list. */}}
{{- define "common.alerts" -}}
{{- $labels := printf "namespace=%q,job=%q" (include "common.namespace" .) (include "common.fullname" .) -}}
{{- $section := include "common.sectionName" . -}}
{{ include "common.serviceAlerts" $labels }}
{{ include (ternary "common.coreAlerts" "common.deployerAlerts" (eq $section "landscaper")) $labels }}
{{- end -}}

{{- define "common.prometheusRule" -}}
{{- if include "common.isOn" (dict "root" . "name" "prometheusRule") -}}
{{- $values := .Values.prometheusRule -}}
{{- $namespace := include "common.namespace" . -}}
{{- $service := include "common.fullname" . -}}
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata:
  {{- include "common.metadata" . | nindent 2 }}
    {{- with $values.labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  groups:
    - name: {{ printf "%s.%s" $namespace $service }}
      rules:
        {{- range $alert := include "common.alerts" . | fromYamlArray }}
        {{- if not (has .alert $values.disabled) }}
        - alert: {{ .alert }}
          expr: {{ .expr | quote }}
          for: {{ .for }}
          labels:
            severity: {{ .severity }}
            namespace: {{ $namespace }}
            service: {{ $service }}
          annotations:
            summary: {{ .summary | quote }}
            description: {{ .description | quote }}
            {{- with $values.runbookUrl }}
            runbook_url: {{ printf "%s#%s" . (lower $alert.alert) | quote }}
            {{- end }}
        {{- end }}
        {{- end }}
{{- end -}}
{{- end -}}
