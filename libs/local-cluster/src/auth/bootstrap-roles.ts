import type { UnstructuredObject } from "@landscaper/api";

const apiVersion = "rbac.authorization.k8s.io/v1";
const apiGroup = "rbac.authorization.k8s.io";
const metadata = (name: string): UnstructuredObject["metadata"] => ({
  name,
  labels: { "kubernetes.io/bootstrapping": "rbac-defaults" },
  annotations: { "rbac.authorization.kubernetes.io/autoupdate": "true" },
});

const read = ["get", "list", "watch"];
const write = ["create", "delete", "deletecollection", "patch", "update"];
const workloadGroups = ["", "apps", "batch", "autoscaling", "networking.k8s.io", "policy"];

/** What the built-in user-facing roles may do, in broad strokes: everything that lives in a namespace. */
const roles: Readonly<Record<string, readonly unknown[]>> = {
  "cluster-admin": [
    { apiGroups: ["*"], resources: ["*"], verbs: ["*"] },
    { nonResourceURLs: ["*"], verbs: ["*"] },
  ],
  admin: [
    { apiGroups: workloadGroups, resources: ["*"], verbs: [...read, ...write] },
    { apiGroups: [apiGroup], resources: ["roles", "rolebindings"], verbs: [...read, ...write] },
  ],
  edit: [{ apiGroups: workloadGroups, resources: ["*"], verbs: [...read, ...write] }],
  view: [
    {
      apiGroups: [""],
      resources: ["configmaps", "endpoints", "events", "limitranges", "namespaces", "persistentvolumeclaims", "pods"],
      verbs: read,
    },
    {
      apiGroups: [""],
      resources: ["pods/status", "replicationcontrollers", "resourcequotas", "serviceaccounts", "services"],
      verbs: read,
    },
    { apiGroups: workloadGroups.slice(1), resources: ["*"], verbs: read },
  ],
  "system:basic-user": [
    {
      apiGroups: ["authorization.k8s.io"],
      resources: ["selfsubjectaccessreviews", "selfsubjectrulesreviews"],
      verbs: ["create"],
    },
    { apiGroups: ["authentication.k8s.io"], resources: ["selfsubjectreviews"], verbs: ["create"] },
  ],
  "system:discovery": [
    {
      nonResourceURLs: [
        "/api",
        "/api/*",
        "/apis",
        "/apis/*",
        "/healthz",
        "/livez",
        "/openapi",
        "/openapi/*",
        "/readyz",
        "/version",
        "/version/",
      ],
      verbs: ["get"],
    },
  ],
  "system:public-info-viewer": [
    { nonResourceURLs: ["/healthz", "/livez", "/readyz", "/version", "/version/"], verbs: ["get"] },
  ],
};

const bindings: Readonly<Record<string, readonly string[]>> = {
  "cluster-admin": ["system:masters"],
  "system:basic-user": ["system:authenticated"],
  "system:discovery": ["system:authenticated"],
  "system:public-info-viewer": ["system:authenticated", "system:unauthenticated"],
};

/** The ClusterRoles and ClusterRoleBindings that a new cluster has. */
export function bootstrapRoles(): readonly UnstructuredObject[] {
  return [
    ...Object.entries(roles).map(([name, rules]) => ({
      apiVersion,
      kind: "ClusterRole",
      metadata: metadata(name),
      rules,
    })),
    ...Object.entries(bindings).map(([name, groups]) => ({
      apiVersion,
      kind: "ClusterRoleBinding",
      metadata: metadata(name),
      roleRef: { apiGroup, kind: "ClusterRole", name },
      subjects: groups.map((group) => ({ apiGroup, kind: "Group", name: group })),
    })),
  ];
}
