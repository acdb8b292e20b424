import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stringify } from "yaml";

/** A chart in a folder of its own. */
export interface ChartFolder {
  readonly path: string;
  dispose(): void;
}

const pod = `
      restartPolicy: Never
      containers: [{ name: main, image: "registry.example.test/main:1" }]`;

function hook(name: string, events: string): string {
  return `
apiVersion: batch/v1
kind: Job
metadata:
  name: ${name}
  annotations:
    helm.sh/hook: ${events}
    helm.sh/hook-delete-policy: before-hook-creation
spec:
  template:
    spec:${pod}
`;
}

/**
 * A ConfigMap with a value, a Deployment with as many replicas as the value says, a Secret that comes and goes by a value, a hook before
 * each installation and upgrade and one before the end, and notes.
 */
const shopFiles: Readonly<Record<string, string>> = {
  "Chart.yaml": stringify({ apiVersion: "v2", name: "shop", version: "1.2.3", appVersion: "7", description: "A shop" }),
  "values.yaml": stringify({ text: "default", replicas: 1, hasSecret: true, isBroken: false }),
  "templates/config.yaml": `
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-config
  labels: { revision: {{ .Release.Revision | quote }} }
data:
  text: {{ .Values.text | quote }}
  {{- if eq .Values.text "with more" }}
  more: "1"
  {{- end }}
  block: |
    whose last line has an end
`,
  "templates/secret.yaml": `
{{- if .Values.hasSecret }}
apiVersion: v1
kind: Secret
metadata:
  name: {{ .Release.Name }}-secret
stringData:
  key: {{ .Values.text | quote }}
{{- end }}
`,
  "templates/deployment.yaml": `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
spec:
  replicas: {{ .Values.replicas }}
  selector: { matchLabels: { app: {{ .Release.Name }} } }
  template:
    metadata: { labels: { app: {{ .Release.Name }} } }
    spec:
      containers:
        - name: main
          image: registry.example.test/main:1
          env: [{ name: TEXT, value: {{ .Values.text | quote }} }]
`,
  "templates/broken.yaml": `
{{- if .Values.isBroken }}
apiVersion: v1
kind: ConfigMap
metadata:
  name: NOT-A-NAME
{{- end }}
`,
  "templates/before.yaml": hook("{{ .Release.Name }}-before", "pre-install,pre-upgrade"),
  "templates/end.yaml": hook("{{ .Release.Name }}-end", "pre-delete"),
  "templates/NOTES.txt": "{{ .Chart.Name }} {{ .Chart.Version }} says {{ .Values.text }}\n",
};

/** By default that of a shop. */
export function writeChart(files: Readonly<Record<string, string>> = shopFiles): ChartFolder {
  const path = mkdtempSync(join(tmpdir(), "landscaper-chart-"));
  for (const [name, text] of Object.entries(files)) {
    const file = join(path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return { path, dispose: () => rmSync(path, { recursive: true, force: true }) };
}
