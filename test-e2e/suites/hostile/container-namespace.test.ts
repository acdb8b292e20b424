// An attacker has the account of a container deployer on its host. A release of this chart gives the account no rights in the namespace of the release.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, type KubeObject, type ResourceType } from "@landscaper/api";
import { ApiError, createClient, type Client } from "@landscaper/controller-runtime";
import { fromYaml } from "@landscaper/goyaml";
import { describeUnless, waitFor } from "@landscaper/testkit";
import { packCharts, type PackedCharts } from "../../charts/packed-charts.ts";
import { createRealHelm, type RealHelm } from "../../helm-releases/real-helm.ts";
import { buildOracle, oracleAbsence } from "../../oracles/build-oracle.ts";
import { rbacGroup } from "../../src/clusters/rbac-type.ts";
import { clustersForClients } from "../../src/clusters/selected-clusters.ts";
import { requestToken } from "../../src/clusters/service-token.ts";
import { startTestCluster, type TestCluster } from "../../src/clusters/test-cluster.ts";

const namespace = "ls-system";
const name = "ls-container-deployer";
const { secret, role, roleBinding, serviceAccount, pod, configMap } = kubeResources;

/** Role of the account in the namespace of its programs. */
const ownRole = `landscaper:${namespace}:${name}:pods`;
const hub = "deployer.landscaperClusterKubeconfig.secretRef=hub";

/** "done", or the status of the answer. */
async function outcomeOf(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
    return "done";
  } catch (error) {
    if (error instanceof ApiError) return error.status;
    throw error;
  }
}

/** What the attacker would create of a kind. */
function bodyOf({ kind, group, version }: ResourceType, at: string, fields: object = {}): KubeObject {
  const apiVersion = group === "" ? version : `${group}/${version}`;
  const spec = { automountServiceAccountToken: false, containers: [{ name: "c", image: "registry.example/c:1" }] };
  const byKind: Readonly<Record<string, object>> = {
    Pod: { spec },
    Role: { rules: [] },
    RoleBinding: { roleRef: { apiGroup: rbacGroup, kind: "Role", name: ownRole }, subjects: [] },
  };
  return { apiVersion, kind, metadata: { name: "made", namespace: at }, ...byKind[kind], ...fields };
}

