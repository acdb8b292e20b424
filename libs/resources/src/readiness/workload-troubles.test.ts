// What the reason of a wait says of pods, and how rarely they are read for it: on an embedded target, with times that the test gives.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import type { UnstructuredObject } from "@landscaper/api";
import type { Client } from "@landscaper/controller-runtime";
import { checkReadiness } from "./check-readiness.ts";
import type { UnstructuredType } from "../cluster/discovery.ts";
import { referenceTo } from "../cluster/resource-reference.ts";
import { nothingSecret, secretsAt } from "../cluster/sent-secrets.ts";
import type { TargetCluster } from "../cluster/target-cluster.ts";
import { TargetFixture } from "../../test/target-fixture.ts";
import { nextReadingMs, WorkloadTroubles, type PodReading } from "./workload-troubles.ts";

const { signal } = new AbortController();
const type = (group: string, kind: string): UnstructuredType => ({
  group,
  version: "v1",
  kind,
  plural: `${kind.toLowerCase()}s`,
  namespaced: true,
});
const types = { sets: type("apps", "ReplicaSet"), deployments: type("apps", "Deployment"), pods: type("", "Pod") };

let target: TargetFixture;
let asked: string[];
let tests = 0;
/** Of this test alone. */
let name: string;
beforeAll(async () => {
  target = await TargetFixture.start();
});
afterAll(() => target.stop());
beforeEach(() => {
  name = `web-${++tests}`;
  asked = [];
  answer();
});
afterEach(() => target.server.setFault(undefined));

/** Notes the lists; `fault` answers them. */
function answer(fault?: { readonly status: number }): void {
  target.server.setFault(({ verb, resource }) => {
    if (verb !== "list") return undefined;
    asked.push(resource);
    return fault;
  });
}

const podSpec = { containers: [{ name: "main", image: "registry.example.test/main:1", args: ["--token=hunter22"] }] };
const template = (labels: object) => ({ metadata: { labels }, spec: podSpec });

async function createSet(): Promise<UnstructuredObject> {
  const labels = { app: name };
  const metadata = { name, namespace: "n" };
  const spec = { replicas: 1, selector: { matchLabels: labels }, template: template(labels) };
  return await target.client.create(types.sets, { apiVersion: "apps/v1", kind: "ReplicaSet", metadata, spec });
}

async function createPod(owner: UnstructuredObject, suffix: string, labels: object = {}): Promise<void> {
  const { apiVersion, kind, metadata } = owner;
  const ownerReferences = [{ apiVersion, kind, name: metadata.name ?? "", uid: metadata.uid ?? "", controller: true }];
  const own = { name: `${name}-${suffix}`, namespace: "n", labels: { app: name, ...labels }, ownerReferences };
  await target.client.create(types.pods, { apiVersion: "v1", kind: "Pod", metadata: own, spec: podSpec });
}

async function setWaiting(suffix: string, reason: string, message = ""): Promise<void> {
  const status = { name: "main", image: "", imageID: "", ready: false, restartCount: 0 };
  const body = { status: { containerStatuses: [{ ...status, state: { waiting: { reason, message } } }] } };
  const patch = { type: "merge", body, subresource: "status" } as const;
  await target.client.patch(types.pods, { namespace: "n", name: `${name}-${suffix}` }, patch);
}

/** One pass. */
async function look(
  troubles: WorkloadTroubles,
  live: UnstructuredObject,
  { elapsedMs, cluster = target.cluster }: { readonly elapsedMs: number; readonly cluster?: TargetCluster },
) {
  asked = [];
  const { found, awaited, lookAgainAfterMs } = await troubles.of(live, { cluster, elapsedMs, signal });
  return { text: found?.text, asked: [...asked], awaited, lookAgainAfterMs };
}

describe("the time of the next reading", () => {
  it.each<readonly [string, PodReading, number | undefined]>([
    ["comes some seconds after the object was found", { sinceMs: 1000, isOld: true, failures: 0 }, 3500],
    ["never comes while nothing changes", { sinceMs: 0, readMs: 5000, isOld: false, failures: 0 }, undefined],
    ["comes two seconds after the last one at once", { sinceMs: 0, readMs: 5000, isOld: true, failures: 0 }, 7000],
    ["comes a minute after a failure", { sinceMs: 0, readMs: 5000, isOld: true, failures: 1 }, 65_000],
    ["comes later with each failure", { sinceMs: 0, readMs: 0, isOld: false, failures: 2 }, 120_000],
    ["comes after five minutes at most", { sinceMs: 0, readMs: 0, isOld: false, failures: 9 }, 300_000],
  ])("%s", (_what, reading, dueMs) => {
    expect(nextReadingMs(reading)).toBe(dueMs);
  });
});

