import { describe, expect, it } from "@jest/globals";
import { LandscaperError, mapTexts, type KubeObject, type UnstructuredObject } from "@landscaper/api";
import { ApiError, type Client } from "@landscaper/controller-runtime";
import { checkReadiness, type ReadinessOptions } from "./check-readiness.ts";
import { diagnoseWorkload } from "./diagnose-workload.ts";
import type { TargetCluster } from "../cluster/target-cluster.ts";

const { signal } = new AbortController();
/** What the connection to the target knows. */
const connectionToken = "token-of-the-connection";

interface Scene {
  readonly objects: readonly UnstructuredObject[];
  readonly secrets?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly log?: string;
  /** Kinds and "log" that may not be read. */
  readonly forbidden?: readonly string[];
}

/** A target that knows a few objects, and remembers what it was asked for. */
function play({ objects, secrets = {}, log = "", forbidden = [] }: Scene): TargetCluster & { asked: string[] } {
  const asked: string[] = [];
  const refuse = (what: string): void => {
    if (!forbidden.includes(what)) return;
    throw new ApiError(
      { method: "GET", path: "/" },
      { status: 403, statusObject: { message: `${what} is forbidden` } },
    );
  };
  // Only what a diagnosis calls; its types are those of unstructured objects.
  const find = async ({ kind }: { kind: string }, { name }: { name: string }): Promise<KubeObject | undefined> => {
    asked.push(`get ${kind} ${name}`);
    refuse(kind);
    if (kind !== "Secret") return await Promise.resolve(objects.find((object) => object.metadata.name === name));
    const data = Object.entries(secrets[name] ?? {}).map(([key, value]) => [
      key,
      Buffer.from(value).toString("base64"),
    ]);
    return { apiVersion: "v1", kind, metadata: { name }, data: Object.fromEntries(data) } as KubeObject;
  };
  const client = {
    find,
    get: async (...asking: Parameters<typeof find>) => {
      const found = await find(...asking);
      if (found !== undefined) return found;
      throw new ApiError({ method: "GET", path: "/" }, { status: 404, statusObject: {} });
    },
    list: ({ kind }: { kind: string }, { labelSelector }: { labelSelector?: string }) => {
      asked.push(`list ${kind} ${labelSelector ?? ""}`);
      refuse(kind);
      return Promise.resolve({ resourceVersion: "1", items: objects.filter((object) => object.kind === kind) });
    },
    request: ({ path }: { path: string }) => {
      asked.push(path);
      refuse("log");
      return Promise.resolve(log);
    },
    mask: <T>(value: T): T => mapTexts(value, (text) => text.replaceAll(connectionToken, "[...]")),
  } as unknown as Client;
  const typeOf: TargetCluster["discovery"]["find"] = (apiVersion, kind) =>
    Promise.resolve({ group: "", version: apiVersion, kind, plural: `${kind.toLowerCase()}s`, namespaced: true });
  return {
    client,
    discovery: {
      find: typeOf,
      locate: typeOf,
      suggest: async () => await Promise.resolve(undefined),
      forget: () => {},
    },
    asked,
  };
}

function object(type: string, uid: string, parts: Readonly<Record<string, unknown>>): UnstructuredObject {
  const [apiVersion = "", kind = ""] = type.split(" ");
  const { metadata, ...rest } = parts;
  return {
    apiVersion,
    kind,
    metadata: { name: uid, namespace: "n", uid, generation: 1, ...Object(metadata) },
    ...rest,
  };
}

const ownedBy = (uid: string): object => ({ ownerReferences: [{ apiVersion: "v1", kind: "X", name: uid, uid }] });
const selector = { matchLabels: { app: "web" } };
const revision = (number: string): object => ({ annotations: { "deployment.kubernetes.io/revision": number } });
const pulling = { containerStatuses: [{ name: "main", state: { waiting: { reason: "ImagePullBackOff" } } }] };
const crashing = {
  containerStatuses: [
    {
      name: "main",
      state: { waiting: { reason: "CrashLoopBackOff" } },
      lastState: { terminated: { exitCode: 1, reason: "Error" } },
    },
  ],
};

