// An attacker with the credentials of one Environment attacks another one: docs/guide/fenced-clusters.md lists what is refused.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  agentAccountName,
  agentNames,
  annotations,
  deployerManagementFinalizer,
  finalizer,
  kubeResources,
  resources,
  type TargetSelector,
} from "@landscaper/api";
import { connectionFromKubeconfig, createClient, isForbidden, type Client } from "@landscaper/controller-runtime";
import { createSealingKeys, unsealTokens, type SealingKeys } from "@landscaper/deployer";
import { waitFor } from "@landscaper/testkit";
import {
  annotatedTarget,
  createAgentAccount,
  deployerKubeconfig,
  deployItem,
  emptyRegistration,
  heldLease,
  hostedEnvironment,
  mark,
  markedSecret,
  ownedSecret,
  removeEnvironment,
} from "../../hostile/environment-objects.ts";
import { deleteClusterRoles } from "../../hostile/account-grants.ts";
import { annotate, everyOutcome, tryAll, type Attempt, type NamedAttempt } from "../../hostile/attempts.ts";
import { dryRun, dryRunDelete, dryRunToken, dryRunUpdate } from "../../hostile/dry-run-writes.ts";
import { failItem, forbiddenInEnvironments } from "../../hostile/forbidden-in-environments.ts";
import { findTokens, isAccepted } from "../../hostile/found-credentials.ts";
import { startEnvironment, type Environment } from "../../src/services/environment.ts";
import { clustersUnderTest } from "../../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../../src/namespaces/test-namespace.ts";

const suffix = randomBytes(4).toString("hex");
/** The first is in the hands of the attacker. Its name ends like the other's: that must not help. */
const [own, other] = [`edge-site-${suffix}`, `site-${suffix}`] as const;
const registrations = ["manifest", "helm", "container", "mock"].map((name) => `${name}-${suffix}`);
const [first = ""] = registrations;
/** Lease of a deployer of the other Environment. */
const leaseName = `pod.${other}.0123abcd`;
/** Of deployer management; the namespace of the harness is audited for refused requests. */
const namespace = `deployers-${suffix}`;
/** Of the two hosts. */
const keys = new Map<string, SealingKeys>([own, other].map((name) => [name, createSealingKeys()]));
const unsealBy = (name: string, text: string): string => unsealTokens(text, keys.get(name)?.privateKey ?? "").text;

