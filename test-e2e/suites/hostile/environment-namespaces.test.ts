// Whoever has the credentials of an Environment with namespaces looks at the others: docs/reference/deployer-management.md#namespaces says what is refused.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import {
  agentAccountName,
  annotations,
  kubeResources,
  resources,
  type KubeObject,
  type ObjectKey,
  type ResourceType,
} from "@landscaper/api";
import {
  connectionFromKubeconfig,
  createClient,
  isConflict,
  isForbidden,
  type Client,
} from "@landscaper/controller-runtime";
import { waitFor } from "@landscaper/testkit";
import {
  annotatedTarget,
  createAgentAccount,
  deployerKubeconfig,
  deployItem,
  emptyRegistration,
  hostedEnvironment,
  markedSecret,
  removeEnvironment,
} from "../../hostile/environment-objects.ts";
import { deleteClusterRoles } from "../../hostile/account-grants.ts";
import { everyOutcome, isRefusal, tryAll, type Attempt, type NamedAttempt } from "../../hostile/attempts.ts";
import { dataObject } from "../../src/installations/inline-installation.ts";
import { startEnvironment, type Environment } from "../../src/services/environment.ts";
import { clustersUnderTest } from "../../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../../src/namespaces/test-namespace.ts";

const suffix = randomBytes(4).toString("hex");
const name = `limited-${suffix}`;
const registrations = ["manifest", "helm", "container", "mock"].map((one) => `${one}-${suffix}`);
/** Of deployer management; the namespace of the harness is audited for refused requests. */
const namespace = `deployers-${suffix}`;