describe("the pods of an object that is not ready", () => {
  it("are read after some seconds, once more because the watch begins later, and then only when a watch tells", async () => {
    const set = await createSet();
    await createPod(set, "a");
    const troubles = new WorkloadTroubles();
    expect(await look(troubles, set, { elapsedMs: 0 })).toEqual({ asked: [], awaited: [], lookAgainAfterMs: 2500 });
    await setWaiting("a", "ImagePullBackOff");
    const text = `Pod ${name}-a: container main: ImagePullBackOff`;
    expect(await look(troubles, set, { elapsedMs: 2500 })).toMatchObject({
      text,
      asked: ["pods"],
      lookAgainAfterMs: 2000,
    });
    const second = await look(troubles, set, { elapsedMs: 4500 });
    expect(second).toMatchObject({ text, asked: ["pods"], lookAgainAfterMs: undefined });
    expect(second.awaited).toMatchObject([{ kind: "Pod", namespace: "n", labelSelector: `app=${name}` }]);
    await setWaiting("a", "ErrImagePull");
    expect(await look(troubles, set, { elapsedMs: 100_000 })).toMatchObject({ text, asked: [] });
    for (const { onNews } of second.awaited) onNews?.();
    const news = `Pod ${name}-a: container main: ErrImagePull`;
    expect(await look(troubles, set, { elapsedMs: 100_001 })).toMatchObject({ text: news, asked: ["pods"] });
    for (const { onNews } of second.awaited) onNews?.();
    expect(await look(troubles, set, { elapsedMs: 100_201 })).toMatchObject({ asked: [], lookAgainAfterMs: 1800 });
  });

  it("are read again when the object itself has changed", async () => {
    const set = await createSet();
    const troubles = new WorkloadTroubles();
    for (const elapsedMs of [0, 2500, 4500]) await look(troubles, set, { elapsedMs });
    const changed = { ...set, metadata: { ...set.metadata, resourceVersion: "0" } };
    expect((await look(troubles, changed, { elapsedMs: 9000 })).asked).toEqual(["pods"]);
    expect((await look(troubles, changed, { elapsedMs: 19_000 })).asked).toEqual([]);
  });

  it("which the target forbids, are left out, and asked for again a minute later", async () => {
    const set = await createSet();
    const troubles = new WorkloadTroubles();
    await look(troubles, set, { elapsedMs: 0 });
    answer({ status: 403 });
    const refused = await look(troubles, set, { elapsedMs: 2500 });
    expect(refused).toMatchObject({ text: undefined, asked: ["pods"], lookAgainAfterMs: 60_000 });
    for (const { onNews } of refused.awaited) onNews?.();
    expect((await look(troubles, set, { elapsedMs: 60_000 })).asked).toEqual([]);
    answer();
    expect((await look(troubles, set, { elapsedMs: 62_500 })).asked).toEqual(["pods"]);
  });

  it("which the target does not answer for, are left out after two seconds", async () => {
    const set = await createSet();
    const hangs: Client["list"] = async (_type, { signal: given } = {}) =>
      await new Promise((_resolve, reject) => given?.addEventListener("abort", () => reject(new Error("aborted"))));
    const cluster = { ...target.cluster, client: { ...target.client, list: hangs } };
    const troubles = new WorkloadTroubles();
    await look(troubles, set, { elapsedMs: 0, cluster });
    // Without the limit there would be no answer at all.
    expect(await look(troubles, set, { elapsedMs: 2500, cluster })).toMatchObject({ lookAgainAfterMs: 60_000 });
  });

  it("of a Deployment are those of its present revision, in one page", async () => {
    const set = await createSet();
    const labels = { app: name };
    const annotations = { "deployment.kubernetes.io/revision": "2" };
    const spec = { replicas: 1, selector: { matchLabels: labels }, template: template(labels) };
    const web = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name, namespace: "n", annotations }, spec };
    const deployment = await target.client.create(types.deployments, web);
    const owner = { apiVersion: "apps/v1", kind: "Deployment", name, uid: deployment.metadata.uid ?? "" };
    const metadata = { annotations, labels: { ...labels, "pod-template-hash": "new" }, ownerReferences: [owner] };
    await target.client.patch(types.sets, { namespace: "n", name }, { type: "merge", body: { metadata } });
    for (let index = 0; index < 60; index++) await createPod(set, `former-${index}`);
    await createPod(set, "new", { "pod-template-hash": "new" });
    await setWaiting("new", "ImagePullBackOff");
    await setWaiting("former-0", "ErrImagePull");
    const troubles = new WorkloadTroubles();
    await look(troubles, deployment, { elapsedMs: 0 });
    expect(await look(troubles, deployment, { elapsedMs: 2500 })).toMatchObject({
      text: `Pod ${name}-new: container main: ImagePullBackOff`,
      asked: ["replicasets", "pods"],
    });
  });

  it("do not matter to kinds without pods", async () => {
    const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "n" } };
    expect(await look(new WorkloadTroubles(), map, { elapsedMs: 0 })).toEqual({ asked: [], awaited: [] });
  });
});