describe.each(clustersUnderTest())("the credentials of an Environment on %s", (cluster) => {
  let environment: Environment;
  let client: Client;
  let scope: TestNamespace;
  /** By account. */
  const intruders = new Map<string, Client>();

  const itemOf = (name: string, target: string, at = scope.name) => deployItem(at, name, target);
  const targetOf = (name: string, annotated: string | undefined) => annotatedTarget(scope.name, name, annotated);
  const secretOf = (name: string, marked: string | undefined) => markedSecret(scope.name, name, marked);
  /** Exports of an item of the own Environment, as the deployer library writes them. */
  const exportsOf = (item: string, uid: string) => ownedSecret(secretOf(`${item}-export`, own), { name: item, uid });
  const uidOf = async (name: string): Promise<string> =>
    (await client.get(resources.deployItem, { namespace: scope.name, name })).metadata.uid ?? "";
  const leaseOf = (name: string, holder: string) => heldLease(namespace, name, holder);
  const managed = (name: string) =>
    hostedEnvironment(name, environment.hub, { sealingKey: (keys.get(name) ?? createSealingKeys()).publicKey });

  const stampOf = async (name: string, at = scope.name): Promise<string | undefined> =>
    (await client.get(resources.deployItem, { namespace: at, name })).metadata.annotations?.[annotations.environments];
  const untilStamped = async (name: string, stamp: string | undefined, at = scope.name): Promise<void> =>
    void (await waitFor(async () => (await stampOf(name, at)) === stamp, {
      describe: async () => `${await stampOf(name, at)}\n${environment.describeLogs()}`,
    }));

  beforeAll(async () => {
    const deployerManagement = { namespace, leaseNamespace: namespace };
    environment = await startEnvironment({
      cluster,
      services: ["landscaper-core"],
      separateTarget: false,
      configs: { "landscaper-core": { deployerManagement } },
    });
    ({ client } = environment);
    scope = await environment.namespace("items");
    await client.create(kubeResources.namespace, {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: namespace },
    });
    await client.create(kubeResources.serviceAccount, {
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { namespace, name: "core" },
    });
    const connect = (kubeconfig: string): Client =>
      createClient({ connection: connectionFromKubeconfig(kubeconfig), userAgent: "intruder" });
    for (const name of [own, other]) await client.create(resources.environment, managed(name));
    for (const name of registrations) await client.create(resources.deployerRegistration, emptyRegistration(name));
    for (const name of [own, other]) {
      await waitFor(async () => (await client.get(resources.environment, { name })).status?.succeeded === "4/4", {
        describe: () => Promise.resolve(environment.describeLogs()),
      });
    }
    for (const registration of registrations) {
      const kubeconfig = await deployerKubeconfig(client, namespace, `${registration}-${own}`);
      intruders.set(registration, connect(unsealBy(own, kubeconfig)));
    }
    const { url, ca } = environment.hub;
    const connection = { server: url, ca, token: await createAgentAccount(client, namespace, own) };
    intruders.set("agent", createClient({ connection, userAgent: "intruder" }));
    await scope.apply(targetOf("mine", own), targetOf("theirs", other), targetOf("free", undefined));
    await scope.apply(itemOf("mine", "mine"), itemOf("theirs", "theirs"), itemOf("free", "free"));
    await client.create(resources.deployItem, itemOf(`host-${own}`, own, namespace));
    await client.create(resources.deployItem, itemOf(`host-${other}`, other, namespace));
    await scope.apply(secretOf("plain", undefined), secretOf("theirs", other), exportsOf("mine", await uidOf("mine")));
    await client.create(kubeResources.lease, leaseOf(agentNames(other).lease, agentNames(other).identity));
    await client.create(kubeResources.lease, leaseOf(leaseName, `${first}-${other}`));
    await client.create(kubeResources.serviceAccount, {
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { namespace: scope.name, name: "reader" },
    });
    await untilStamped("mine", own);
    await untilStamped("theirs", other);
    await untilStamped(`host-${own}`, own, namespace);
    await untilStamped(`host-${other}`, other, namespace);
    await untilEnforced();
  }, 240_000);
  afterAll(async () => {
    for (const intruder of intruders.values()) await intruder.close();
    for (const name of [own, other]) await client.delete(resources.deployItem, { namespace, name: `host-${name}` });
    for (const name of registrations) await client.delete(resources.deployerRegistration, { name });
    for (const name of [own, other]) await removeEnvironment(client, name);
    await deleteClusterRoles(client, agentAccountName(own));
    await client.delete(kubeResources.namespace, { name: namespace });
    await environment.stop();
  }, 180_000);

  const keyOf = (name: string) => ({ namespace: scope.name, name });
  const update = dryRunUpdate(() => client);
  const status = (name: string, at: string, identity = `${first}-${own}`): Attempt =>
    failItem(client, { namespace: at, name }, identity);
  const forbiddenToAll = (): readonly NamedAttempt[] =>
    forbiddenInEnvironments({
      client,
      namespace,
      items: scope.name,
      own,
      other,
      registration: first,
      leaseName,
      managed,
    });

  /** A policy that is not compiled yet lets everything pass. */
  async function untilEnforced(): Promise<void> {
    for (const [what, attempt] of forbiddenToAll()) {
      const isRefused = async (): Promise<boolean> =>
        await attempt(intruders.get(first) ?? client).then(() => false, isForbidden);
      await waitFor(isRefused, { describe: () => Promise.resolve(what) });
    }
  }

  it.each([...registrations, "agent"])("of %s do nothing to others", async (name) => {
    const attempts = forbiddenToAll();
    expect(await tryAll(attempts, intruders.get(name) ?? client)).toEqual(everyOutcome(attempts, "refused"));
  });

  it.each([...registrations, "agent"])("of %s find no credentials of others in what they read", async (name) => {
    // An agent reads the namespace of deployer management alone.
    const tokens = await findTokens(intruders.get(name) ?? client, name === "agent" ? namespace : undefined);
    for (const registration of registrations) {
      const found = tokens.get(`environment.${other}.${registration}`) ?? [];
      expect(found.length).toBeGreaterThan(0);
      // As it is, by the key of their own host, and in the hands of its own host.
      const tries = found.flatMap((token) => [token, unsealBy(own, token), unsealBy(other, token)]);
      const accepted = await Promise.all(tries.map((token) => isAccepted(token, environment.hub)));
      expect(accepted).toEqual(found.flatMap(() => [false, false, true]));
    }
  });

  it("would do all that, if nothing bounded them", async () => {
    const attempts = forbiddenToAll();
    expect(await tryAll(attempts, client)).toEqual(everyOutcome(attempts, "done"));
  });

  it.each(registrations)("of %s do what deployers do for their Environment", async (name) => {
    const attempts: readonly NamedAttempt[] = [
      ["status", status("mine", scope.name, `${name}-${own}`)],
      [
        "finalizers",
        update(resources.deployItem, keyOf("mine"), (item) => ({
          ...item,
          metadata: { ...item.metadata, finalizers: [finalizer] },
        })),
      ],
      ["create a Secret", (as) => as.create(kubeResources.secret, exportsOf("new", "new"), dryRun)],
      [
        "update a Secret",
        update(kubeResources.secret, keyOf("mine-export"), annotate({ [annotations.sensitiveExports]: "[]" })),
      ],
      ["delete a Secret", dryRunDelete(kubeResources.secret, keyOf("mine-export"))],
      ["hold a Lease", (as) => as.create(kubeResources.lease, leaseOf("new.0123abcd", `${name}-${own}`), dryRun)],
    ];
    const as = intruders.get(name) ?? client;
    expect(await tryAll(attempts, as)).toEqual(everyOutcome(attempts, "done"));
    const foreign: readonly NamedAttempt[] = [
      ["the Environment", update(resources.environment, { name: own }, annotate({ a: "b" }))],
      [
        "a Lease in the agent's name",
        (intruder) =>
          intruder.create(kubeResources.lease, leaseOf(agentNames(own).lease, agentNames(own).identity), dryRun),
      ],
    ];
    expect(await tryAll(foreign, as)).toEqual(everyOutcome(foreign, "refused"));
  });

  it("of the agent keep its Environment, its Lease, and the item of its host, and no other item", async () => {
    const as = intruders.get("agent") ?? client;
    const allowed: readonly NamedAttempt[] = [
      ["Environment", update(resources.environment, { name: own }, (object) => object)],
      [
        "Lease",
        (intruder) =>
          intruder.create(kubeResources.lease, leaseOf(agentNames(own).lease, agentNames(own).identity), dryRun),
      ],
      ["item", status(`host-${own}`, namespace, agentNames(own).identity)],
    ];
    expect(await tryAll(allowed, as)).toEqual(everyOutcome(allowed, "done"));
    const hostTarget = (changes: object) =>
      update(resources.environment, { name: own }, (object) => ({
        ...object,
        spec: { ...object.spec, hostTarget: { ...object.spec.hostTarget, ...changes } },
      }));
    const selectors = (...targetSelectors: TargetSelector[]) =>
      update(resources.environment, { name: own }, (object) => ({
        ...object,
        spec: { ...object.spec, targetSelectors },
      }));
    const kubeconfig = { secretRef: { name: `${other}-target-access`, namespace: "host", key: "kubeconfig" } };
    const refused: readonly NamedAttempt[] = [
      ["Target of another Environment", hostTarget({ annotations: { [annotations.environment]: other } })],
      ["Target for all", hostTarget({ annotations: {} })],
      ["label of the Target", hostTarget({ labels: { a: "b" } })],
      ["Secret of the Target", hostTarget({ config: { kubeconfig } })],
      ["kubeconfig of the Target", hostTarget({ config: { kubeconfig: "{}" } })],
      ["type of the Target", hostTarget({ type: "example.org/other" })],
      ["selectors for all Targets", selectors()],
      [
        "selectors for Targets without an Environment",
        selectors({ annotations: [{ key: annotations.environment, operator: "!" }] }),
      ],
      ["selectors for Targets of another Environment", selectors({ targets: [{ name: other }] })],
      [
        "finalizer of the core",
        update(resources.environment, { name: own }, (object) => ({
          ...object,
          metadata: {
            ...object.metadata,
            finalizers: object.metadata.finalizers?.filter((one) => one !== deployerManagementFinalizer) ?? [],
          },
        })),
      ],
      ["annotation", update(resources.environment, { name: own }, annotate({ [annotations.abandonItems]: own }))],
      [
        "finalizer",
        update(resources.environment, { name: own }, (object) => ({
          ...object,
          metadata: { ...object.metadata, finalizers: [...(object.metadata.finalizers ?? []), "example.org/keep"] },
        })),
      ],
      ["item of a user", status("mine", scope.name, agentNames(own).identity)],
      [
        "Lease of a deployer",
        (intruder) => intruder.create(kubeResources.lease, leaseOf("new.0123abcd", `${first}-${own}`), dryRun),
      ],
    ];
    expect(await tryAll(refused, as)).toEqual(everyOutcome(refused, "refused"));
  });

  it("get tokens of accounts where the namespace says so", async () => {
    await client.patch(
      kubeResources.namespace,
      { name: scope.name },
      { type: "merge", body: { metadata: { annotations: mark(own) } } },
    );
    const as = intruders.get(first) ?? client;
    const request = dryRunToken(scope.name, "reader");
    const isGranted = (): Promise<boolean> =>
      request(as).then(
        () => true,
        () => false,
      );
    await waitFor(isGranted);
    await client.patch(
      kubeResources.namespace,
      { name: scope.name },
      { type: "merge", body: { metadata: { annotations: mark(other) } } },
    );
    await waitFor(async () => await request(as).then(() => false, isForbidden));
  });

  it("follow the Target of an item, and the core reverts a foreign change of the annotation", async () => {
    await client.patch(resources.deployItem, keyOf("theirs"), {
      type: "merge",
      body: { metadata: { annotations: mark(own) } },
    });
    await untilStamped("theirs", other);
    const annotation = (value: string | null) => ({
      type: "merge" as const,
      body: { metadata: { annotations: { [annotations.environment]: value } } },
    });
    const item = await client.get(resources.deployItem, keyOf("free"));
    const exported = ownedSecret(secretOf("free-export", undefined), { name: "free", uid: await uidOf("free") });
    await client.create(kubeResources.secret, exported);
    // Another Environment has planted this one.
    const planted = ownedSecret(secretOf("free-plan", other), { name: "free", uid: await uidOf("free") });
    await client.create(kubeResources.secret, planted);
    const reference = { observedGeneration: 0, exportRef: { namespace: scope.name, name: "free-export" } };
    await client.updateStatus(resources.deployItem, { ...item, status: reference });
    await client.patch(resources.target, keyOf("free"), annotation(own));
    await untilStamped("free", own);
    const secret = await client.get(kubeResources.secret, keyOf("free-export"));
    expect(secret.metadata.annotations?.[annotations.environments]).toBe(own);
    const { metadata } = await client.get(kubeResources.secret, keyOf("free-plan"));
    expect(metadata.annotations?.[annotations.environments]).toBe(other);
    await client.patch(resources.target, keyOf("free"), annotation(null));
    await untilStamped("free", undefined);
  });
});
