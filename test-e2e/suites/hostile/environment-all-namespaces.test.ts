// The account of an agent must not extend the namespaces of its Environment. No service runs: the API server alone decides.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { agentAccountName, kubeResources, labels, resources } from "@landscaper/api";
import { createClient, type Client } from "@landscaper/controller-runtime";
import { waitFor } from "@landscaper/testkit";
import { deleteClusterRoles } from "../../hostile/account-grants.ts";
import { everyOutcome, isRefusal, tryAll, type NamedAttempt } from "../../hostile/attempts.ts";
import { dryRun } from "../../hostile/dry-run-writes.ts";
import { createAgentAccount, hostedEnvironment } from "../../hostile/environment-objects.ts";
import { testBoundSettings } from "../../src/clusters/install-api.ts";
import { clustersUnderTest } from "../../src/clusters/selected-clusters.ts";
import { startTestCluster, type TestCluster } from "../../src/clusters/test-cluster.ts";

const suffix = randomBytes(4).toString("hex");
const namespace = `agents-${suffix}`;
const edge = `edge-${suffix}`;
const [hub = ""] = testBoundSettings.hubEnvironments;

describe.each(clustersUnderTest())("the account of an agent on %s", (cluster) => {
  let tested: TestCluster;
  const agents = new Map<string, Client>();
  const as = (name: string): Client => agents.get(name) ?? tested.client;

  const unlisted = (name: string) => {
    const { spec, ...object } = hostedEnvironment(name, tested);
    const { namespaces: _, ...rest } = spec;
    return { ...object, spec: rest };
  };
  const withList = (name: string, namespaces: readonly string[] | undefined) =>
    namespaces === undefined ? unlisted(name) : hostedEnvironment(name, tested, { namespaces: [...namespaces] });
  const create = (name: string, namespaces: readonly string[] | undefined): NamedAttempt => [
    `create ${name} with ${JSON.stringify(namespaces)}`,
    (client) => client.create(resources.environment, withList(name, namespaces), dryRun),
  ];
  const change = (name: string, namespaces: readonly string[] | undefined): NamedAttempt => [
    `change ${name} to ${JSON.stringify(namespaces)}`,
    async (client) => {
      const { metadata } = await tested.client.get(resources.environment, { name });
      const { spec, ...object } = withList(name, namespaces);
      return await client.update(resources.environment, { ...object, metadata, spec }, dryRun);
    },
  ];
  const setNamespaces = async (name: string, namespaces: readonly string[]): Promise<void> =>
    void (await tested.client.patch(
      resources.environment,
      { name },
      { type: "merge", body: { spec: { namespaces } } },
    ));
  const expectOutcome = async (name: string, attempts: readonly NamedAttempt[], outcome: "done" | "refused") =>
    expect(await tryAll(attempts, as(name))).toEqual(everyOutcome(attempts, outcome));

  beforeAll(async () => {
    tested = await startTestCluster(cluster);
    await tested.client.create(kubeResources.namespace, {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: namespace },
    });
    for (const name of [edge, hub]) {
      const token = await createAgentAccount(tested.client, namespace, name);
      const connection = { server: tested.url, ca: tested.ca, token };
      agents.set(name, createClient({ connection, userAgent: "intruder" }));
    }
    // A policy that is not compiled yet permits everything.
    const [, attempt] = create(edge, ["*"]);
    await waitFor(() => attempt(as(edge)).then(() => false, isRefusal));
  });
  afterAll(async () => {
    for (const client of agents.values()) await client.close();
    for (const name of agents.keys()) {
      await tested.client.delete(resources.environment, { name });
      await deleteClusterRoles(tested.client, agentAccountName(name));
    }
    await tested.client.delete(kubeResources.namespace, { name: namespace });
    await tested.stop();
  });

  it("does not create its Environment, whatever the namespaces", async () => {
    const skipping: NamedAttempt = [
      "create it with the skip-validation label",
      (client) => {
        const object = withList(edge, ["team-a"]);
        const metadata = { ...object.metadata, labels: { [labels.skipValidation]: "true" } };
        return client.create(resources.environment, { ...object, metadata }, dryRun);
      },
    ];
    // The namespaces with the Secrets of the hub, as names.
    const hubs = create(edge, ["ls-system", "landscaper-system", "kube-system", "default"]);
    const refused = [create(edge, ["*"]), create(edge, undefined), create(edge, ["team-a"]), hubs, skipping];
    await expectOutcome(edge, refused, "refused");
    expect(await tryAll([hubs], tested.client)).toEqual(everyOutcome([hubs], "done"));
  });

  it("cannot set all namespaces, and can replace all namespaces by names", async () => {
    await tested.client.create(resources.environment, withList(edge, ["team-a"]));
    await expectOutcome(edge, [change(edge, ["*"]), change(edge, undefined)], "refused");
    await setNamespaces(edge, ["*"]);
    await expectOutcome(edge, [change(edge, undefined)], "refused");
    await expectOutcome(edge, [change(edge, ["*"]), change(edge, ["team-a"])], "done");
  });

  it("can set all namespaces if hubEnvironments lists its Environment", async () => {
    await expectOutcome(hub, [create(hub, undefined)], "refused");
    await expectOutcome(hub, [create(hub, ["*"])], "done");
    await tested.client.create(resources.environment, withList(hub, ["team-a"]));
    await expectOutcome(hub, [change(hub, ["team-a", "team-b"]), change(hub, undefined)], "refused");
    await expectOutcome(hub, [change(hub, ["*"])], "done");
  });

  it("cannot set all namespaces in the Environment of another agent", async () => {
    await expectOutcome(hub, [change(edge, ["*"])], "refused");
    await expectOutcome(edge, [change(hub, ["*"])], "refused");
  });

  it("has limits that do not apply to an administrator, who cannot remove the list either", async () => {
    const attempts = [change(edge, ["*"]), change(hub, ["team-a", "team-b"])];
    expect(await tryAll(attempts, tested.client)).toEqual(everyOutcome(attempts, "done"));
    const removed = [change(edge, undefined)];
    expect(await tryAll(removed, tested.client)).toEqual(everyOutcome(removed, "refused"));
  });
});
