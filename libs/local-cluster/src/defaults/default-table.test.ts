import { describe, expect, it } from "@jest/globals";
import { decodeJson } from "../builtin-types/decode-json.ts";
import { findBuiltinType } from "../builtin-types/parse-builtin-types.ts";
import { fieldAt } from "../objects/json.ts";

const read = (apiVersion: string, kind: string, value: Record<string, unknown>) =>
  decodeJson(findBuiltinType(apiVersion, kind)!, value).value;

// Whole objects are compared with the real server in ../parity; here stand the branches.
describe("defaults", () => {
  const images: readonly (readonly [string, string])[] = [
    ["nginx", "Always"],
    ["nginx:latest", "Always"],
    ["nginx:1", "IfNotPresent"],
    ["registry:5000/nginx", "Always"],
    ["registry:5000/nginx:2", "IfNotPresent"],
    ["nginx@sha256:abc", "IfNotPresent"],
  ];
  for (const [image, want] of images) {
    it(`pulls ${image} ${want}`, () => {
      const pod = read("v1", "Pod", { spec: { containers: [{ name: "c", image }] } });
      expect(fieldAt(pod, "spec", "containers", "0")).toBeUndefined();
      expect(fieldAt(pod, "spec")).toMatchObject({ containers: [{ imagePullPolicy: want }] });
    });
  }

  it("takes limits as requests in pods, not in templates", () => {
    const containers = [{ name: "c", image: "x:1", resources: { limits: { cpu: "1" } } }];
    expect(read("v1", "Pod", { spec: { containers } })["spec"]).toMatchObject({
      containers: [{ resources: { limits: { cpu: "1" }, requests: { cpu: "1" } } }],
    });
    const job = read("batch/v1", "Job", { spec: { template: { spec: { containers } } } });
    expect(fieldAt(job, "spec", "template", "spec")).toMatchObject({
      containers: [{ resources: { limits: { cpu: "1" } } }],
    });
  });

  it("gives host ports to pods in the host's network", () => {
    const containers = [{ name: "c", image: "x:1", ports: [{ containerPort: 80 }] }];
    expect(read("v1", "Pod", { spec: { hostNetwork: true, containers } })["spec"]).toMatchObject({
      containers: [{ ports: [{ containerPort: 80, hostPort: 80, protocol: "TCP" }] }],
    });
  });

  it("makes a volume without a source an empty directory", () => {
    expect(read("v1", "Pod", { spec: { containers: [], volumes: [{ name: "v" }] } })["spec"]).toMatchObject({
      volumes: [{ name: "v", emptyDir: {} }],
    });
  });

  it("leaves a strategy without rolling updates alone", () => {
    const deployment = read("apps/v1", "Deployment", { spec: { strategy: { type: "Recreate" } } });
    expect(fieldAt(deployment, "spec", "strategy")).toEqual({ type: "Recreate" });
  });

  it("keeps what was given", () => {
    const deployment = read("apps/v1", "Deployment", {
      spec: { replicas: 0, strategy: { rollingUpdate: { maxSurge: 1 } } },
    });
    expect(fieldAt(deployment, "spec", "replicas")).toBe(0);
    expect(fieldAt(deployment, "spec", "strategy")).toEqual({
      type: "RollingUpdate",
      rollingUpdate: { maxSurge: 1, maxUnavailable: "25%" },
    });
  });

  it("completes jobs by their completions, indexes and failure policy", () => {
    const job = (spec: Record<string, unknown>) => read("batch/v1", "Job", { spec })["spec"];
    expect(job({})).toMatchObject({ completions: 1, parallelism: 1, backoffLimit: 6 });
    expect(job({ parallelism: 2 })).not.toHaveProperty("completions");
    expect(job({ backoffLimitPerIndex: 1 })).toMatchObject({ backoffLimit: 2_147_483_647 });
    expect(job({ podFailurePolicy: { rules: [{ action: "Count", onPodConditions: [{ type: "x" }] }] } })).toMatchObject(
      {
        podReplacementPolicy: "Failed",
        podFailurePolicy: { rules: [{ onPodConditions: [{ type: "x", status: "True" }] }] },
      },
    );
  });

  it("takes a job's labels from its template when it has none", () => {
    const template = { metadata: { labels: { a: "b" } } };
    expect(read("batch/v1", "Job", { spec: { template } })["metadata"]).toEqual({ labels: { a: "b" } });
    const labelled = read("batch/v1", "Job", { metadata: { labels: { c: "d" } }, spec: { template } });
    expect(labelled["metadata"]).toEqual({ labels: { c: "d" } });
  });

  it("fills the requests of a limit range from limits, maxima and minima", () => {
    const item = { type: "Container", max: { cpu: "2" }, min: { memory: "1Mi" }, default: { memory: "2Mi" } };
    expect(read("v1", "LimitRange", { spec: { limits: [item] } })["spec"]).toEqual({
      limits: [{ ...item, default: { cpu: "2", memory: "2Mi" }, defaultRequest: { cpu: "2", memory: "2Mi" } }],
    });
  });

  it("sets the traffic policies that a type of service has", () => {
    const service = (spec: Record<string, unknown>) => read("v1", "Service", { spec })["spec"];
    expect(service({ type: "LoadBalancer" })).toMatchObject({
      externalTrafficPolicy: "Cluster",
      internalTrafficPolicy: "Cluster",
      allocateLoadBalancerNodePorts: true,
    });
    expect(service({ type: "ExternalName" })).toEqual({ type: "ExternalName", sessionAffinity: "None" });
    expect(service({ sessionAffinity: "ClientIP" })).toMatchObject({
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } },
    });
    expect(service({ externalIPs: ["1.2.3.4"] })).toMatchObject({ externalTrafficPolicy: "Cluster" });
  });

  it("names the API group of roles and of users", () => {
    const binding = read("rbac.authorization.k8s.io/v1", "RoleBinding", {
      roleRef: { kind: "Role", name: "r" },
      subjects: [
        { kind: "User", name: "u" },
        { kind: "ServiceAccount", name: "s" },
      ],
    });
    expect(binding).toMatchObject({
      roleRef: { apiGroup: "rbac.authorization.k8s.io" },
      subjects: [
        { apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "u" },
        { kind: "ServiceAccount", name: "s" },
      ],
    });
  });

  it("derives policy types of a network policy from its rules", () => {
    const policy = (spec: Record<string, unknown>) => read("networking.k8s.io/v1", "NetworkPolicy", { spec })["spec"];
    expect(policy({ podSelector: {} })).toMatchObject({ policyTypes: ["Ingress"] });
    expect(policy({ podSelector: {}, egress: [{}] })).toMatchObject({ policyTypes: ["Ingress", "Egress"] });
  });
});
