// `landscaper hub move`, as docs/guide/install.md#two-namespaces describes it: a hub in one namespace gets two while jobs run, with three agents connected.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, resources, type DeployItem, type Installation, type KubeObject } from "@landscaper/api";
import { describeUnless, programAbsence, waitFor } from "@landscaper/testkit";
import { mapRegistration } from "../agent/agent-landscape.ts";
import {
  environments,
  newNamespace,
  oldNamespace,
  startHubLandscape,
  type HubLandscape,
} from "../hub/hub-landscape.ts";
import { oracleAbsence } from "../oracles/build-oracle.ts";
import { deployItems, inlineInstallation, mockItem } from "../src/installations/inline-installation.ts";
import { readGuideExamples } from "../src/examples/guide-examples.ts";
import { clustersForClients } from "../src/clusters/selected-clusters.ts";

/** What stops the core and moves the records, and what upgrades the release. */
const [moveBlock = "", upgradeBlock = ""] = readGuideExamples("install.md")
  .blocks.filter(({ heading }) => heading === "A hub in one namespace")
  .map(({ script }) => script);
const agentDeployment = { namespace: oldNamespace, name: "landscaper-landscaper-agent" };
const tenant = "default";
/** Installations of the tenant whose job has not ended. Without a core, none ends. */
const maxOpenJobs = 12;

/** What a job of a deployer would change. */
interface DeployerState {
  readonly jobs: unknown;
  readonly versions: unknown;
}

