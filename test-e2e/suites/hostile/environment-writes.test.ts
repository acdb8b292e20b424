// Writes that an Environment account may send for its own objects: docs/reference/deployer-management.md#bounds
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  agentAccountName,
  agentNames,
  annotations,
  exportSecretName,
  finalizer,
  kubeResources,
  labels,
  planLabelValue,
  planSecretName,
  resources,
  type DeployItem,
  type KubeEvent,
  type KubeObject,
  type Lease,
  type Secret,
} from "@landscaper/api";
import { isForbidden, type Client } from "@landscaper/controller-runtime";
import { waitFor } from "@landscaper/testkit";
import { everyOutcome, tryAll, type NamedAttempt } from "../../hostile/attempts.ts";
import { createBoundedAccounts, type BoundedAccounts } from "../../hostile/bounded-accounts.ts";
import { dryRun } from "../../hostile/dry-run-writes.ts";
import { deployItem, heldLease, mark } from "../../hostile/environment-objects.ts";
import { clustersUnderTest } from "../../src/clusters/selected-clusters.ts";
import { startTestCluster, type TestCluster } from "../../src/clusters/test-cluster.ts";

const suffix = randomBytes(4).toString("hex");
const [own, other, registration] = [`own-${suffix}`, `other-${suffix}`, "helm"];
const namespace = `writes-${suffix}`;
const closed = `closed-${suffix}`;
const identity = `${registration}-${own}/pod-0`;
const sixtyYears = 2_000_000_000;

type Metadata = KubeObject["metadata"];
type Owner = NonNullable<Metadata["ownerReferences"]>[number];

