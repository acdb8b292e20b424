// Releases of the stack by the real helm, beside the namespace of deployer management: docs/adr/0045-two-namespaces-of-a-hub.md.
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, type KubeObject } from "@landscaper/api";
import { describeUnless } from "@landscaper/testkit";
import { packCharts, stackChart, type PackedCharts } from "../charts/packed-charts.ts";
import { createRealHelm, type RealHelm } from "../helm-releases/real-helm.ts";
import { oracleAbsence } from "../oracles/build-oracle.ts";
import { clustersForClients } from "../src/clusters/selected-clusters.ts";
import { startTestCluster, type TestCluster } from "../src/clusters/test-cluster.ts";

const management = "ls-system";
const agent = "landscaper-landscaper-agent";

/** No node runs the Pods of cleanups here (suites/container-cleanup-helm, suites/core-cleanup-helm). */
const noHooks = "--no-hooks";

describeUnless(oracleAbsence("helm"), describe)("namespaces of a release of the stack", () => {
  let charts: PackedCharts;
  beforeAll(() => {
    charts = packCharts();
  });
  afterAll(() => charts.dispose());

  describe.each(clustersForClients("charts-releases-namespaces"))("on %s", (cluster) => {
    let hub: TestCluster;
    const helms: RealHelm[] = [];
    beforeAll(async () => {
      hub = await startTestCluster(cluster);
    });
    afterAll(async () => {
      for (const helm of helms) helm.dispose();
      await hub.stop();
    });

    function helmIn(namespace: string): RealHelm {
      const helm = createRealHelm(hub.kubeconfig, namespace);
      helms.push(helm);
      return helm;
    }
    const agentValues = (): string[] => ["--values", join(charts.path(stackChart), "values-agent.yaml")];
    const install = async (helm: RealHelm, ...words: readonly string[]): Promise<string> =>
      await helm.run(
        "install",
        "landscaper",
        charts.path(stackChart),
        "--create-namespace",
        ...agentValues(),
        ...words,
      );
    const upgrade = async (helm: RealHelm, ...words: readonly string[]): Promise<string> =>
      await helm.run("upgrade", "landscaper", charts.path(stackChart), ...words);
    const findNamespace = async (name: string): Promise<KubeObject | undefined> =>
      await hub.client.find(kubeResources.namespace, { name });
    const findDeployment = async (namespace: string, name: string): Promise<KubeObject | undefined> =>
      await hub.client.find(kubeResources.deployment, { namespace, name });

    it("creates ls-system, keeps it on uninstall, and leaves it alone in a release of another name", async () => {
      const helm = helmIn("landscaper-system");
      const notes = await install(helm);
      expect(notes).not.toContain("WARNING");
      const created = await findNamespace(management);
      expect(created?.metadata.annotations?.["meta.helm.sh/release-name"]).toBe("landscaper");
      expect(await findDeployment(management, agent)).toBeDefined();
      await upgrade(helm, "--reuse-values");
      expect(await findDeployment(management, agent)).toBeDefined();
      expect(await helm.run("get", "manifest", "landscaper")).toContain("kind: Namespace");
      await helm.run("uninstall", "landscaper", noHooks);
      expect((await findNamespace(management))?.metadata.uid).toBe(created?.metadata.uid);
      expect(await findDeployment(management, agent)).toBeUndefined();
      await helm.run("install", "other", charts.path(stackChart), ...agentValues());
      expect(await helm.run("get", "manifest", "other")).not.toContain("kind: Namespace");
      await helm.run("uninstall", "other", noHooks);
      expect((await findNamespace(management))?.metadata).toMatchObject({
        uid: created?.metadata.uid,
        annotations: { "meta.helm.sh/release-name": "landscaper" },
      });
      await install(helm);
      await helm.run("uninstall", "landscaper", noHooks);
    });

    it("refuses a first install into ls-system, and upgrades a hub there with a warning", async () => {
      const helm = helmIn(management);
      await expect(install(helm)).rejects.toThrow("must differ from the namespace of deployer management");
      await install(helm, "--set", "landscaper.managementNamespace.allowShared=true");
      const before = await findDeployment(management, agent);
      for (const words of [["--reuse-values"], agentValues()]) {
        expect(await upgrade(helm, ...words)).toContain(
          "WARNING: The core runs in the namespace of deployer management",
        );
        expect((await findDeployment(management, agent))?.metadata).toMatchObject({
          uid: before?.metadata.uid,
          generation: before?.metadata.generation,
        });
      }
      await helm.run("uninstall", "landscaper", noHooks);
    });

    it("gives programs of the container deployer a namespace of their own, and keeps the namespace of an earlier release", async () => {
      const helm = helmIn("landscaper-system");
      const chart = charts.path("container-deployer");
      const placeOf = async (release: string): Promise<string> => {
        const key = { namespace: "landscaper-system", name: `${release}-container-deployer` };
        const map = await hub.client.get(kubeResources.configMap, key);
        return /^namespace: (.*)$/m.exec(map.data?.["config.yaml"] ?? "")?.[1] ?? "";
      };
      await helm.run("install", "new", chart);
      expect(await placeOf("new")).toBe("landscaper-system-programs");
      expect(await findNamespace("landscaper-system-programs")).toBeDefined();
      // As earlier releases placed them.
      await helm.run("install", "old", chart, "--set", "deployer.namespace=landscaper-system");
      expect(await helm.run("upgrade", "old", chart)).toContain("WARNING: Programs of users run in the namespace");
      expect(await placeOf("old")).toBe("landscaper-system");
      await helm.run("upgrade", "new", chart);
      expect(await placeOf("new")).toBe("landscaper-system-programs");
      const elsewhere = "deployer.namespace=default";
      await helm.run("upgrade", "new", chart, "--set", elsewhere);
      // The value is forgotten; the states of programs are still there.
      expect(await helm.run("upgrade", "new", chart)).toContain("default, which has to exist");
      expect(await placeOf("new")).toBe("default");
      for (const release of ["new", "old"]) await helm.run("uninstall", release, noHooks);
    });

    it("keeps the agent of an earlier release where it is", async () => {
      const helm = helmIn("hub");
      // As earlier releases placed it.
      await install(helm, "--set", "landscaper-agent.agent.inLandscaperNamespace=false");
      const before = await findDeployment("hub", agent);
      expect(before).toBeDefined();
      await upgrade(helm, ...agentValues());
      expect(await findDeployment(management, agent)).toBeUndefined();
      expect((await findDeployment("hub", agent))?.metadata).toMatchObject({
        uid: before?.metadata.uid,
        generation: before?.metadata.generation,
      });
      await helm.run("uninstall", "landscaper", noHooks);
    });
  });
});