/** Ends as soon as the server has accepted the watch. */
async function watchOnce(as: Client, type: ResourceType, at: string | undefined): Promise<void> {
  const stop = new AbortController();
  const options = { namespace: at, resourceVersion: "0", timeoutSeconds: 5, signal: stop.signal };
  try {
    for await (const _ of as.watch(type, { ...options, onOpen: () => stop.abort() })) return;
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
}

const listed: readonly ResourceType[] = [resources.deployItem, resources.target];

/** What a deployer reads in a namespace. */
function reads(at: string): readonly NamedAttempt[] {
  const key = { namespace: at, name: "there" };
  const kinds: readonly ResourceType[] = [
    resources.deployItem,
    resources.target,
    resources.dataObject,
    resources.context,
    kubeResources.secret,
    kubeResources.configMap,
  ];
  return [
    ...kinds.map((type): NamedAttempt => [`get ${type.kind}`, (as) => as.get(type, key)]),
    ...listed.map((type): NamedAttempt => [`list ${type.kind}`, (as) => as.list(type, { namespace: at })]),
    ...listed.map((type): NamedAttempt => [`watch ${type.kind}`, (as) => watchOnce(as, type, at)]),
  ];
}

const readsOfAll: readonly NamedAttempt[] = listed.flatMap((type): readonly NamedAttempt[] => [
  [`list every ${type.kind}`, (as) => as.list(type)],
  [`watch every ${type.kind}`, (as) => watchOnce(as, type, undefined)],
]);

describe.each(clustersUnderTest())("the credentials of an Environment with namespaces on %s", (cluster) => {
  let environment: Environment;
  let client: Client;
  let named: TestNamespace;
  let other: TestNamespace;
  const intruders = new Map<string, Client>();
  const as = (registration: string): Client => intruders.get(registration) ?? client;

  beforeAll(async () => {
    const deployerManagement = { namespace, leaseNamespace: namespace };
    environment = await startEnvironment({
      cluster,
      services: ["landscaper-core"],
      separateTarget: false,
      configs: { "landscaper-core": { deployerManagement } },
    });
    ({ client } = environment);
    named = await environment.namespace("named");
    other = await environment.namespace("other");
    for (const scope of [named, other]) {
      const key = { namespace: scope.name, name: "there" };
      const map: KubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata: key };
      const context: KubeObject = { apiVersion: "landscaper.gardener.cloud/v1alpha1", kind: "Context", metadata: key };
      await scope.apply(annotatedTarget(scope.name, "there", name), deployItem(scope.name, "there", "there"));
      await scope.apply(dataObject("there", 1), context, map, markedSecret(scope.name, "there", undefined));
    }
    const metadata = { name: namespace };
    await client.create(kubeResources.namespace, { apiVersion: "v1", kind: "Namespace", metadata });
    const spec = { namespaces: [named.name] };
    await client.create(resources.environment, hostedEnvironment(name, environment.hub, spec));
    for (const one of registrations) await client.create(resources.deployerRegistration, emptyRegistration(one));
    await waitFor(async () => (await client.get(resources.environment, { name })).status?.succeeded === "4/4", {
      describe: () => Promise.resolve(environment.describeLogs()),
    });
    for (const one of registrations) {
      const connection = connectionFromKubeconfig(await deployerKubeconfig(client, namespace, `${one}-${name}`));
      intruders.set(one, createClient({ connection, userAgent: "intruder" }));
    }
    const { url, ca } = environment.hub;
    const connection = { server: url, ca, token: await createAgentAccount(client, namespace, name) };
    intruders.set("agent", createClient({ connection, userAgent: "intruder" }));
  }, 240_000);
  afterAll(async () => {
    for (const intruder of intruders.values()) await intruder.close();
    for (const one of registrations) await client.delete(resources.deployerRegistration, { name: one });
    await removeEnvironment(client, name);
    await deleteClusterRoles(client, agentAccountName(name));
    await client.delete(kubeResources.namespace, { name: namespace });
    await environment.stop();
  }, 180_000);

  const stampOf = async (key: ObjectKey): Promise<string | undefined> =>
    (await client.get(resources.deployItem, key)).metadata.annotations?.[annotations.environments];
  const setNamespaces = async (...namespaces: string[]): Promise<void> => {
    const body = { spec: { namespaces } };
    await client.patch(resources.environment, { name }, { type: "merge", body });
  };
  /** The authorizer learns of bindings by a watch of its own. */
  const untilListing = async (registration: string, isAllowed: boolean): Promise<void> =>
    void (await waitFor(
      async () =>
        (await as(registration)
          .list(resources.target, { namespace: other.name })
          .then(
            () => true,
            (error: unknown) => !isForbidden(error),
          )) === isAllowed,
    ));

  it.each(registrations)("of %s read what is in its namespaces, and nothing else", async (registration) => {
    const own = reads(named.name);
    expect(await tryAll(own, as(registration))).toEqual(everyOutcome(own, "done"));
    const refused = [...reads(other.name), ...readsOfAll];
    expect(await tryAll(refused, as(registration))).toEqual(everyOutcome(refused, "refused"));
  });

  it("of its agent read no namespace but that of deployer management", async () => {
    const refused = [...reads(named.name), ...reads(other.name), ...readsOfAll];
    expect(await tryAll(refused, as("agent"))).toEqual(everyOutcome(refused, "refused"));
    const own = listed.map((type): NamedAttempt => [`list ${type.kind}`, (one) => one.list(type, { namespace })]);
    expect(await tryAll(own, as("agent"))).toEqual(everyOutcome(own, "done"));
  });

  it("would read all that, if nothing bounded them", async () => {
    const all = [...reads(named.name), ...reads(other.name), ...readsOfAll];
    expect(await tryAll(all, client)).toEqual(everyOutcome(all, "done"));
  });

  it("are no credentials of the items elsewhere, whose Targets name the Environment", async () => {
    const key = (scope: TestNamespace) => ({ namespace: scope.name, name: "there" });
    await waitFor(async () => (await stampOf(key(named))) === name);
    await waitFor(async () => (await stampOf(key(other))) === undefined);
  });

  it("of its agent add no namespace to its Environment, and take some away", async () => {
    await setNamespaces(named.name, other.name);
    const write =
      (namespaces: readonly string[] | undefined): Attempt =>
      async (one) => {
        const { spec, ...object } = await client.get(resources.environment, { name });
        const { namespaces: _, ...rest } = spec;
        const wanted = namespaces === undefined ? rest : { ...rest, namespaces: [...namespaces] };
        try {
          return await one.update(resources.environment, { ...object, spec: wanted }, { dryRun: true });
        } catch (error) {
          // The core has written the status meanwhile.
          if (isConflict(error)) return await write(namespaces)(one);
          throw error;
        }
      };
    const refused: readonly NamedAttempt[] = [
      ["name one more", write([named.name, other.name, "kube-system"])],
      ["name another", write([named.name, "kube-system"])],
      ["name all", write(["*"])],
    ];
    const withoutList: NamedAttempt = ["remove the list", write(undefined)];
    // A policy that is not compiled yet lets everything pass.
    const isRefused = () => write(undefined)(as("agent")).then(() => false, isRefusal);
    await waitFor(isRefused);
    expect(await tryAll(refused, as("agent"))).toEqual(everyOutcome(refused, "refused"));
    expect(await tryAll(refused, client)).toEqual(everyOutcome(refused, "done"));
    for (const one of [as("agent"), client])
      expect(await tryAll([withoutList], one)).toEqual(everyOutcome([withoutList], "refused"));
    const done: readonly NamedAttempt[] = [
      ["name the same", write([named.name, other.name])],
      ["name fewer", write([other.name])],
    ];
    expect(await tryAll(done, as("agent"))).toEqual(everyOutcome(done, "done"));
    // What follows starts with the rights of one namespace.
    const [registration = ""] = registrations;
    await untilListing(registration, true);
    await setNamespaces(named.name);
    await untilListing(registration, false);
    await write([named.name])(as("agent"));
  });

  it("follow the namespaces of the Environment; a watch that is open goes on when they are taken away", async () => {
    const [registration = ""] = registrations;
    await setNamespaces(named.name, other.name);
    await untilListing(registration, true);
    const { resourceVersion } = await as(registration).list(resources.target, { namespace: other.name });
    const stop = new AbortController();
    let isOpen = false;
    const options = { namespace: other.name, resourceVersion, signal: stop.signal };
    const seen: string[] = [];
    const watching = (async () => {
      const events = as(registration).watch(resources.target, { ...options, onOpen: () => (isOpen = true) });
      for await (const event of events) if (event.type === "ADDED") seen.push(event.object.metadata.name ?? "");
    })().catch(() => undefined);
    await waitFor(() => Promise.resolve(isOpen));
    await setNamespaces(named.name);
    await untilListing(registration, false);
    await other.apply(annotatedTarget(other.name, "later", undefined));
    await waitFor(() => Promise.resolve(seen.includes("later")));
    stop.abort();
    await watching;
    const refused = [...reads(other.name), ...readsOfAll];
    expect(await tryAll(refused, as(registration))).toEqual(everyOutcome(refused, "refused"));
  });
});
