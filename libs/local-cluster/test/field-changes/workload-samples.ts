import type { Sample } from "./sample.ts";

const labels = { app: "sample" };
const selector = { matchLabels: labels };

/** A pod with most of what people write. */
const richSpec = {
  serviceAccountName: "default",
  // Else the real server adds a volume with a token.
  automountServiceAccountToken: false,
  nodeSelector: { disk: "fast" },
  terminationGracePeriodSeconds: 10,
  priority: 0,
  hostAliases: [{ ip: "192.0.2.1", hostnames: ["host"] }],
  hostname: "host",
  dnsConfig: { nameservers: ["192.0.2.1"], searches: ["example.com"], options: [{ name: "ndots", value: "2" }] },
  imagePullSecrets: [{ name: "pull" }],
  securityContext: {
    runAsUser: 1000,
    fsGroup: 1000,
    supplementalGroups: [1],
    sysctls: [{ name: "net.a", value: "1" }],
    seccompProfile: { type: "Localhost", localhostProfile: "profile" },
  },
  tolerations: [{ key: "a", operator: "Equal", value: "b", effect: "NoExecute", tolerationSeconds: 5 }],
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule", labelSelector: { matchLabels: labels } },
  ],
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: "zone", operator: "In", values: ["a"] }] }],
      },
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, preference: { matchExpressions: [{ key: "zone", operator: "Exists" }] } },
      ],
    },
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: "host", labelSelector: { matchExpressions: [{ key: "app", operator: "In", values: ["x"] }] } },
      ],
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 5, podAffinityTerm: { topologyKey: "host", labelSelector: { matchLabels: labels } } },
      ],
    },
  },
  volumes: [
    { name: "config", configMap: { name: "config", items: [{ key: "a", path: "a" }], defaultMode: 420 } },
    { name: "secret", secret: { secretName: "secret", items: [{ key: "a", path: "b/c", mode: 256 }] } },
    { name: "empty", emptyDir: { sizeLimit: "1Gi", medium: "Memory" } },
    { name: "claim", persistentVolumeClaim: { claimName: "claim" } },
    { name: "host", hostPath: { path: "/tmp", type: "Directory" } },
    { name: "down", downwardAPI: { items: [{ path: "labels", fieldRef: { fieldPath: "metadata.labels" } }] } },
    {
      name: "projected",
      projected: {
        sources: [
          { configMap: { name: "config", items: [{ key: "a", path: "x" }] } },
          { serviceAccountToken: { path: "token", expirationSeconds: 3600 } },
        ],
      },
    },
  ],
  initContainers: [{ name: "init", image: "image:1", restartPolicy: "Always" }],
  containers: [
    {
      name: "main",
      image: "image:1",
      imagePullPolicy: "IfNotPresent",
      command: ["run"],
      args: ["--fast"],
      workingDir: "/work",
      ports: [{ name: "web", containerPort: 80, protocol: "TCP" }],
      env: [
        { name: "A", value: "a" },
        { name: "B", valueFrom: { configMapKeyRef: { name: "config", key: "b" } } },
        { name: "C", valueFrom: { secretKeyRef: { name: "secret", key: "c", optional: true } } },
        { name: "D", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
        { name: "E", valueFrom: { resourceFieldRef: { resource: "limits.cpu", divisor: "1" } } },
      ],
      envFrom: [{ prefix: "P_", configMapRef: { name: "config" } }, { secretRef: { name: "secret" } }],
      resources: { requests: { cpu: "100m", memory: "64Mi" }, limits: { cpu: "1", memory: "128Mi" } },
      volumeMounts: [{ name: "config", mountPath: "/config", readOnly: true, subPath: "a" }],
      livenessProbe: { httpGet: { path: "/", port: "web", scheme: "HTTP" }, periodSeconds: 5, initialDelaySeconds: 1 },
      readinessProbe: { tcpSocket: { port: 80 }, timeoutSeconds: 2, failureThreshold: 2 },
      startupProbe: { exec: { command: ["true"] } },
      lifecycle: {
        preStop: { exec: { command: ["stop"] } },
        postStart: { httpGet: { port: 80, httpHeaders: [{ name: "Host", value: "a" }] } },
      },
      securityContext: { runAsNonRoot: true, allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
    },
  ],
};

const smallSpec = { containers: [{ name: "main", image: "image:1" }] };
const template = { metadata: { labels }, spec: smallSpec };
const jobSpec = { ...smallSpec, restartPolicy: "Never" };

export const workloadSamples: readonly Sample[] = [
  { resource: "pods", apiVersion: "v1", kind: "Pod", isFixed: true, content: { spec: richSpec } },
  {
    resource: "deployments",
    apiVersion: "apps/v1",
    kind: "Deployment",
    content: {
      spec: {
        replicas: 2,
        selector: { ...selector, matchExpressions: [{ key: "app", operator: "In", values: ["sample"] }] },
        template: { metadata: { labels, annotations: { note: "x" } }, spec: smallSpec },
        strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: "25%" } },
        minReadySeconds: 1,
        revisionHistoryLimit: 3,
        progressDeadlineSeconds: 60,
      },
    },
  },
  {
    resource: "replicasets",
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    content: { spec: { replicas: 0, selector, template, minReadySeconds: 1 } },
  },
  {
    resource: "daemonsets",
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    content: {
      spec: {
        selector,
        template,
        updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1 } },
        minReadySeconds: 1,
        revisionHistoryLimit: 3,
      },
    },
  },
  {
    resource: "statefulsets",
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    content: {
      spec: {
        replicas: 0,
        serviceName: "service",
        selector,
        template,
        podManagementPolicy: "Parallel",
        updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 1 } },
        minReadySeconds: 1,
        revisionHistoryLimit: 3,
        ordinals: { start: 1 },
        persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete", whenScaled: "Retain" },
        volumeClaimTemplates: [
          {
            metadata: { name: "data" },
            spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
          },
        ],
      },
    },
  },
  {
    resource: "jobs",
    apiVersion: "batch/v1",
    kind: "Job",
    content: {
      spec: {
        parallelism: 1,
        completions: 2,
        completionMode: "Indexed",
        backoffLimit: 3,
        activeDeadlineSeconds: 100,
        ttlSecondsAfterFinished: 100,
        suspend: true,
        maxFailedIndexes: 1,
        backoffLimitPerIndex: 1,
        podReplacementPolicy: "Failed",
        podFailurePolicy: {
          rules: [
            { action: "FailJob", onExitCodes: { containerName: "main", operator: "In", values: [1, 2] } },
            { action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] },
          ],
        },
        successPolicy: { rules: [{ succeededIndexes: "0", succeededCount: 1 }] },
        template: { metadata: { labels }, spec: jobSpec },
      },
    },
  },
  {
    resource: "cronjobs",
    apiVersion: "batch/v1",
    kind: "CronJob",
    content: {
      spec: {
        schedule: "*/5 * * * *",
        timeZone: "Europe/Berlin",
        startingDeadlineSeconds: 10,
        concurrencyPolicy: "Forbid",
        suspend: true,
        successfulJobsHistoryLimit: 1,
        failedJobsHistoryLimit: 1,
        jobTemplate: { metadata: { labels }, spec: { completions: 1, template: { spec: jobSpec } } },
      },
    },
  },
  {
    resource: "replicationcontrollers",
    apiVersion: "v1",
    kind: "ReplicationController",
    content: { spec: { replicas: 0, selector: labels, template, minReadySeconds: 1 } },
  },
  {
    resource: "controllerrevisions",
    apiVersion: "apps/v1",
    kind: "ControllerRevision",
    content: { data: { spec: { a: 1 } }, revision: 1 },
  },
  { resource: "podtemplates", apiVersion: "v1", kind: "PodTemplate", content: { template } },
  {
    resource: "poddisruptionbudgets",
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    needsRevision: true,
    content: { spec: { minAvailable: 1, selector, unhealthyPodEvictionPolicy: "AlwaysAllow" } },
  },
  {
    resource: "horizontalpodautoscalers",
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    content: {
      spec: {
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "sample" },
        minReplicas: 1,
        maxReplicas: 3,
        metrics: [
          { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } } },
          { type: "Pods", pods: { metric: { name: "rate" }, target: { type: "AverageValue", averageValue: "10" } } },
        ],
        behavior: {
          scaleDown: {
            stabilizationWindowSeconds: 10,
            selectPolicy: "Max",
            policies: [{ type: "Pods", value: 1, periodSeconds: 10 }],
          },
        },
      },
    },
  },
];