const deployment = object("apps/v1 Deployment", "web", {
  metadata: revision("2"),
  spec: { replicas: 1, selector },
  status: { observedGeneration: 1, replicas: 2, updatedReplicas: 1 },
});
const oldSet = object("apps/v1 ReplicaSet", "old", { metadata: { ...ownedBy("web"), ...revision("1") } });
const newSet = object("apps/v1 ReplicaSet", "new", { metadata: { ...ownedBy("web"), ...revision("2") } });
const pod = (uid: string, owner: string, parts: Readonly<Record<string, unknown>>): UnstructuredObject =>
  object("v1 Pod", uid, { ...parts, metadata: { ...ownedBy(owner), ...Object(parts["metadata"]) } });

const jobWith = (...conditions: readonly object[]): UnstructuredObject =>
  object("batch/v1 Job", "migrate", {
    spec: { selector: { matchLabels: { job: "migrate" } } },
    status: { conditions },
  });
const failedJob = jobWith({ type: "Failed", status: "True", reason: "BackoffLimitExceeded" });
const failedPod = {
  phase: "Failed",
  containerStatuses: [{ name: "main", state: { terminated: { exitCode: 2, reason: "Error" } } }],
};

const set = (kind: string, parts: Readonly<Record<string, unknown>>): UnstructuredObject =>
  object(`apps/v1 ${kind}`, "set", { spec: { replicas: 1, selector }, ...parts });

