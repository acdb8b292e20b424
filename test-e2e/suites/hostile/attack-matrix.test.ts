// Tries every right of every account of Landscaper, and reads of Secrets. Writes of Environment accounts also have foreign names, owners, labels and more. The
// result is docs/reference/attack-matrix.md.
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { agentNames, kubeResources } from "@landscaper/api";
import { deleteClusterRoles } from "../../hostile/account-grants.ts";
import { runMatrix, type MatrixRow } from "../../hostile/attack-matrix.ts";
import { createBoundedAccounts, type BoundedAccounts } from "../../hostile/bounded-accounts.ts";
import { createBoundedObjects, type BoundedObjects } from "../../hostile/bounded-objects.ts";
import { heldLease, listAgentSecrets } from "../../hostile/environment-objects.ts";
import { formatMatrix } from "../../hostile/format-matrix.ts";
import { reasonFor } from "../../hostile/harmless-writes.ts";
import { createReadableSecrets, listedSecrets, runReads } from "../../hostile/read-attacks.ts";
import { unboundedAccounts, untriedFiles, type Place } from "../../hostile/unbounded-accounts.ts";
import { runReach, type ReachRow } from "../../hostile/unbounded-reach.ts";
import { clustersUnderTest } from "../../src/clusters/selected-clusters.ts";
import { startTestCluster, type TestCluster } from "../../src/clusters/test-cluster.ts";

const file = join(import.meta.dirname, "../../../docs/reference/attack-matrix.md");
const suffix = randomBytes(4).toString("hex");
const [own, other, registration] = [`own-${suffix}`, `other-${suffix}`, "helm"];
const namespace = `matrix-${suffix}`;
const namespaces: Readonly<Record<Place, string>> = {
  programs: `${namespace}-programs`,
  release: `${namespace}-release`,
  management: `${namespace}-management`,
  tenant: `${namespace}-tenant`,
  "kube-system": "kube-system",
};
const createdNamespaces = Object.values(namespaces).filter((name) => name !== "kube-system");

describe.each(clustersUnderTest())("the attack matrix on %s", (cluster) => {
  let tested: TestCluster;
  let accounts: BoundedAccounts;
  let objects: BoundedObjects;
  let rows: readonly MatrixRow[];
  const reach: ReachRow[] = [];
  const clusterRoles: string[] = [];

  beforeAll(async () => {
    tested = await startTestCluster(cluster);
    const { client } = tested;
    await client.create(kubeResources.namespace, {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: namespace },
    });
    accounts = await createBoundedAccounts({ cluster: tested, namespace, environment: own, registration });
    objects = await createBoundedObjects({ client, namespace, own, other, registration, hub: tested });
    const place = { client, namespace, own, other, registration, objects, hub: tested };
    const deployer = { name: "deployer", identity: `${registration}-${own}/pod` };
    const agent = { name: "agent", identity: `${agentNames(own).identity}/pod` };
    await createReadableSecrets(client, namespace);
    await listAgentSecrets(client, { namespace, environment: own, names: listedSecrets });
    const ofLimited = `${registration}-limited-${own}`;
    const home = accounts.limitedNamespace;
    const limited = { name: "deployer with namespaces", identity: `${ofLimited}/pod`, home };
    const lease = await client.create(kubeResources.lease, heldLease(namespace, "pod.limited.0123abcd", ofLimited));
    const limitedPlace = { ...place, objects: { ...objects, leases: [lease, ...objects.leases.slice(1)] } };
    rows = [
      ...(await runMatrix(accounts.deployer, deployer, place)),
      ...(await runReads(accounts.deployer, deployer, place)),
      ...(await runMatrix(accounts.agent, agent, place)),
      ...(await runReads(accounts.agent, agent, place)),
      ...(await runMatrix(accounts.limited, limited, limitedPlace)),
      ...(await runReads(accounts.limited, limited, place)),
    ];
    await tryUnbounded();
  }, 240_000);

  async function tryUnbounded(): Promise<void> {
    for (const name of createdNamespaces) {
      await tested.client.create(kubeResources.namespace, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
    }
    for (const [index, account] of unboundedAccounts.entries()) {
      const place = { cluster: tested, namespace, namespaces, clusterRoles };
      reach.push(...(await runReach(account, `account-${index}`, place)));
    }
  }

  afterAll(async () => {
    await objects.release();
    await accounts.close();
    for (const name of clusterRoles) await deleteClusterRoles(tested.client, name);
    for (const name of [namespace, ...createdNamespaces]) await tested.client.delete(kubeResources.namespace, { name });
    await tested.stop();
  }, 180_000);

  it("permits only requests that are harmless, each for a reason", () => {
    const permitted = rows.filter(({ outcome }) => outcome === "permitted");
    const unexplained = permitted.filter((row) => reasonFor(row) === undefined);
    expect(unexplained).toEqual([]);
    // A right that the matrix cannot try needs an object in `listExisting` or `listNew`.
    expect(rows.filter(({ outcome }) => outcome === "untried")).toEqual([]);
    expect(rows.length).toBeGreaterThan(300);
  });

  it("tries the rights of every account, and confines those that have a namespace of their own", () => {
    expect(untriedFiles).toEqual([]);
    for (const { name, confinedTo, namedIn = confinedTo } of unboundedAccounts) {
      const permitted = reach.filter(({ account, isPermitted }) => account === name && isPermitted);
      expect({ name, count: permitted.length }).not.toEqual({ name, count: 0 });
      const isOutside = ({ place, isNamed }: ReachRow): boolean =>
        (isNamed ? namedIn : confinedTo)?.includes(place) === false;
      expect(permitted.filter(isOutside)).toEqual([]);
    }
  });

  it("equals its documentation", () => {
    // The file documents the answers of the real API server.
    if (cluster !== "real") return;
    const text = formatMatrix(rows, reach);
    if (process.env["E2E_UPDATE"] === "1") writeFileSync(file, text);
    expect(readFileSync(file, "utf8")).toBe(text);
  });
});