describe.each(clustersUnderTest())("an account of an Environment on %s", (cluster) => {
  let tested: TestCluster;
  let client: Client;
  let accounts: BoundedAccounts;
  const uids = new Map<string, string>();

  const itemKey = (name: string) => ({ namespace, name });
  const ownerOf = (item: string): Owner => ({
    apiVersion: "landscaper.gardener.cloud/v1alpha1",
    kind: "DeployItem",
    name: item,
    uid: uids.get(item) ?? "",
  });
  /** The Secret with the item's exports as the deployer library writes it. */
  const secretOf = (item: string, metadata: Partial<Metadata> = {}): Secret => ({
    apiVersion: "v1",
    kind: "Secret",
    type: "Opaque",
    metadata: {
      namespace,
      name: exportSecretName(item),
      annotations: mark(own),
      ownerReferences: [ownerOf(item)],
      ...metadata,
    },
  });
  const leaseOf = (name: string, spec: NonNullable<Lease["spec"]> = {}): Lease => {
    const lease = heldLease(namespace, name, `${registration}-${own}`);
    return { ...lease, spec: { ...lease.spec, ...spec } };
  };
  const createSecret = (secret: Secret) => (as: Client) => as.create(kubeResources.secret, secret, dryRun);
  const createLease = (lease: Lease) => (as: Client) => as.create(kubeResources.lease, lease, dryRun);
  const change = (name: string, changed: (item: DeployItem) => DeployItem) => async (as: Client) =>
    as.update(resources.deployItem, changed(await client.get(resources.deployItem, itemKey(name))), dryRun);
  const changeMetadata = (name: string, changed: (metadata: Metadata) => Partial<Metadata>) =>
    change(name, (item) => ({ ...item, metadata: { ...item.metadata, ...changed(item.metadata) } }));
  const report =
    (name: string, status: Partial<DeployItem["status"]>) =>
    async (as: Client): Promise<unknown> => {
      const item = await client.get(resources.deployItem, itemKey(name));
      const merged = { observedGeneration: 0, ...item.status, ...status };
      return as.updateStatus(resources.deployItem, { ...item, status: merged }, dryRun);
    };
  const dropClaim = async (as: Client): Promise<unknown> => {
    const item = await client.get(resources.deployItem, itemKey("shared"));
    return as.updateStatus(resources.deployItem, { ...item, status: { observedGeneration: 0 } }, dryRun);
  };
  const by = (who: string) => ({ deployer: { identity: who, name: "d", version: "v1" } });

  beforeAll(async () => {
    tested = await startTestCluster(cluster);
    ({ client } = tested);
    for (const [name, marks] of [
      [namespace, {}],
      [closed, { [labels.noEnvironmentSecrets]: "" }],
    ] as const) {
      const metadata = { name, labels: marks };
      await client.create(kubeResources.namespace, { apiVersion: "v1", kind: "Namespace", metadata });
    }
    accounts = await createBoundedAccounts({ cluster: tested, namespace, environment: own, registration });
    const items: readonly (readonly [name: string, metadata: Partial<Metadata>, status?: DeployItem["status"]])[] = [
      ["mine", { annotations: { ...mark(own), [annotations.operation]: "plan", "example.org/note": "x" } }],
      ["theirs", { annotations: mark(other) }],
      ["both", { annotations: mark(`${own},${other}`) }, busy(`helm-${other}/pod-0`)],
      ["longer", { annotations: mark(`${own},x-${own}`) }, busy(`helm-x-${own}/pod-0`)],
      ["waiting", { annotations: mark(`${own},${other}`) }, { ...busy(`helm-${other}/pod-0`), phase: "Succeeded" }],
      ["left", { annotations: mark(own) }, busy("helm-removed/pod-0")],
      ["of-hub", { annotations: mark(own) }, busy("landscaper-helm-deployer/pod-0")],
      ["of-all", { annotations: mark("*") }, busy(`helm-${other}/pod-0`)],
      ["shared", { annotations: mark(own) }, busy(`manifest-${own}/pod-0`)],
      ["finished", { annotations: mark(`${own},${other}`) }, { ...busy(`helm-${other}/pod-0`), jobIDFinished: "one" }],
      ["kept", { annotations: mark(own), finalizers: [finalizer, "example.org/keep"] }],
      ["going", { annotations: mark(own), finalizers: [finalizer, "example.org/keep"] }],
      [`host-${own}`, { annotations: mark(own) }],
    ];
    for (const [name, metadata, status] of items) {
      const target = name.startsWith("host-") ? own : "somewhere";
      const wanted = deployItem(namespace, name, target);
      const item = await client.create(resources.deployItem, {
        ...wanted,
        metadata: { ...wanted.metadata, ...metadata },
      });
      uids.set(name, item.metadata.uid ?? "");
      if (status !== undefined) await client.updateStatus(resources.deployItem, { ...item, status });
    }
    await client.delete(resources.deployItem, itemKey("going"));
    const attempt = changeMetadata("mine", () => ({ labels: { a: "b" } }));
    await waitFor(() => attempt(accounts.deployer).then(() => false, isForbidden));
  }, 240_000);

  afterAll(async () => {
    for (const name of ["kept", "going"]) {
      const body = { metadata: { finalizers: null } };
      await client.patch(resources.deployItem, itemKey(name), { type: "merge", body });
    }
    await accounts.close();
    for (const name of [namespace, closed]) await client.delete(kubeResources.namespace, { name });
    await tested.stop();
  }, 180_000);

  function busy(identityOfHolder: string): NonNullable<DeployItem["status"]> {
    return { observedGeneration: 0, jobID: "one", phase: "Progressing", ...by(identityOfHolder) };
  }

  it("writes the status of its items in its own name, adds the finalizer, and removes the operation", async () => {
    const allowed: readonly NamedAttempt[] = [
      ["claim", report("mine", by(identity))],
      ["finish its claim", report("shared", by(identity))],
      ["claim a finished item", report("finished", by(identity))],
      ["claim an item with a new job that no deployer has begun", report("waiting", by(identity))],
      [
        "add the finalizer to an item that another deployer has worked on",
        changeMetadata("finished", () => ({ finalizers: [finalizer] })),
      ],
      ["add the finalizer", changeMetadata("mine", () => ({ finalizers: [finalizer] }))],
      [
        "remove the finalizer during the deletion",
        changeMetadata("going", () => ({ finalizers: ["example.org/keep"] })),
      ],
      [
        "remove the operation",
        changeMetadata("mine", ({ annotations: known = {} }) => ({
          annotations: Object.fromEntries(Object.entries(known).filter(([key]) => key !== annotations.operation)),
        })),
      ],
    ];
    expect(await tryAll(allowed, accounts.deployer)).toEqual(everyOutcome(allowed, "done"));
  });

  it("changes nothing else of its items", async () => {
    const refused: readonly NamedAttempt[] = [
      ["claim in another name", report("mine", by(`helm-${other}/pod-0`))],
      ["claim in a name that begins alike", report("mine", by(`${registration}-${own}-2/pod-0`))],
      ["drop a claim", dropClaim],
      ["claim what another Environment works on", report("both", by(identity))],
      ["claim what an Environment works on whose name ends alike", report("longer", by(identity))],
      ["claim what a removed Environment works on, before the timeout of the job", report("left", by(identity))],
      ["claim what a deployer of the hub works on", report("of-hub", by(identity))],
      ["claim an item without a Target that another Environment works on", report("of-all", by(identity))],
      [
        "add the finalizer while another Environment works",
        changeMetadata("both", () => ({ finalizers: [finalizer] })),
      ],
      ["finish another Environment's item", report("theirs", by(identity))],
      ["add a label", changeMetadata("mine", () => ({ labels: { [labels.managedName]: "victim" } }))],
      [
        "become a child",
        changeMetadata("mine", () => ({ ownerReferences: [{ ...ownerOf("theirs"), controller: true }] })),
      ],
      ["be garbage", changeMetadata("mine", () => ({ ownerReferences: [{ ...ownerOf("mine"), uid: "gone" }] }))],
      [
        "add an annotation",
        changeMetadata("mine", ({ annotations: known }) => ({ annotations: { ...known, a: "b" } })),
      ],
      [
        "change an annotation",
        changeMetadata("mine", ({ annotations: known }) => ({ annotations: { ...known, "example.org/note": "y" } })),
      ],
      [
        "ask for an operation",
        changeMetadata("kept", ({ annotations: known }) => ({
          annotations: { ...known, [annotations.operation]: "reconcile" },
        })),
      ],
      ["remove an annotation", changeMetadata("mine", () => ({ annotations: mark(own) }))],
      ["add a finalizer", changeMetadata("mine", () => ({ finalizers: ["example.org/f"] }))],
      [
        "remove the finalizer before the deletion",
        changeMetadata("kept", () => ({ finalizers: ["example.org/keep"] })),
      ],
      ["remove another finalizer during the deletion", changeMetadata("going", () => ({ finalizers: [finalizer] }))],
      [
        "change the spec",
        change("mine", (item) => ({ ...item, spec: { ...item.spec, config: { apiVersion: "v1", kind: "C" } } })),
      ],
    ];
    expect(await tryAll(refused, accounts.deployer)).toEqual(everyOutcome(refused, "refused"));
    expect(await tryAll(refused, client)).toEqual(everyOutcome(refused, "done"));
  });

  it("writes the Secrets with exports and plans, even after the item was created again", async () => {
    const plan = { name: planSecretName("mine"), labels: { [labels.planOf]: planLabelValue("mine") } };
    const long = `a${"b".repeat(249)}`;
    const allowed: readonly NamedAttempt[] = [
      ["exports", createSecret(secretOf("mine"))],
      [
        "exports with marks",
        createSecret(secretOf("mine", { annotations: { ...mark(own), [annotations.sensitiveExports]: "[]" } })),
      ],
      ["plan", createSecret(secretOf("mine", plan))],
      [
        "plan of a long name",
        createSecret(
          secretOf("mine", { name: planSecretName(long), ownerReferences: [{ ...ownerOf("mine"), name: long }] }),
        ),
      ],
    ];
    expect(await tryAll(allowed, accounts.deployer)).toEqual(everyOutcome(allowed, "done"));
    const before = await client.create(kubeResources.secret, secretOf("mine"));
    const takeOver = async (as: Client): Promise<unknown> => {
      const metadata = { ...before.metadata, ownerReferences: [{ ...ownerOf("mine"), uid: "next" }] };
      return as.update(kubeResources.secret, { ...before, metadata }, dryRun);
    };
    const rename = async (as: Client): Promise<unknown> => {
      const metadata = { ...before.metadata, ownerReferences: [ownerOf("shared")] };
      return as.update(kubeResources.secret, { ...before, metadata }, dryRun);
    };
    expect(
      await tryAll(
        [
          ["take over", takeOver],
          ["rename", rename],
        ],
        accounts.deployer,
      ),
    ).toEqual(["take over: done", "rename: refused"]);
    await client.delete(kubeResources.secret, { namespace, name: before.metadata.name ?? "" });
  });

  it("writes no Secret of another shape", async () => {
    const owner = ownerOf("mine");
    const release = "sh.helm.release.v1.landscaper.v2";
    const immutable = { ...secretOf("mine"), immutable: true };
    const refused: readonly NamedAttempt[] = [
      ["record of a Helm release", createSecret(secretOf("mine", { name: release, labels: { owner: "helm" } }))],
      ["its labels under a permitted name", createSecret(secretOf("mine", { labels: { owner: "helm" } }))],
      [
        "cluster of Argo CD",
        createSecret(secretOf("mine", { labels: { "argocd.argoproj.io/secret-type": "cluster" } })),
      ],
      ["another name", createSecret(secretOf("mine", { name: "values" }))],
      ["the name of another item's Secret", createSecret(secretOf("mine", { name: exportSecretName("theirs") }))],
      ["no owner", createSecret(secretOf("mine", { ownerReferences: [] }))],
      ["two owners", createSecret(secretOf("mine", { ownerReferences: [owner, ownerOf("shared")] }))],
      [
        "an owner of another kind",
        createSecret(secretOf("mine", { ownerReferences: [{ ...owner, apiVersion: "v1", kind: "ConfigMap" }] })),
      ],
      ["a controller", createSecret(secretOf("mine", { ownerReferences: [{ ...owner, controller: true }] }))],
      [
        "an owner that waits",
        createSecret(secretOf("mine", { ownerReferences: [{ ...owner, blockOwnerDeletion: true }] })),
      ],
      [
        "an annotation for replication",
        createSecret(
          secretOf("mine", { annotations: { ...mark(own), "replicator.v1.mittwald.de/replicate-to": "*" } }),
        ),
      ],
      ["a finalizer", createSecret(secretOf("mine", { finalizers: ["example.org/keep"] }))],
      ["an immutable Secret", createSecret(immutable)],
      ["another type", createSecret({ ...secretOf("mine"), type: "helm.sh/release.v1" })],
      ["kube-system", createSecret(secretOf("mine", { namespace: "kube-system" }))],
      ["a namespace that is closed to Environments", createSecret(secretOf("mine", { namespace: closed }))],
    ];
    const names = refused.map(([name]) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(await tryAll(refused, accounts.deployer)).toEqual(everyOutcome(refused, "refused"));
    expect(await tryAll(refused, accounts.agent)).toEqual(everyOutcome(refused, "refused"));
    expect(await tryAll(refused, client)).toEqual(everyOutcome(refused, "done"));
  });

  it("neither updates nor deletes a Secret of another shape, even with its mark", async () => {
    const release = secretOf("mine", { name: `values-${suffix}`, ownerReferences: [] });
    const live = await client.create(kubeResources.secret, release);
    const key = { namespace, name: live.metadata.name ?? "" };
    const attempts: readonly NamedAttempt[] = [
      ["update", (as) => as.update(kubeResources.secret, { ...live, data: { a: "YQ==" } }, dryRun)],
      [
        "shape",
        (as) =>
          as.update(
            kubeResources.secret,
            { ...secretOf("mine"), metadata: { ...live.metadata, ownerReferences: [ownerOf("mine")] } },
            dryRun,
          ),
      ],
      ["delete", (as) => as.delete(kubeResources.secret, key)],
    ];
    expect(await tryAll(attempts, accounts.deployer)).toEqual(everyOutcome(attempts, "refused"));
    await client.delete(kubeResources.secret, key);
  });

  it("records Events about its items in its own name", async () => {
    const regarding = { apiVersion: "landscaper.gardener.cloud/v1alpha1", kind: "DeployItem", namespace, name: "mine" };
    const eventOf = (changes: Partial<KubeEvent>): KubeEvent => ({
      apiVersion: "events.k8s.io/v1",
      kind: "Event",
      metadata: { namespace, name: "mine.1" },
      eventTime: "2026-01-01T00:00:00.000000Z",
      type: "Normal",
      action: "Reconcile",
      reason: "Succeeded",
      note: "it is deployed",
      regarding,
      reportingController: "helm.deployer.landscaper.gardener.cloud",
      reportingInstance: `${registration}-${own}`,
      ...changes,
    });
    const create =
      (changes: Partial<KubeEvent> = {}) =>
      (as: Client) =>
        as.create(kubeResources.event, eventOf(changes), dryRun);
    const refused: readonly NamedAttempt[] = [
      ["as another deployer", create({ reportingInstance: `helm-${other}` })],
      ["as the core", create({ reportingController: "landscaper-core" })],
      ["about a Pod", create({ regarding: { ...regarding, apiVersion: "v1", kind: "Pod" } })],
      ["about an Installation", create({ regarding: { ...regarding, kind: "Installation" } })],
      ["with a label", create({ metadata: { namespace, name: "mine.1", labels: { a: "b" } } })],
      ["with an owner", create({ metadata: { namespace, name: "mine.1", ownerReferences: [ownerOf("mine")] } })],
    ];
    expect(await tryAll([["own", create()]], accounts.deployer)).toEqual(["own: done"]);
    expect(await tryAll(refused, accounts.deployer)).toEqual(everyOutcome(refused, "refused"));
    expect(await tryAll(refused, client)).toEqual(everyOutcome(refused, "done"));
  });

  it("holds Leases with a deployer's name for ten minutes at most", async () => {
    const allowed: readonly NamedAttempt[] = [
      ["its own", createLease(leaseOf("pod-0.helm.0123abcd", { leaseDurationSeconds: 600 }))],
    ];
    const refused: readonly NamedAttempt[] = [
      ...["landscaper-core", "landscaper-core-main", agentAccountName(`future-${suffix}`), "pod-0.helm"].map(
        (name): NamedAttempt => [name, createLease(leaseOf(name))],
      ),
      ["63 years", createLease(leaseOf("pod-0.helm.0123abcd", { leaseDurationSeconds: sixtyYears }))],
      ["in another name", createLease(leaseOf("pod-0.helm.0123abcd", { holderIdentity: `helm-${other}/pod-0` }))],
    ];
    expect(await tryAll(allowed, accounts.deployer)).toEqual(everyOutcome(allowed, "done"));
    expect(await tryAll(refused, accounts.deployer)).toEqual(everyOutcome(refused, "refused"));
    expect(await tryAll(refused, client)).toEqual(everyOutcome(refused, "done"));
    const ownLease = heldLease(namespace, agentAccountName(own), agentNames(own).identity);
    const long = { ...ownLease, spec: { ...ownLease.spec, leaseDurationSeconds: 601 } };
    const ofAgent: readonly NamedAttempt[] = [
      ["own", createLease(ownLease)],
      ["long", createLease(long)],
      ["of a replica of others", createLease(heldLease(namespace, agentAccountName(own), `helm-${other}`))],
      ["deployer's", createLease(leaseOf("pod-0.helm.0123abcd"))],
    ];
    expect(await tryAll(ofAgent, accounts.agent)).toEqual([
      "own: done",
      "long: refused",
      "of a replica of others: refused",
      "deployer's: refused",
    ]);
  });
});
