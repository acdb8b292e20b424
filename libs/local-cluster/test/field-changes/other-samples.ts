import type { Sample } from "./sample.ts";

const labels = { app: "sample" };
const encoded = Buffer.from("x").toString("base64");
const rbac = { apiVersion: "rbac.authorization.k8s.io/v1" };
const rules = [
  { verbs: ["get"], apiGroups: [""], resources: ["pods"], resourceNames: ["a"] },
  { verbs: ["create"], apiGroups: ["apps"], resources: ["deployments"] },
];
const subjects = [
  { kind: "ServiceAccount", name: "default", namespace: "default" },
  { kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "ann" },
];
const networking = { apiVersion: "networking.k8s.io/v1" };
const admission = { apiVersion: "admissionregistration.k8s.io/v1", isClusterScoped: true, needsRevision: true };
const matchResources = {
  resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
  namespaceSelector: { matchLabels: labels },
};

export const otherSamples: readonly Sample[] = [
  {
    resource: "configmaps",
    apiVersion: "v1",
    kind: "ConfigMap",
    content: { data: { a: "b" }, binaryData: { c: encoded } },
    hasMetadataChanges: true,
  },
  {
    resource: "secrets",
    apiVersion: "v1",
    kind: "Secret",
    content: { type: "Opaque", data: { a: encoded }, immutable: true },
  },
  { resource: "namespaces", apiVersion: "v1", kind: "Namespace", isClusterScoped: true, content: {} },
  {
    resource: "services",
    apiVersion: "v1",
    kind: "Service",
    content: {
      spec: {
        type: "LoadBalancer",
        selector: labels,
        ports: [
          { name: "web", port: 80, targetPort: "http", protocol: "TCP", appProtocol: "http" },
          { name: "dns", port: 53, targetPort: 53, protocol: "UDP" },
        ],
        sessionAffinity: "ClientIP",
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 100 } },
        externalIPs: ["192.0.2.1"],
        loadBalancerSourceRanges: ["10.0.0.0/8"],
        loadBalancerClass: "example.com/class",
        externalTrafficPolicy: "Local",
        internalTrafficPolicy: "Cluster",
        ipFamilies: ["IPv4"],
        ipFamilyPolicy: "SingleStack",
      },
    },
  },
  {
    resource: "serviceaccounts",
    apiVersion: "v1",
    kind: "ServiceAccount",
    content: { secrets: [{ name: "a" }], imagePullSecrets: [{ name: "b" }], automountServiceAccountToken: false },
  },
  {
    resource: "events",
    apiVersion: "v1",
    kind: "Event",
    content: {
      involvedObject: { apiVersion: "v1", kind: "Pod", name: "p", namespace: "NAMESPACE" },
      reason: "Started",
      message: "started",
      type: "Normal",
      source: { component: "test" },
      count: 1,
    },
  },
  {
    resource: "events",
    apiVersion: "events.k8s.io/v1",
    kind: "Event",
    // Both groups share their objects.
    name: "sample-of-the-group",
    content: {
      regarding: { apiVersion: "v1", kind: "Pod", name: "p", namespace: "NAMESPACE" },
      reason: "Started",
      note: "started",
      type: "Normal",
      action: "Start",
      eventTime: "2024-01-01T00:00:00.000000Z",
      reportingController: "example.com/controller",
      reportingInstance: "one",
    },
  },
  {
    resource: "nodes",
    apiVersion: "v1",
    kind: "Node",
    isClusterScoped: true,
    content: {
      spec: {
        podCIDR: "10.1.0.0/24",
        podCIDRs: ["10.1.0.0/24"],
        providerID: "provider://one",
        taints: [{ key: "a", value: "b", effect: "NoSchedule" }],
      },
    },
  },
  {
    resource: "persistentvolumes",
    apiVersion: "v1",
    kind: "PersistentVolume",
    isClusterScoped: true,
    content: {
      spec: {
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteOnce"],
        persistentVolumeReclaimPolicy: "Retain",
        storageClassName: "standard",
        volumeMode: "Filesystem",
        hostPath: { path: "/tmp/a" },
        claimRef: { kind: "PersistentVolumeClaim", namespace: "other", name: "claim" },
        nodeAffinity: {
          required: { nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "In", values: ["b"] }] }] },
        },
      },
    },
  },
  {
    resource: "persistentvolumeclaims",
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    content: {
      spec: {
        accessModes: ["ReadWriteOnce"],
        storageClassName: "standard",
        volumeMode: "Filesystem",
        volumeName: "volume",
        resources: { requests: { storage: "2Gi" } },
        selector: { matchLabels: labels },
      },
    },
  },
  {
    resource: "resourcequotas",
    apiVersion: "v1",
    kind: "ResourceQuota",
    content: {
      spec: {
        hard: { pods: "100", "requests.cpu": "10" },
        scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator: "In", values: ["high"] }] },
      },
    },
  },
  {
    resource: "limitranges",
    apiVersion: "v1",
    kind: "LimitRange",
    content: {
      spec: {
        limits: [
          {
            type: "Container",
            max: { cpu: "2" },
            min: { cpu: "1m" },
            default: { cpu: "1" },
            defaultRequest: { cpu: "500m" },
            maxLimitRequestRatio: { cpu: "4" },
          },
        ],
      },
    },
  },
  {
    resource: "endpoints",
    apiVersion: "v1",
    kind: "Endpoints",
    content: {
      subsets: [
        {
          addresses: [{ ip: "10.0.0.1", hostname: "a", targetRef: { kind: "Pod", name: "p" } }],
          ports: [{ name: "web", port: 80, protocol: "TCP" }],
        },
      ],
    },
  },
  {
    resource: "endpointslices",
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    content: {
      addressType: "IPv4",
      endpoints: [{ addresses: ["10.0.0.1"], hostname: "a", conditions: { ready: true }, zone: "a", nodeName: "n" }],
      ports: [{ name: "web", port: 80, protocol: "TCP", appProtocol: "http" }],
    },
  },
  { ...rbac, resource: "roles", kind: "Role", content: { rules } },
  { ...rbac, resource: "rolebindings", kind: "RoleBinding", content: { subjects, roleRef: roleRef("Role") } },
  {
    ...rbac,
    resource: "clusterroles",
    kind: "ClusterRole",
    isClusterScoped: true,
    content: { rules: [...rules, { verbs: ["get"], nonResourceURLs: ["/healthz"] }] },
  },
  {
    ...rbac,
    resource: "clusterrolebindings",
    kind: "ClusterRoleBinding",
    isClusterScoped: true,
    content: { subjects, roleRef: roleRef("ClusterRole") },
  },
  {
    resource: "leases",
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    needsRevision: true,
    content: {
      spec: {
        holderIdentity: "me",
        leaseDurationSeconds: 10,
        leaseTransitions: 1,
        acquireTime: "2024-01-01T00:00:00.000000Z",
      },
    },
  },
  {
    ...networking,
    resource: "ingresses",
    kind: "Ingress",
    content: {
      spec: {
        ingressClassName: "class",
        defaultBackend: { service: { name: "a", port: { number: 80 } } },
        tls: [{ hosts: ["example.com"], secretName: "tls" }],
        rules: [
          {
            host: "example.com",
            http: {
              paths: [{ path: "/", pathType: "Prefix", backend: { service: { name: "a", port: { name: "web" } } } }],
            },
          },
        ],
      },
    },
  },
  {
    ...networking,
    resource: "ingressclasses",
    kind: "IngressClass",
    isClusterScoped: true,
    content: {
      spec: {
        controller: "example.com/controller",
        parameters: { apiGroup: "example.com", kind: "Config", name: "c", scope: "Cluster" },
      },
    },
  },
  {
    ...networking,
    resource: "networkpolicies",
    kind: "NetworkPolicy",
    content: {
      spec: {
        podSelector: { matchLabels: labels },
        policyTypes: ["Ingress", "Egress"],
        ingress: [
          {
            from: [{ ipBlock: { cidr: "10.0.0.0/8", except: ["10.1.0.0/16"] } }, { podSelector: {} }],
            ports: [{ protocol: "TCP", port: 80, endPort: 90 }],
          },
        ],
        egress: [{ to: [{ namespaceSelector: {} }], ports: [{ protocol: "UDP", port: "dns" }] }],
      },
    },
  },
  {
    resource: "priorityclasses",
    apiVersion: "scheduling.k8s.io/v1",
    kind: "PriorityClass",
    isClusterScoped: true,
    content: { value: 10, description: "text", preemptionPolicy: "Never" },
  },
  {
    resource: "storageclasses",
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    isClusterScoped: true,
    content: {
      provisioner: "example.com/disk",
      parameters: { type: "fast" },
      reclaimPolicy: "Delete",
      volumeBindingMode: "Immediate",
      mountOptions: ["ro"],
      allowVolumeExpansion: false,
      allowedTopologies: [{ matchLabelExpressions: [{ key: "zone", values: ["a"] }] }],
    },
  },
  {
    ...admission,
    resource: "validatingadmissionpolicies",
    kind: "ValidatingAdmissionPolicy",
    content: {
      spec: {
        failurePolicy: "Fail",
        matchConstraints: matchResources,
        matchConditions: [{ name: "always", expression: "true" }],
        variables: [{ name: "one", expression: "1" }],
        validations: [{ expression: "variables.one == 1", message: "text", reason: "Invalid" }],
        auditAnnotations: [{ key: "note", valueExpression: "'x'" }],
      },
    },
  },
  {
    ...admission,
    resource: "validatingadmissionpolicybindings",
    kind: "ValidatingAdmissionPolicyBinding",
    content: {
      spec: { policyName: "missing", validationActions: ["Deny"], matchResources },
    },
  },
  ...["Validating", "Mutating"].map((kind) => ({
    ...admission,
    resource: `${kind.toLowerCase()}webhookconfigurations`,
    kind: `${kind}WebhookConfiguration`,
    content: {
      webhooks: [
        {
          name: "sample.example.com",
          clientConfig: { url: "https://127.0.0.1:1/hook" },
          // Of a group that no other sample has.
          rules: [
            {
              apiGroups: ["sample.example.com"],
              apiVersions: ["v1"],
              operations: ["CREATE"],
              resources: ["things"],
              scope: "Namespaced",
            },
          ],
          failurePolicy: "Ignore",
          matchPolicy: "Exact",
          namespaceSelector: { matchLabels: labels },
          objectSelector: { matchLabels: labels },
          sideEffects: "None",
          timeoutSeconds: 1,
          admissionReviewVersions: ["v1"],
          matchConditions: [{ name: "always", expression: "true" }],
        },
      ],
    },
  })),
  {
    resource: "apiservices",
    apiVersion: "apiregistration.k8s.io/v1",
    kind: "APIService",
    isClusterScoped: true,
    needsRevision: true,
    name: "v1.sample.example.com",
    newName: "v1.sample.example.com",
    content: {
      spec: {
        group: "sample.example.com",
        version: "v1",
        groupPriorityMinimum: 10,
        versionPriority: 10,
        insecureSkipTLSVerify: true,
        service: { namespace: "default", name: "sample", port: 443 },
      },
    },
  },
];

function roleRef(kind: string): object {
  return { apiGroup: "rbac.authorization.k8s.io", kind, name: "view" };
}
