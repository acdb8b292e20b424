import { stringify } from "yaml";

/**
 * A ConfigMap; a Job as a hook of install and upgrade with the name and the delete policy that values give; a ConfigMap as a hook that comes
 * before it; an object that is kept.
 */
export const hookChart: Readonly<Record<string, string>> = {
  "Chart.yaml": stringify({ apiVersion: "v2", name: "hooked", version: "0.1.0" }),
  "values.yaml": stringify({
    text: "default",
    job: "good",
    policy: "",
    events: "pre-install,pre-upgrade",
    hasKept: true,
  }),
  "templates/config.yaml": `
apiVersion: v1
kind: ConfigMap
metadata: { name: {{ .Release.Name }}-config }
data: { text: {{ .Values.text | quote }} }
`,
  "templates/kept.yaml": `
{{- if .Values.hasKept }}
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-kept
  annotations: { helm.sh/resource-policy: keep }
data: { text: {{ .Values.text | quote }} }
{{- end }}
`,
  "templates/job.yaml": `
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Values.job }}
  annotations:
    helm.sh/hook: {{ .Values.events | quote }}
    {{- with .Values.policy }}
    helm.sh/hook-delete-policy: {{ . | quote }}
    {{- end }}
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{ name: main, image: "registry.example.test/main:1" }]
`,
  "templates/note.yaml": `
apiVersion: v1
kind: ConfigMap
metadata:
  name: note
  annotations:
    helm.sh/hook: {{ .Values.events | quote }}
    helm.sh/hook-weight: "-5"
    {{- with .Values.policy }}
    helm.sh/hook-delete-policy: {{ . | quote }}
    {{- end }}
data: { text: {{ .Values.text | quote }} }
`,
};