const rows: readonly (readonly [
  name: string,
  live: UnstructuredObject,
  others: UnstructuredObject[],
  message: string | undefined,
])[] = [
  [
    "a Deployment whose controller made nothing yet",
    deployment,
    [oldSet, pod("p", "old", { status: pulling })],
    undefined,
  ],
  [
    "a Deployment whose former pods are stuck",
    deployment,
    [oldSet, newSet, pod("p", "old", { status: pulling })],
    undefined,
  ],
  [
    "a Deployment whose new pods are stuck",
    deployment,
    [oldSet, newSet, pod("p1", "old", {}), pod("p2", "new", { status: pulling })],
    "Pod p2, container main: ImagePullBackOff",
  ],
  [
    "a Deployment without progress",
    {
      ...deployment,
      status: {
        observedGeneration: 1,
        conditions: [{ type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded" }],
      },
    },
    [],
    "has made no progress for too long (ProgressDeadlineExceeded)",
  ],
  [
    "a StatefulSet, by revision",
    set("StatefulSet", { status: { updateRevision: "b" } }),
    [
      pod("p1", "set", { metadata: { labels: { "controller-revision-hash": "a" } }, status: pulling }),
      pod("p2", "set", { metadata: { labels: { "controller-revision-hash": "b" } }, status: crashing }),
    ],
    "Pod p2, container main: CrashLoopBackOff, exited with 1 (Error)",
  ],
  [
    "a DaemonSet, by generation of its template",
    set("DaemonSet", { metadata: { annotations: { "deprecated.daemonset.template.generation": "2" } } }),
    [pod("p1", "set", { metadata: { labels: { "pod-template-generation": "1" } }, status: pulling })],
    undefined,
  ],
  [
    "a ReplicaSet",
    set("ReplicaSet", {}),
    [pod("p1", "set", { status: pulling })],
    "Pod p1, container main: ImagePullBackOff",
  ],
  [
    "a ReplicaSet and evicted pods, which it replaces",
    set("ReplicaSet", {}),
    [pod("p1", "set", { status: failedPod })],
    undefined,
  ],
  ["a Job that still tries", jobWith(), [pod("p", "migrate", { status: crashing })], undefined],
  [
    "a Job that cannot start",
    jobWith(),
    [pod("p", "migrate", { status: pulling })],
    "Pod p, container main: ImagePullBackOff",
  ],
  [
    "a failed Job",
    failedJob,
    [pod("p", "migrate", { status: failedPod })],
    "has failed (BackoffLimitExceeded); Pod p, has failed, container main exited with 2 (Error)",
  ],
  ["a Pod", pod("p", "none", { status: crashing }), [], "container main: CrashLoopBackOff, exited with 1 (Error)"],
  [
    "any kind that is stalled",
    object("example.org/v1 Any", "a", { status: { conditions: [{ type: "Stalled", status: "True", reason: "Bad" }] } }),
    [],
    "is stalled (Bad)",
  ],
];

describe("diagnoseWorkload", () => {
  it.each(rows)("%s", async (...[, live, others, message]) => {
    expect((await diagnoseWorkload(play({ objects: others }), live, signal))?.message).toBe(message);
  });

  it("asks with the selector of the workload", async () => {
    const matchExpressions = [
      { key: "a", operator: "In", values: ["x", "y"] },
      { key: "b", operator: "Exists" },
      { key: "c", operator: "DoesNotExist" },
      { key: "d", operator: "NotIn", values: ["z"] },
    ];
    const target = play({ objects: [] });
    await diagnoseWorkload(target, { ...deployment, spec: { selector: { ...selector, matchExpressions } } }, signal);
    const labels = "app=web,a in (x,y),b,!c,d notin (z)";
    expect(target.asked).toEqual([`list ReplicaSet ${labels}`, `list Pod ${labels}`]);
  });

  it("ends with the log, in which everything from Secrets, environment and arguments is masked", async () => {
    const spec = {
      volumes: [{ name: "v", secret: { secretName: "mounted" } }],
      containers: [
        {
          name: "main",
          args: ["--token=argument-value"],
          env: [
            { name: "A", value: "literal-value" },
            { name: "B", valueFrom: { secretKeyRef: { name: "by-key", key: "k" } } },
          ],
          envFrom: [{ secretRef: { name: "whole" } }],
        },
      ],
    };
    const target = play({
      objects: [pod("p", "migrate", { spec, status: failedPod })],
      secrets: { mounted: { a: "mounted-value" }, "by-key": { k: "keyed-value" }, whole: { b: "whole-value" } },
      log: "started\nusing mounted-value keyed-value whole-value literal-value argument-value\n\u001b[31mfailed\n",
    });
    expect((await diagnoseWorkload(target, failedJob, signal))?.message).toBe(
      "has failed (BackoffLimitExceeded); Pod p, has failed, container main exited with 2 (Error); " +
        "its log ends with: started | using [...] [...] [...] [...] [...] | [31mfailed",
    );
    expect(target.asked.at(-1)).toBe(
      "/api/v1/namespaces/n/pods/p/log?container=main&previous=false&tailLines=5&limitBytes=65536",
    );
  });

  it("masks what the connection knows before it cuts the log", async () => {
    const log = `${connectionToken}${"x".repeat(1000 - "connection".length)}`;
    const target = play({ objects: [pod("p", "migrate", { status: failedPod })], log });
    const message = (await diagnoseWorkload(target, failedJob, signal))?.message ?? "";
    expect(message).toMatch(/its log ends with: \[\.\.\.\]x+$/);
    expect(message).not.toContain("connection");
  });

  it("cuts long logs at their start", async () => {
    const log = `${"x".repeat(5000)}\n${"last line ".repeat(10)}`;
    const target = play({ objects: [pod("p", "migrate", { status: failedPod })], log });
    const message = (await diagnoseWorkload(target, failedJob, signal))?.message ?? "";
    expect(message.length).toBeLessThan(1200);
    expect(message).toMatch(/log ends with: \.\.\.x+ \| (last line ){9}last line$/);
  });

  it.each([
    [
      "log",
      "has failed (BackoffLimitExceeded); Pod p, has failed, container main exited with 2 (Error); its log cannot be read",
    ],
    ["Pod", "has failed (BackoffLimitExceeded)"],
    [
      "Secret",
      "has failed (BackoffLimitExceeded); Pod p, has failed, container main exited with 2 (Error); its log cannot be read",
    ],
  ])("says what it knows when %s may not be read", async (forbidden, message) => {
    const spec = { containers: [{ name: "main", envFrom: [{ secretRef: { name: "s" } }] }] };
    const objects = [pod("p", "migrate", { spec, status: failedPod })];
    const target = play({ objects, forbidden: [forbidden], log: "sentinel-value" });
    expect((await diagnoseWorkload(target, failedJob, signal))?.message).toBe(message);
  });

  it("ends with the reason of an abort", async () => {
    const controller = new AbortController();
    controller.abort(new Error("interrupted"));
    const target = play({ objects: [], forbidden: ["Pod"] });
    await expect(diagnoseWorkload(target, failedJob, controller.signal)).rejects.toThrow("interrupted");
  });
});

describe("checkReadiness, failing fast", () => {
  const entry = { resource: { apiVersion: "batch/v1", kind: "Job", namespace: "n", name: "migrate" } };

  async function check(live: UnstructuredObject, options: Partial<ReadinessOptions> = {}) {
    const clusterOf = (): Promise<TargetCluster> => Promise.reject(new Error("no secondary target"));
    const resource = {
      ...entry.resource,
      apiVersion: live.apiVersion,
      kind: live.kind,
      name: live.metadata.name ?? "",
    };
    const base = { cluster: play({ objects: [live] }), entries: [{ resource }], clusterOf, signal };
    try {
      return (await checkReadiness({ ...base, checks: { level: "kstatus" }, ...options })).unready;
    } catch (error) {
      if (error instanceof LandscaperError) return error;
      throw error;
    }
  }

  it("ends the job, naming the object", async () => {
    const error = await check(failedJob);
    expect(error).toMatchObject({
      message: "Job n/migrate: has failed (BackoffLimitExceeded)",
      reason: "ResourceFailed",
      retry: "never",
    });
  });

  it.each([
    ["waits with level default, for which a Job is ready", {}, []],
    ["waits when told so", { level: "kstatus", failFast: false }, ["Job n/migrate: has failed (BackoffLimitExceeded)"]],
  ] as const)("%s", async (_name, checks, result) => {
    expect(await check(failedJob, { checks })).toEqual(result);
  });

  it("fails fast with level default when told so", async () => {
    const crashed = pod("p", "none", { status: { ...crashing, conditions: [{ type: "Ready", status: "False" }] } });
    expect(await check(crashed, { checks: { failFast: true } })).toMatchObject({
      message: "Pod n/p: container main: CrashLoopBackOff, exited with 1 (Error)",
    });
  });

  it("believes at once that a Job has failed", async () => {
    expect(await check(failedJob, { suspects: new Map(), elapsedMs: 0 })).toMatchObject({ reason: "ResourceFailed" });
  });

  it("waits before it believes a status that may be about the former spec", async () => {
    const suspects = new Map<string, number>();
    const stalled = { conditions: [{ type: "Stalled", status: "True" }] };
    const unclear = object("example.org/v1 Any", "a", { status: stalled });
    expect(await check(unclear, { suspects, elapsedMs: 1000 })).toEqual(["Any n/a: is stalled"]);
    expect(await check(unclear, { suspects, elapsedMs: 10_999 })).toEqual(["Any n/a: is stalled"]);
    expect(await check(unclear, { suspects, elapsedMs: 11_000 })).toMatchObject({ reason: "ResourceFailed" });
    const clear = { ...unclear, status: { ...stalled, observedGeneration: 1 } };
    expect(await check(clear, { suspects: new Map(), elapsedMs: 0 })).toMatchObject({ reason: "ResourceFailed" });
  });
});
