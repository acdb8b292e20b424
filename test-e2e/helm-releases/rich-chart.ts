import { hookEvents } from "@landscaper/helm";
import { stringify } from "yaml";

const webhook = `
  - name: widgets.example.org
    admissionReviewVersions: [v1]
    sideEffects: None
    failurePolicy: Ignore
    clientConfig: { url: "https://127.0.0.1:9/none" }
    rules: [{ apiGroups: [example.org], apiVersions: [v1], operations: [CREATE], resources: [nothings] }]`;

function definition(kind: string): string {
  const plural = `${kind.toLowerCase()}s`;
  return stringify({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.example.org` },
    spec: {
      group: "example.org",
      names: { kind, plural },
      scope: "Namespaced",
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
        },
      ],
    },
  });
}

const policies = ["before-hook-creation", "hook-succeeded", "hook-failed", "before-hook-creation,hook-succeeded"];

/** Two hooks of an event: the second one in the alphabet comes first, by its weight. */
function hooksOf(event: string, index: number): string {
  return ["-5", "5"]
    .map(
      (weight, place) => `---
apiVersion: v1
kind: ConfigMap
metadata:
  name: ${place === 0 ? "z" : "a"}-${event}
  annotations:
    helm.sh/hook: ${event}
    helm.sh/hook-weight: "${weight}"
    helm.sh/hook-delete-policy: ${policies[(index + place) % policies.length]}
data: { text: {{ .Values.text | quote }} }


`,
    )
    .join("");
}

/**
 * A chart with a dependency, `crds/`, webhook configurations, hooks of every event, files of several documents, and block scalars with white space at their ends.
 * `text` changes objects, `hasMore` removes one, `app` changes an immutable field, `isBroken` adds an object that no API server takes, and `isStalled` one that Helm 4
 * does not wait for.
 */
export const richChart: Readonly<Record<string, string>> = {
  "Chart.yaml": stringify({
    apiVersion: "v2",
    name: "rich",
    version: "1.2.3",
    appVersion: "7",
    annotations: { "example.org/a": "b" },
    dependencies: [{ name: "sub", version: "0.1.0", alias: "other", condition: "other.enabled", repository: "" }],
  }),
  "values.yaml": `text: default
hasMore: true
hasHooks: true
app: rich
isStalled: false
isBroken: false
empty: null
other: { enabled: true, text: from-parent }
---
text: of-the-second-document
`,
  "crds/widgets.yaml": definition("Widget"),
  "charts/sub/Chart.yaml": stringify({ apiVersion: "v2", name: "sub", version: "0.1.0" }),
  "charts/sub/values.yaml": "text: own\n",
  "charts/sub/crds/gadgets.yaml": definition("Gadget"),
  "charts/sub/templates/map.yaml": `apiVersion: v1
kind: ConfigMap
metadata: { name: {{ .Release.Name }}-{{ .Chart.Name }} }
data: { text: {{ .Values.text }} }
`,
  "templates/NOTES.txt": "Say {{ .Values.text }}.\n",
  "templates/many.yaml": `
# A comment before the first document.
---
apiVersion: v1
kind: ConfigMap
metadata: { name: {{ .Release.Name }}-block }
data:
  text: {{ .Values.text | quote }}
  kept: |+
    lines


---
apiVersion: v1
kind: Service
metadata: { name: {{ .Release.Name }} }
spec:
  selector: { app: rich }
  ports: [{ name: web, port: 80 }]


---
---
apiVersion: v1
kind: ConfigMap
metadata: { name: {{ .Release.Name }}-second }
data:
  null-default: {{ hasKey .Values "empty" | quote }}
  clipped: |
    line  
  stripped: |-
    line


`,
  "templates/more.yaml": `{{ if .Values.hasMore }}
apiVersion: v1
kind: Secret
metadata: { name: {{ .Release.Name }}-more }
stringData: { text: {{ .Values.text }} }
{{ end }}`,
  "templates/deployment.yaml": `apiVersion: apps/v1
kind: Deployment
metadata: { name: {{ .Release.Name }} }
spec:
  replicas: 0
  selector: { matchLabels: { app: {{ .Values.app }} } }
  template:
    metadata: { labels: { app: {{ .Values.app }}, text: {{ .Values.text }} } }
    spec: { containers: [{ name: main, image: "registry.example.test/main:1" }] }
`,
  "templates/webhooks.yaml": `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: { name: {{ .Release.Name }}-validating }
webhooks:${webhook}
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: { name: {{ .Release.Name }}-mutating }
webhooks:${webhook}
`,
  "templates/widget.yaml": `apiVersion: example.org/v1
kind: Widget
metadata: { name: {{ .Release.Name }} }
spec: { text: {{ .Values.text }} }
{{- if .Values.isStalled }}
status: { conditions: [{ type: Stalled, status: "True", reason: Broken, message: it is broken }] }
{{- end }}
`,
  "templates/broken.yaml": `{{ if .Values.isBroken }}
apiVersion: example.org/v1
kind: Widget
metadata: { name: NOT-A-NAME }
{{ end }}`,
  "templates/hooks.yaml": `{{ if .Values.hasHooks }}
${hookEvents.map((event, index) => hooksOf(event, index)).join("")}{{ end }}`,
};