describeUnless(oracleAbsence("helm"), describe)("the account of a container deployer on its host", () => {
  describe.each(clustersForClients("hostile"))("on %s", (cluster) => {
    let charts: PackedCharts;
    let host: TestCluster;
    let helm: RealHelm;
    let attacker: Client;
    let programs = "";
    /** Of the release. */
    let revision = 0;

    const configuredNamespace = async (): Promise<string> => {
      const map = await host.client.get(configMap, { namespace, name });
      return String(Reflect.get(Object(fromYaml(map.data?.["config.yaml"] ?? "")), "namespace"));
    };
    const run = async (command: "install" | "upgrade", ...words: readonly string[]): Promise<string> => {
      revision += 1;
      return await helm.run(command, "ls", charts.path("container-deployer"), ...words);
    };
    const upgrade = async (...words: readonly string[]): Promise<string> => await run("upgrade", ...words);

    beforeAll(async () => {
      buildOracle("helm");
      charts = packCharts();
      host = await startTestCluster(cluster);
      helm = createRealHelm(host.kubeconfig, namespace);
      // The landscaper cluster is another one: there, the account needs rights on Secrets of other namespaces.
      await run("install", "--create-namespace", "--set", hub);
      programs = await configuredNamespace();
      const token = await requestToken(host.client, { namespace, name });
      attacker = createClient({ connection: { server: host.url, ca: host.ca, token }, userAgent: "attacker" });
      await waitFor(async () => (await outcomeOf(attacker.list(secret, { namespace: programs }))) === "done");
    });
    afterAll(async () => {
      await attacker?.close();
      helm?.dispose();
      charts?.dispose();
      await host?.stop();
    });

    it("works in a namespace that the release has created, which has no record of Helm", async () => {
      expect(programs).toBe("ls-system-programs");
      for (const type of [secret, configMap, serviceAccount, role, roleBinding, pod]) {
        const created = attacker.create(type, bodyOf(type, programs), { dryRun: true });
        expect([type.kind, await outcomeOf(created)]).toEqual([type.kind, "done"]);
      }
      const { items } = await host.client.list(secret, { namespace: programs });
      expect(items.map(({ type }) => type)).not.toContain("helm.sh/release.v1");
    });

    /** Answers to all requests for the record of the release, by verb. */
    async function attackRecord(): Promise<Readonly<Record<string, unknown>>> {
      const key = { namespace, name: `sh.helm.release.v1.ls.v${revision}` };
      const live = await host.client.get(secret, key);
      const outcomes = {
        get: await outcomeOf(attacker.get(secret, key)),
        list: await outcomeOf(attacker.list(secret, { namespace })),
        update: await outcomeOf(attacker.update(secret, live)),
        patch: await outcomeOf(
          attacker.patch(secret, key, { type: "merge", body: { metadata: { labels: { a: "b" } } } }),
        ),
        delete: await outcomeOf(attacker.delete(secret, key)),
        create: await outcomeOf(attacker.create(secret, bodyOf(secret, namespace))),
      };
      expect((await host.client.get(secret, key)).metadata.resourceVersion).toBe(live.metadata.resourceVersion);
      return outcomes;
    }
    const refused = { get: 403, list: 403, update: 403, patch: 403, delete: 403, create: 403 };

    it("neither reads nor writes the record of the release, from which the next upgrade is made", async () => {
      expect(await attackRecord()).toEqual(refused);
    });

    it.each([configMap, serviceAccount, role, roleBinding, pod])(
      "creates no $kind in the namespace of the release",
      async (type) => {
        expect(await outcomeOf(attacker.create(type, bodyOf(type, namespace)))).toBe(403);
      },
    );

    // The embedded API server lets accounts grant any right.
    if (cluster === "real") {
      it("grants no right that it does not have", async () => {
        const rules = [{ apiGroups: [""], resources: ["pods/exec"], verbs: ["create"] }];
        expect(await outcomeOf(attacker.create(role, bodyOf(role, programs, { rules })))).toBe(403);
        const roleRef = { apiGroup: rbacGroup, kind: "ClusterRole", name: "cluster-admin" };
        expect(await outcomeOf(attacker.create(roleBinding, bodyOf(roleBinding, programs, { roleRef })))).toBe(403);
      });
    }

    it("stays with its namespace when the release is upgraded", async () => {
      await upgrade("--set", "replicaCount=2", "--set", hub);
      expect(await configuredNamespace()).toBe(programs);
      expect((await host.client.get(kubeResources.namespace, { name: programs })).metadata.labels).toMatchObject({
        "pod-security.kubernetes.io/enforce": "baseline",
      });
    });

    it("does not reach the record of a hub that is its own host either, if the deployer names its namespaces", async () => {
      await upgrade("--set", "deployer.namespaces={default}");
      const reads = async (): Promise<unknown> =>
        outcomeOf(attacker.get(secret, { namespace: "default", name: "none" }));
      await waitFor(async () => (await reads()) === 404);
      expect(await attackRecord()).toEqual(refused);
    });

    it("of an older release stays in the namespace of the release, and the notes of the upgrade warn", async () => {
      const map = await host.client.get(configMap, { namespace, name });
      const text = map.data?.["config.yaml"]?.replace(programs, namespace) ?? "";
      await host.client.update(configMap, { ...map, data: { "config.yaml": text } });
      expect(await upgrade()).toContain("WARNING: Programs of users run in the namespace of the release (ls-system)");
      expect(await configuredNamespace()).toBe(namespace);
      expect(await host.client.find(kubeResources.namespace, { name: programs })).toBeDefined();
      const moved = await upgrade("--set", `deployer.namespace=${programs}`);
      expect(moved).not.toContain("WARNING");
    });
  });
});
