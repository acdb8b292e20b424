import { stringify } from "yaml";

/**
 * A ConfigMap with a text, another one that comes and goes by a value, an object that no API server takes, and a Job as a hook of the events
 * that a value says.
 */
export const stuckChart: Readonly<Record<string, string>> = {
  "Chart.yaml": stringify({ apiVersion: "v2", name: "stuck", version: "0.1.0" }),
  "values.yaml": stringify({ text: "default", extra: "", waitAt: "", isBroken: false }),
  "templates/config.yaml": `
apiVersion: v1
kind: ConfigMap
metadata: { name: {{ .Release.Name }}-config }
data: { text: {{ .Values.text | quote }} }
`,
  "templates/extra.yaml": `
{{- if .Values.extra }}
apiVersion: v1
kind: ConfigMap
metadata: { name: {{ .Release.Name }}-{{ .Values.extra }} }
data: { text: extra }
{{- end }}
`,
  "templates/hook.yaml": `
{{- if .Values.waitAt }}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Release.Name }}-hook
  annotations: { helm.sh/hook: {{ .Values.waitAt | quote }} }
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{ name: main, image: "registry.example.test/main:1" }]
{{- end }}
`,
  "templates/broken.yaml": `
{{- if .Values.isBroken }}
apiVersion: v1
kind: ServiceAccount
metadata: { name: NOT-A-NAME }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: NOT-A-NAME }
{{- end }}
`,
};