describeUnless(oracleAbsence("helm") ?? programAbsence("kubectl"), describe)("landscaper hub move", () => {
  describe.each(clustersForClients("hub-move"))("on %s", (cluster) => {
    let landscape: HubLandscape;
    beforeAll(async () => {
      landscape = await startHubLandscape(cluster);
    }, 240_000);
    afterAll(async () => landscape?.stop());

    async function runBlock(block: string): Promise<string> {
      let printed = "";
      for (const line of block.split("\n")) printed += await landscape.run(line);
      return printed;
    }

    async function register(name: string, step: number): Promise<void> {
      const wanted = await mapRegistration(name, { step });
      const live = await landscape.client.find(resources.deployerRegistration, { name });
      if (live === undefined) await landscape.client.create(resources.deployerRegistration, wanted);
      else {
        const body = { spec: wanted.spec };
        await landscape.client.patch(resources.deployerRegistration, { name }, { type: "merge", body });
      }
    }

    /** Waits until the host of each Environment has the ConfigMap of the deployer, and all Environments have succeeded. */
    async function untilDeployed(name: string, step: number, succeeded: string): Promise<void> {
      const isDone = async (environment: string): Promise<boolean> => {
        const key = { namespace: oldNamespace, name: `${name}-${environment}` };
        const map = await landscape.host.find(kubeResources.configMap, key);
        const { status } = await landscape.client.get(resources.environment, { name: environment });
        return map?.data?.["step"] === `${step}` && status?.phase === "Succeeded" && status.succeeded === succeeded;
      };
      for (const environment of environments) {
        await waitFor(() => isDone(environment), { describe: landscape.describeLogs });
      }
    }

    /** Jobs of the deployer on the hub, and versions of its objects on the hosts. */
    async function stateOf(name: string): Promise<DeployerState> {
      const names = environments.map((environment) => `${name}-${environment}`);
      const { items } = await landscape.client.list<DeployItem>(resources.deployItem, { namespace: oldNamespace });
      const ofDeployer = items.filter(({ metadata }) => names.some((each) => metadata.name?.startsWith(each) === true));
      const jobs = ofDeployer.map(({ metadata, status }) => [metadata.name, metadata.generation, status?.jobID]);
      expect(jobs).toHaveLength(environments.length);
      const versions = await Promise.all(
        names.map(async (each) => {
          const map = await landscape.host.get(kubeResources.configMap, { namespace: oldNamespace, name: each });
          return [each, map.metadata.uid, map.metadata.resourceVersion];
        }),
      );
      return { jobs, versions };
    }

    const heldLeases = async (namespace: string): Promise<string[]> =>
      (await landscape.client.list(kubeResources.lease, { namespace })).items.map(
        ({ metadata, spec }) => `${metadata.name} ${spec?.holderIdentity} ${spec?.acquireTime}`,
      );
    const agentLeases = async (): Promise<string[]> =>
      (await heldLeases(oldNamespace)).filter((lease) => lease.startsWith("landscaper-agent-")).toSorted();
    const namesIn = async (namespace: string): Promise<string[]> => {
      const types = [
        kubeResources.deployment,
        kubeResources.configMap,
        kubeResources.secret,
        kubeResources.serviceAccount,
      ];
      const lists = await Promise.all(
        types.map(async (type) => (await landscape.client.list<KubeObject>(type, { namespace })).items),
      );
      return lists.flat().map(({ metadata }) => metadata.name ?? "");
    };

    /** Creates Installations until it is stopped, as tenants do; each has one item that takes a second. */
    function startTenant(): { stop(): Promise<readonly string[]> } {
      const names: string[] = [];
      const stopped = new AbortController();
      const run = async (): Promise<void> => {
        while (!stopped.signal.aborted) {
          const name = `work-${names.length}`;
          const blueprint = { deployExecutions: deployItems(mockItem("item", { delay: "1s" })) };
          const installation = inlineInstallation({ name, blueprint });
          const metadata = { ...installation.metadata, namespace: tenant };
          await landscape.client.create<KubeObject>(resources.installation, { ...installation, metadata });
          names.push(name);
          await waitFor(async () => stopped.signal.aborted || (await isKeepingUp()), {
            timeoutMs: 240_000,
          });
        }
      };
      const isKeepingUp = async (): Promise<boolean> => {
        const { items } = await landscape.client.list<Installation>(resources.installation, { namespace: tenant });
        const waiting = items.filter(({ status }) => status?.jobIDFinished === undefined);
        return waiting.length < maxOpenJobs;
      };
      const running = run();
      return {
        stop: async () => {
          stopped.abort();
          await running;
          return names;
        },
      };
    }

    it("moves the core, and neither loses a job nor installs a deployer again", async () => {
      const { client, describeLogs } = landscape;
      const nats = { namespace: oldNamespace, name: "nats" };
      const url = Buffer.from("nats://127.0.0.1:1").toString("base64");
      await client.create(kubeResources.secret, {
        apiVersion: "v1",
        kind: "Secret",
        metadata: nats,
        data: { url },
      });
      await register("stays", 1);
      await register("changes", 1);
      await untilDeployed("stays", 1, "2/2");
      await untilDeployed("changes", 1, "2/2");
      const before = { stays: await stateOf("stays"), leases: await agentLeases() };
      const agent = await client.get(kubeResources.deployment, agentDeployment);

      const work = startTenant();
      await waitFor(async () => (await heldItems()) > 0, { describe: describeLogs });
      await register("changes", 2);
      const moving = runBlock(moveBlock);
      const core = { namespace: oldNamespace, name: "landscaper" };
      const isScaledDown = async (): Promise<boolean> =>
        (await client.get(kubeResources.deployment, core)).spec?.replicas === 0;
      await Promise.race([waitFor(isScaledDown, { describe: describeLogs }), moving]);
      await landscape.first["landscaper-core"].stop(30_000);
      const said = await moving;
      expect(said).toContain("nothing is done without --yes");
      expect(said).toContain("helm upgrade landscaper CHART --namespace landscaper-system --reuse-values");

      const notes = await runBlock(upgradeBlock);
      expect(notes).toContain('deployment "landscaper" successfully rolled out');
      expect(notes).not.toContain("WARNING");
      expect(notes).toContain("The agent and the deployers that it installs run in namespace ls-system.");
      await landscape.start("mock-deployer", newNamespace);
      await landscape.first["mock-deployer"].stop(30_000);
      await landscape.start("landscaper-core", newNamespace);
      await untilDeployed("changes", 2, "2/2");
      const names = await work.stop();
      expect(names.length).toBeGreaterThan(maxOpenJobs);
      for (const name of names) {
        const ended = await waitFor(
          async () => {
            const { status } = await client.get(resources.installation, { namespace: tenant, name });
            return status?.jobIDFinished === undefined ? undefined : status;
          },
          { timeoutMs: 120_000, describe: describeLogs },
        );
        expect([name, ended.phase, ended.lastError]).toEqual([name, "Succeeded", undefined]);
      }

      expect(await stateOf("stays")).toEqual(before.stays);
      expect(await agentLeases()).toEqual(before.leases);
      expect(landscape.agents.flatMap(({ crashes }) => crashes)).toEqual([]);
      // An equal spec starts no Pods.
      const { metadata, spec } = await client.get(kubeResources.deployment, agentDeployment);
      expect([metadata.uid, spec]).toEqual([agent.metadata.uid, agent.spec]);
      expect(metadata.annotations?.["meta.helm.sh/release-namespace"]).toBe(newNamespace);
    }, 400_000);

    /** DeployItems of the tenant that a deployer works on. */
    async function heldItems(): Promise<number> {
      const { items } = await landscape.client.list<DeployItem>(resources.deployItem, { namespace: tenant });
      return items.filter(({ status }) => status?.phase === "Progressing").length;
    }

    it("leaves the release, the core and its Leases in the new namespace alone", async () => {
      const old = await namesIn(oldNamespace);
      expect(old.filter((name) => name.startsWith("sh.helm.release"))).toEqual([]);
      expect(old).not.toContain("landscaper");
      expect(old).not.toContain("landscaper-mock-deployer");
      expect(await namesIn(newNamespace)).toEqual(
        expect.arrayContaining([
          "landscaper",
          "landscaper-mock-deployer",
          "nats",
          "sh.helm.release.v1.landscaper.v1",
          "sh.helm.release.v1.landscaper.v2",
        ]),
      );
      const ofCore = /^landscaper-core/;
      expect((await heldLeases(oldNamespace)).filter((lease) => ofCore.test(lease))).toEqual([]);
      expect((await heldLeases(newNamespace)).filter((lease) => ofCore.test(lease))).not.toEqual([]);
      const policy = await landscape.client.get(kubeResources.validatingAdmissionPolicy, {
        name: "secrets.bounds.landscaper.gardener.cloud",
      });
      expect(JSON.stringify(policy.spec)).toContain("'landscaper-system'");
      const roles = await landscape.client.list(kubeResources.clusterRole, {});
      const left = roles.items.filter(({ metadata }) => metadata.name?.startsWith("landscaper:ls-system:") === true);
      expect(left).toEqual([]);
    });

    it("goes back by helm rollback, which leaves the agent alone", async () => {
      const { client } = landscape;
      const agent = await client.get(kubeResources.deployment, agentDeployment);
      await landscape.run("kubectl --namespace landscaper-system scale deployment landscaper --replicas 0");
      await landscape.run("helm rollback landscaper 1 --namespace landscaper-system");
      const core = await client.get(kubeResources.deployment, { namespace: oldNamespace, name: "landscaper" });
      expect(core.spec?.replicas).toBe(1);
      expect(
        await client.find(kubeResources.deployment, { namespace: newNamespace, name: "landscaper" }),
      ).toBeUndefined();
      const { metadata, spec } = await client.get(kubeResources.deployment, agentDeployment);
      expect([metadata.uid, spec]).toEqual([agent.metadata.uid, agent.spec]);
    });
  });
});
