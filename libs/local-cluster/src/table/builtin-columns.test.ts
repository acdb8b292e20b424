import { describe, expect, it } from "@jest/globals";
import { builtinResources } from "../resources/builtin-resources.ts";
import { makeTable } from "./make-table.ts";
import { formatSelector } from "./service-columns.ts";

const now = Date.parse("2026-01-01T00:01:00Z");
const created = "2026-01-01T00:00:00Z";

function row(plural: string, fields: Record<string, unknown>, group = ""): Record<string, unknown> {
  const definition = builtinResources.find((candidate) => candidate.plural === plural && candidate.group === group)!;
  const object = {
    apiVersion: "v1",
    kind: definition.kind,
    metadata: { name: "x", creationTimestamp: created },
    ...fields,
  };
  const table = makeTable(definition, [object], {
    version: "v1",
    includeObject: "None",
    now,
    headers: true,
    metadata: {},
  }) as { columnDefinitions: { name: string }[]; rows: { cells: unknown[] }[] };
  const names = table.columnDefinitions.map(({ name }) => name);
  return Object.fromEntries(names.map((name, i) => [name, table.rows[0]!.cells[i]]));
}

describe("columns of built-in kinds", () => {
  const cases: readonly (readonly [string, string, Record<string, unknown>, Record<string, unknown>])[] = [
    ["namespaces", "", { status: { phase: "Active" } }, { Name: "x", Status: "Active", Age: "60s" }],
    ["configmaps", "", { data: { a: "1" }, binaryData: { b: "" } }, { Name: "x", Data: 2, Age: "60s" }],
    ["serviceaccounts", "", {}, { Name: "x", Secrets: 0, Age: "60s" }],
    [
      "nodes",
      "",
      { status: { conditions: [{ type: "Ready", status: "False" }] } },
      { Name: "x", Status: "NotReady", Roles: "<none>", Age: "60s", Version: "" },
    ],
    [
      "jobs",
      "batch",
      { spec: { completions: 2 }, status: { succeeded: 2, conditions: [{ type: "Complete", status: "True" }] } },
      {
        Name: "x",
        Status: "Complete",
        Completions: "2/2",
        Duration: "",
        Age: "60s",
        Containers: "",
        Images: "",
        Selector: "<none>",
      },
    ],
    [
      "cronjobs",
      "batch",
      { spec: { schedule: "* * * * *", suspend: true }, status: { lastScheduleTime: "2026-01-01T00:00:30Z" } },
      {
        Name: "x",
        Schedule: "* * * * *",
        Timezone: "<none>",
        Suspend: true,
        Active: 0,
        "Last Schedule": "30s",
        Age: "60s",
        Containers: "",
        Images: "",
        Selector: "<none>",
      },
    ],
    [
      "horizontalpodautoscalers",
      "autoscaling",
      {
        spec: {
          scaleTargetRef: { kind: "Deployment", name: "d" },
          minReplicas: 1,
          maxReplicas: 3,
          metrics: [{ resource: { name: "cpu", target: { averageUtilization: 80 } } }],
        },
      },
      {
        Name: "x",
        Reference: "Deployment/d",
        Targets: "cpu: <unknown>/80%",
        MinPods: "1",
        MaxPods: 3,
        Replicas: 0,
        Age: "60s",
      },
    ],
    [
      "ingresses",
      "networking.k8s.io",
      { spec: { rules: [{ host: "a.b" }, {}], tls: [{}] }, status: { loadBalancer: { ingress: [{ ip: "1.2.3.4" }] } } },
      { Name: "x", Class: "<none>", Hosts: "a.b,*", Address: "1.2.3.4", Ports: "80, 443", Age: "60s" },
    ],
    [
      "persistentvolumeclaims",
      "",
      {
        spec: {
          volumeName: "v",
          accessModes: ["ReadWriteOnce", "ReadOnlyMany"],
          storageClassName: "fast",
          volumeMode: "Block",
        },
        status: { phase: "Bound", capacity: { storage: "1Gi" } },
      },
      {
        Name: "x",
        Status: "Bound",
        Volume: "v",
        Capacity: "1Gi",
        "Access Modes": "RWO,ROX",
        StorageClass: "fast",
        VolumeAttributesClass: "<unset>",
        Age: "60s",
        VolumeMode: "Block",
      },
    ],
    [
      "resourcequotas",
      "",
      { status: { hard: { pods: "5", "limits.cpu": "2" }, used: { pods: "1" } } },
      { Name: "x", Request: "pods: 1/5", Limit: "limits.cpu: 0/2", Age: "60s" },
    ],
    [
      "endpoints",
      "",
      { subsets: [{ addresses: [{ ip: "1.2.3.4" }, { ip: "1.2.3.5" }], ports: [{ port: 80 }] }] },
      { Name: "x", Endpoints: "1.2.3.4:80,1.2.3.5:80", Age: "60s" },
    ],
    [
      "poddisruptionbudgets",
      "policy",
      { spec: { minAvailable: "50%" }, status: { disruptionsAllowed: 1 } },
      { Name: "x", "Min Available": "50%", "Max Unavailable": "N/A", "Allowed Disruptions": 1, Age: "60s" },
    ],
    ["leases", "coordination.k8s.io", { spec: { holderIdentity: "me" } }, { Name: "x", Holder: "me", Age: "60s" }],
    [
      "statefulsets",
      "apps",
      {
        spec: { replicas: 3, template: { spec: { containers: [{ name: "c", image: "i" }] } } },
        status: { readyReplicas: 1 },
      },
      { Name: "x", Ready: "1/3", Age: "60s", Containers: "c", Images: "i" },
    ],
    [
      "rolebindings",
      "rbac.authorization.k8s.io",
      {
        roleRef: { kind: "Role", name: "r" },
        subjects: [
          { kind: "User", name: "u" },
          { kind: "Group", name: "g" },
          { kind: "ServiceAccount", namespace: "n", name: "s" },
        ],
      },
      { Name: "x", Role: "Role/r", Age: "60s", Users: "u", Groups: "g", ServiceAccounts: "n/s" },
    ],
    ["roles", "rbac.authorization.k8s.io", {}, { Name: "x", "Created At": created }],
    [
      "events",
      "",
      {
        type: "Normal",
        reason: "Up",
        message: " hello\n",
        involvedObject: { kind: "Pod", name: "p" },
        lastTimestamp: "2026-01-01T00:00:30Z",
      },
      {
        "Last Seen": "30s",
        Type: "Normal",
        Reason: "Up",
        Object: "pod/p",
        Subobject: "",
        Source: "",
        Message: "hello",
        "First Seen": "60s",
        Count: "1",
        Name: "x",
      },
    ],
  ];
  for (const [plural, group, fields, want] of cases) {
    it(`shows ${plural} ${JSON.stringify(fields)}`, () => {
      expect(row(plural, fields, group)).toEqual(want);
    });
  }

  const ended = (exitCode: number, reason = "Completed") => ({ state: { terminated: { exitCode, reason } } });
  const pods: readonly (readonly [string, Record<string, unknown>, string])[] = [
    ["its phase", { status: { phase: "Pending" } }, "Pending"],
    [
      "what a container waits for",
      { status: { containerStatuses: [{ state: { waiting: { reason: "ImagePullBackOff" } } }] } },
      "ImagePullBackOff",
    ],
    [
      "what a container ended for",
      { status: { containerStatuses: [{ state: { terminated: { reason: "Error" } } }] } },
      "Error",
    ],
    ["the reason of its status", { status: { phase: "Failed", reason: "Evicted" } }, "Evicted"],
    [
      "an init container that runs",
      { status: { initContainerStatuses: [ended(0), { state: { running: {} } }], phase: "Pending" } },
      "Init:1/2",
    ],
    [
      "an init container that waits for its turn",
      { status: { initContainerStatuses: [{ state: { waiting: { reason: "PodInitializing" } } }], phase: "Pending" } },
      "Init:0/1",
    ],
    [
      "an init container that crashes",
      { status: { initContainerStatuses: [{ state: { waiting: { reason: "CrashLoopBackOff" } } }] } },
      "Init:CrashLoopBackOff",
    ],
    ["an init container that has failed", { status: { initContainerStatuses: [ended(1, "Error")] } }, "Init:Error"],
    [
      "the end of init containers, and a sidecar",
      { status: { initContainerStatuses: [ended(0), { state: { running: {} }, started: true }], phase: "Running" } },
      "Running",
    ],
  ];
  for (const [what, fields, want] of pods) {
    it(`shows ${what} as the status of a pod`, () => {
      expect(row("pods", { spec: { containers: [{}] }, ...fields })).toMatchObject({ Status: want });
    });
  }

  it("shows that a pod is going", () => {
    const metadata = { name: "p", creationTimestamp: created, deletionTimestamp: created };
    expect(row("pods", { metadata, spec: { containers: [{}] }, status: { phase: "Running" } })).toMatchObject({
      Ready: "0/1",
      Status: "Terminating",
    });
  });

  const services: readonly (readonly [Record<string, unknown>, Record<string, unknown>])[] = [
    [
      { type: "ClusterIP", clusterIP: "1.2.3.4", ports: [{ port: 80, protocol: "TCP" }] },
      { Type: "ClusterIP", "Cluster-IP": "1.2.3.4", "External-IP": "<none>", "Port(s)": "80/TCP" },
    ],
    [
      { type: "LoadBalancer", ports: [{ port: 80, nodePort: 30_001, protocol: "TCP" }] },
      { "External-IP": "<pending>", "Port(s)": "80:30001/TCP" },
    ],
    [
      { type: "ExternalName", externalName: "x.y" },
      { "Cluster-IP": "<none>", "External-IP": "x.y", "Port(s)": "<none>" },
    ],
  ];
  for (const [spec, want] of services) {
    it(`shows a service ${JSON.stringify(spec)}`, () => {
      expect(row("services", { spec })).toMatchObject(want);
    });
  }
});

describe("formatSelector", () => {
  it("writes all forms as kubectl does", () => {
    expect(
      formatSelector({
        matchLabels: { a: "1" },
        matchExpressions: [
          { key: "b", operator: "In", values: ["x", "y"] },
          { key: "c", operator: "NotIn", values: ["z"] },
          { key: "d", operator: "Exists" },
          { key: "e", operator: "DoesNotExist" },
        ],
      }),
    ).toBe("a=1,b in (x,y),c notin (z),d,!e");
    expect(formatSelector({})).toBe("<none>");
  });
});