describe("what the target says", () => {
  const pod = (message: string): UnstructuredObject => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "n" },
    spec: podSpec,
    status: {
      containerStatuses: [{ name: "main", state: { waiting: { reason: "CreateContainerConfigError", message } } }],
    },
  });
  const error = "container main: CreateContainerConfigError";
  const said = async (message: string, sentSecrets: TargetCluster["sentSecrets"]): Promise<string | undefined> =>
    (await look(new WorkloadTroubles(), pod(message), { elapsedMs: 0, cluster: { ...target.cluster, sentSecrets } }))
      .text;

  it("is shown in one line, and not at any length", async () => {
    expect(await said('secret "db"\n\u001b[31mnot found', nothingSecret)).toBe(`${error}: secret "db" [31mnot found`);
    expect(await said("x".repeat(5000), nothingSecret)).toBe(`${error}: ${"x".repeat(300)}...`);
  });

  it.each([
    ["a value of the manifest that is secret", secretsAt(["/spec/containers/0/args"], ["hunter22"])],
    ["a value of the manifest when nobody knows what is secret", undefined],
  ])("is masked where it quotes %s", async (_what, sentSecrets) => {
    const text = await said("exec --token=hunter22 failed", sentSecrets);
    expect(text).not.toContain("hunter22");
    expect(text).toContain("[...]");
  });
});

describe("the reason of a wait", () => {
  const entry = (live: UnstructuredObject) => ({ resource: referenceTo(live) });
  const clusterOf = (): Promise<TargetCluster> => Promise.reject(new Error("no secondary target"));

  it.each([
    ["the default checks", { level: "default" }],
    ["kstatus", { level: "kstatus" }],
    ["kstatus that waits for what has failed", { level: "kstatus", failFast: false }],
  ] as const)("says what is wrong with the pods at level %s", async (_what, checks) => {
    const set = await createSet();
    await createPod(set, "a");
    await setWaiting("a", "CreateContainerConfigError", 'configmap "settings" not found');
    const troubles = new WorkloadTroubles();
    const options = { cluster: target.cluster, entries: [entry(set)], checks, troubles, clusterOf, signal };
    const before = await checkReadiness({ ...options, elapsedMs: 0 });
    const [base] = before.unready;
    expect(before).toMatchObject({ lookAgainAfterMs: 2500 });
    const { unready } = await checkReadiness({ ...options, elapsedMs: 2500 });
    expect(unready).toEqual([
      `${base}; Pod ${name}-a: container main: CreateContainerConfigError: configmap "settings" not found`,
    ]);
  });

  it("says so of what a custom check looks at, by name and by labels", async () => {
    const set = await createSet();
    await target.client.patch(
      types.sets,
      { namespace: "n", name },
      { type: "merge", body: { metadata: { labels: { app: name } } } },
    );
    await createPod(set, "a");
    await setWaiting("a", "ImagePullBackOff");
    const requirements = [{ jsonPath: ".status.readyReplicas", operator: "exists" as const }];
    const { apiVersion, kind } = set;
    const custom = [
      { name: "named", resourceSelector: [{ apiVersion, kind, name, namespace: "n" }], requirements },
      { name: "labelled", labelSelector: { apiVersion, kind, matchLabels: { app: name } }, requirements },
    ];
    const troubles = new WorkloadTroubles();
    const options = { cluster: target.cluster, entries: [], checks: { custom }, troubles, clusterOf, signal };
    await checkReadiness({ ...options, elapsedMs: 0 });
    const { unready } = await checkReadiness({ ...options, elapsedMs: 2500 });
    const problem = `ReplicaSet n/${name}: .status.readyReplicas does not fulfil "exists"; Pod ${name}-a: container main: ImagePullBackOff`;
    expect(unready).toEqual([`check named: ${problem}`, `check labelled: ${problem}`]);
  });

  it("reads the pods of the three objects that it names, of no more", async () => {
    const sets: UnstructuredObject[] = [];
    for (let index = 0; index < 5; index++) {
      sets.push(await createSet());
      name = `web-${++tests}`;
    }
    const troubles = new WorkloadTroubles();
    const options = {
      cluster: target.cluster,
      entries: sets.map(entry),
      checks: undefined,
      troubles,
      clusterOf,
      signal,
    };
    await checkReadiness({ ...options, elapsedMs: 0 });
    asked = [];
    const { awaited } = await checkReadiness({ ...options, elapsedMs: 2500 });
    expect(asked).toEqual(["pods", "pods", "pods"]);
    expect(awaited.filter(({ kind }) => kind === "Pod").map(({ isOptional }) => isOptional)).toEqual([
      true,
      true,
      true,
    ]);
  });
});
