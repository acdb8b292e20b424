// Releases that fail and are put back, and that go back because somebody says so: by the helm deployer, and read by the real helm.
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import type { DeployItem } from "@landscaper/api";
import { annotations, conditionTypes, kubeResources, operations, resources } from "@landscaper/api";
import { waitFor } from "@landscaper/testkit";
import { rawChart, type ChartFiles } from "@landscaper/helm-deployer-lib/testing";
import { createRealHelm, type RealHelm } from "../../helm-releases/real-helm.ts";
import type { Environment } from "../../src/services/environment.ts";
import { startEnvironment } from "../../src/services/environment.ts";
import { helmItem, itemsInstallation } from "../../src/installations/inline-installation.ts";
import { clustersForClients } from "../../src/clusters/selected-clusters.ts";
import type { TestNamespace } from "../../src/namespaces/test-namespace.ts";

type Config = Readonly<Record<string, unknown>>;

/** With `pod`, annotations that say how it ends, there is a hook. */
const files: ChartFiles = {
  "values.yaml": "key: value\n",
  "templates/map.yaml": `apiVersion: v1
kind: ConfigMap
metadata: { name: app-map }
data: { key: {{ .Values.key | quote }}, revision: {{ .Release.Revision | quote }} }
`,
  "templates/hook.yaml": `{{- with .Values.pod }}
apiVersion: batch/v1
kind: Job
metadata: { name: check, annotations: { helm.sh/hook: "pre-install,pre-upgrade" } }
spec:
  backoffLimit: 0
  template:
    metadata: { annotations: {{ toJson . }} }
    spec: { restartPolicy: Never, containers: [{ name: main, image: registry.example.test/main:1 }] }
{{- end }}
`,
};
const simulation = "simulation.landscaper.gardener.cloud";
const failing = { pod: { [`${simulation}/exit-code`]: "3" } };
const endless = { pod: { [`${simulation}/run-duration`]: "1h" } };

/** As \`helm history\` has it. */
interface Revision {
  readonly revision: number;
  readonly status: string;
  readonly description: string;
}

describe.each(clustersForClients("oracles/helm-remediation"))("releases that are put back on %s", (cluster) => {
  let environment: Environment;
  let chart: object;
  let helm: RealHelm | undefined;
  beforeAll(async () => {
    const services = ["landscaper-core", "helm-deployer"] as const;
    environment = await startEnvironment({ cluster, services, workloads: true });
    chart = await rawChart(files);
  });
  afterAll(async () => {
    helm?.dispose();
    await environment.stop();
  });

  async function open(name: string): Promise<{ scope: TestNamespace; helm: RealHelm }> {
    const scope = await environment.namespace(name);
    await scope.apply(scope.target("target"));
    helm?.dispose();
    helm = createRealHelm(environment.target.kubeconfig, scope.targetNamespace);
    return { scope, helm };
  }

  async function deploy(scope: TestNamespace, config: Config, phase: "Succeeded" | "Failed"): Promise<DeployItem> {
    const item = helmItem({ namespace: scope.targetNamespace, config: { chart, ...config } });
    await scope.apply(itemsInstallation([item]));
    await scope.waitForPhase("root", phase);
    return await itemOf(scope);
  }

  async function itemOf(scope: TestNamespace): Promise<DeployItem> {
    const item = (await scope.deployItems("root")).get("item");
    if (item === undefined) throw new Error("there is no DeployItem yet");
    return item;
  }

  async function again(scope: TestNamespace): Promise<DeployItem> {
    await scope.trigger("root");
    await scope.waitForPhase("root", "Succeeded");
    return await itemOf(scope);
  }

  async function history(of: RealHelm): Promise<string[]> {
    const revisions = JSON.parse(await of.run("history", "app", "--output", "json")) as Revision[];
    return revisions.map(({ revision, status, description }) => `${revision} ${status}: ${description}`);
  }

  async function key(scope: TestNamespace): Promise<string | undefined> {
    return (await scope.findOnTarget(kubeResources.configMap, "app-map"))?.data?.["key"];
  }

  it("an upgrade is rolled back after its last attempt, and the real helm goes on from there", async () => {
    const { scope, helm } = await open("upgrade");
    await deploy(scope, {}, "Succeeded");
    const helmDeploymentConfig = { upgrade: { remediation: { retries: 1 } } };
    const item = await deploy(scope, { values: { key: "bad", ...failing }, helmDeploymentConfig }, "Failed");
    expect(item.status?.lastError?.message).toMatch(
      /^pre-upgrade hook Job .*\/check .*; after 2 failed attempts the release was rolled back to revision 1$/s,
    );
    expect(await history(helm)).toEqual([
      "1 superseded: Install complete",
      expect.stringMatching(/^2 failed: Upgrade "app" failed: pre-upgrade hook Job /),
      "3 deployed: Rollback to 1",
    ]);
    expect(await key(scope)).toBe("value");
    await helm.run("rollback", "app", "2", "--no-hooks");
    expect(await key(scope)).toBe("bad");
    await deploy(scope, { values: { key: "next" } }, "Succeeded");
    expect([await key(scope), (await history(helm)).slice(3)]).toEqual([
      "next",
      ["4 superseded: Rollback to 2", "5 deployed: Upgrade complete"],
    ]);
  });

  it("an install that fails is uninstalled, and begins anew", async () => {
    const { scope, helm } = await open("install");
    const helmDeploymentConfig = { install: { remediation: { retries: 1, remediateLastFailure: true } } };
    const item = await deploy(scope, { values: failing, helmDeploymentConfig }, "Failed");
    expect(item.status?.lastError?.message).toMatch(/; after 2 failed attempts the release was uninstalled$/);
    expect((await helm.run("list", "--all", "--short")).trim()).toBe("");
    await deploy(scope, { helmDeploymentConfig }, "Succeeded");
    expect(await history(helm)).toEqual(["1 deployed: Install complete"]);
  });

  it("an annotation keeps a release at a revision, and core leaves it alone", async () => {
    const { scope, helm } = await open("annotated");
    await deploy(scope, {}, "Succeeded");
    const item = await deploy(scope, { values: { key: "second" } }, "Succeeded");
    const annotate = async (value: string | null): Promise<void> => {
      const body = { metadata: { annotations: { [annotations.helmRollbackTo]: value } } };
      const itemKey = { namespace: scope.name, name: item.metadata.name ?? "" };
      await environment.client.patch(resources.deployItem, itemKey, { type: "merge", body });
    };
    const manifest = await helm.run("get", "manifest", "app", "--revision", "1");
    await annotate("1");
    const back = await again(scope);
    const condition = back.status?.conditions?.find(({ type }) => type === conditionTypes.rolledBack);
    expect([condition?.status, await key(scope)]).toEqual(["True", "value"]);
    const revisions = ["1 superseded: Install complete", "2 superseded: Upgrade complete", "3 deployed: Rollback to 1"];
    expect([await history(helm), await helm.run("get", "manifest", "app")]).toEqual([revisions, manifest]);
    await again(scope);
    // Core writes the item, and the annotation stays.
    const changed = await deploy(scope, { values: { key: "third" } }, "Succeeded");
    expect(changed.metadata.annotations).toMatchObject({ [annotations.helmRollbackTo]: "1" });
    expect(await history(helm)).toEqual(revisions);
    await annotate(null);
    await again(scope);
    expect([await key(scope), (await history(helm)).slice(2)]).toEqual([
      "third",
      ["3 superseded: Rollback to 1", "4 deployed: Upgrade complete"],
    ]);
    await helm.run("rollback", "app", "1");
    await annotate("1");
    await again(scope);
    expect((await history(helm)).slice(4)).toEqual(["5 deployed: Rollback to 1"]);
  });

  it("an interrupt while a hook runs leaves nothing pending", async () => {
    const { scope, helm } = await open("interrupted");
    await deploy(scope, {}, "Succeeded");
    const upgrading = deploy(scope, { values: endless }, "Failed");
    const isAtHook = async (): Promise<boolean> =>
      JSON.stringify((await itemOf(scope)).status?.conditions).includes("pre-upgrade hook Job");
    await waitFor(isAtHook);
    expect((await history(helm)).at(-1)).toMatch(/^2 pending-upgrade: /);
    const body = { metadata: { annotations: { [annotations.operation]: operations.interrupt } } };
    const root = { namespace: scope.name, name: "root" };
    await environment.client.patch(resources.installation, root, { type: "merge", body });
    await upgrading;
    await waitFor(async () => (await history(helm)).at(-1)?.startsWith("2 failed") === true);
    expect((await history(helm)).at(-1)).toMatch(
      /^2 failed: Upgrade "app" failed: the job was ended from outside at: "pre-upgrade hook Job .*check to end"$/,
    );
    // The real helm finds nobody at work.
    await helm.run("rollback", "app", "1");
    expect((await history(helm)).at(-1)).toBe("3 deployed: Rollback to 1");
  });
});
