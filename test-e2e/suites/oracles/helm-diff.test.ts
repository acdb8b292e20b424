// `landscaper helm diff` on releases that the real helm or our library has made: it predicts the next upgrade by the real helm.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { kubeResources } from "@landscaper/api";
import { startApiProxy, type ApiProxy, type PassedAnswer } from "@landscaper/testkit";
import { OurHelm } from "../../helm-releases/our-helm.ts";
import { createRealHelm, type RealHelm } from "../../helm-releases/real-helm.ts";
import { writeChart, type ChartFolder } from "../../helm-releases/write-chart.ts";
import { clustersForClients } from "../../src/clusters/selected-clusters.ts";
import { startTestCluster, type TestCluster } from "../../src/clusters/test-cluster.ts";

const command = join(import.meta.dirname, "../../../bin/landscaper");
const name = "shop";

interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number;
}

describe.each(clustersForClients("oracles/helm-diff"))("landscaper helm diff on %s", (clusterName) => {
  let cluster: TestCluster;
  let proxy: ApiProxy;
  let chart: ChartFolder;
  let folder: string;
  let kubeconfig: string;
  let namespace: string;
  let helm: RealHelm;
  let count = 0;
  let passed: PassedAnswer[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "landscaper-helm-diff-"));
    chart = writeChart();
    cluster = await startTestCluster(clusterName, { workloads: true });
    const { url, ca, token } = cluster;
    proxy = await startApiProxy({ upstream: { url, ca }, token, onAnswer: (answer) => void passed.push(answer) });
    kubeconfig = join(folder, "kubeconfig");
    writeFileSync(kubeconfig, proxy.kubeconfig, { mode: 0o600 });
  }, 240_000);
  afterAll(async () => {
    await proxy?.stop();
    await cluster?.stop();
    chart?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    namespace = `diff-${++count}`;
    const metadata = { name: namespace };
    await cluster.client.create(kubeResources.namespace, { apiVersion: "v1", kind: "Namespace", metadata });
    helm = createRealHelm(cluster.kubeconfig, namespace);
  });
  afterEach(() => helm.dispose());

  /** Runs the command, which must not write anything. */
  async function diff(...words: readonly string[]): Promise<Ended> {
    passed = [];
    const env = { PATH: process.env["PATH"], HOME: folder, KUBECONFIG: kubeconfig };
    const ended = await new Promise<Ended>((resolve) => {
      execFile(command, ["helm", "diff", ...words, "-n", namespace], { env }, (error, stdout, stderr) => {
        const status = error === null ? 0 : Number(Reflect.get(error, "code"));
        resolve({ stdout, stderr, status });
      });
    });
    const writes = passed.filter(({ method, path }) => method !== "GET" && !/[?&]dryRun=All(?:&|$)/.test(path));
    expect({ words, writes: writes.map(({ method, path }) => `${method} ${path}`) }).toEqual({ words, writes: [] });
    return ended;
  }

  /** What is shown, without the heading. */
  async function changesOf(...words: readonly string[]): Promise<string> {
    const { stdout, stderr, status } = await diff(...words);
    expect({ words, stderr, status }).toEqual({ words, stderr: "", status: 0 });
    return stdout.replace(/^#.*\n/, "").replace(/^hook .*\n/gm, "");
  }

  const install = async (...flags: readonly string[]): Promise<string> =>
    helm.run("install", name, chart.path, ...flags);
  const upgrade = async (...flags: readonly string[]): Promise<string> =>
    helm.run("upgrade", name, chart.path, ...flags);

  it("tells what the real helm would change, hooks and all, and hides what Secrets hold", async () => {
    await install("--set", "text=correct-horse");
    expect(await diff(name, chart.path, "--set", "text=wrong-horse,replicas=2", "--exit-code")).toEqual({
      stdout: `# Release ${namespace}/shop: revision 1 (shop-1.2.3) -> shop-1.2.3, as Helm 3
update Secret ${namespace}/shop-secret
  ~ .stringData.key: "(masked)" -> "(masked)"
update ConfigMap ${namespace}/shop-config
  ~ .data.text: "(masked)" -> "[...]"
  ~ .metadata.labels.revision: "1" -> "2"
update Deployment ${namespace}/shop
  ~ .spec.replicas: 1 -> 2
  ~ .spec.template.spec.containers[name=main].env[name=TEXT].value: "(masked)" -> "[...]"
3 to update
hook Job shop-before (pre-install, pre-upgrade): runs
`,
      stderr: "",
      status: 1,
    });
    const withoutSecret = await changesOf(name, chart.path, "--set", "text=with more,hasSecret=false");
    expect(withoutSecret).toContain('+ .data.more: "1"');
    expect(withoutSecret).toContain(`delete Secret ${namespace}/shop-secret\n`);
  });

  it.each([
    ["values", ["--set", "text=b"]],
    ["no values: those of the release", []],
    ["--reset-values", ["--reset-values"]],
    ["--reset-values and values", ["--reset-values", "--set", "replicas=3"]],
    ["--reuse-values", ["--reuse-values", "--set", "replicas=3"]],
    ["--reuse-values and null", ["--reuse-values", "--set", "text=null"]],
    ["--reset-then-reuse-values", ["--reset-then-reuse-values", "--set", "hasSecret=false"]],
  ] as const)("predicts the upgrade of a release with %s", async (_, flags) => {
    await install("--set", "text=with more,replicas=2");
    const foretold = await changesOf(name, chart.path, ...flags);
    await upgrade(...flags);
    expect(await changesOf(name, "--revision", "1", "2")).toBe(foretold);
  });

  it("has no difference between a release and itself, by its revision or on the cluster", async () => {
    await install();
    const same = `# Release ${namespace}/shop: revision 1 (shop-1.2.3) -> revision 1 (shop-1.2.3)\n3 unchanged\n`;
    expect(await diff(name, "--revision", "1", "--exit-code")).toEqual({ stdout: same, stderr: "", status: 0 });
    const onlyRevision = `update ConfigMap ${namespace}/shop-config\n  ~ .metadata.labels.revision: "1" -> "2"\n`;
    expect(await changesOf(name, chart.path, "--live")).toBe(`${onlyRevision}1 to update, 2 unchanged\n`);
  });

  it("compares with what is on the cluster, where others have changed it", async () => {
    await install("--set", "text=a");
    const type = { group: "", version: "v1", kind: "ConfigMap", plural: "configmaps", namespaced: true };
    const body = { data: { text: "drifted", foreign: "stays" } };
    await cluster.client.patch(type, { namespace, name: "shop-config" }, { type: "merge", body });
    await cluster.client.delete(kubeResources.secret, { namespace, name: "shop-secret" });
    const recorded = await changesOf(name, chart.path, "--set", "text=a");
    const live = await changesOf(name, chart.path, "--set", "text=a", "--live");
    expect(recorded).toBe(`update ConfigMap ${namespace}/shop-config
  ~ .metadata.labels.revision: "1" -> "2"
1 to update, 2 unchanged
`);
    expect(live).toContain(`create Secret ${namespace}/shop-secret\n`);
    expect(live).toContain('  ~ .data.text: "drifted" -> "a"\n');
    expect(live).not.toContain("foreign");
  });

  it("goes on with a release that our library has made, and with its failed upgrade", async () => {
    const ours = new OurHelm(cluster.client, { name, namespace, chart: chart.path });
    await ours.deploy({ text: "a" });
    await expect(ours.deploy({ text: "b", isBroken: true })).rejects.toThrow("NOT-A-NAME");
    const foretold = await changesOf(name, chart.path, "--set", "text=c");
    expect(foretold).toContain('  ~ .metadata.labels.revision: "1" -> "3"\n');
    expect(await changesOf(name, "--revision", "1")).toContain("create ConfigMap");
    await upgrade("--set", "text=c");
    expect(await changesOf(name, "--revision", "1", "3")).toBe(foretold);
  });

  it("shows an installation, and refuses what is not there", async () => {
    const there = `there is no release "shop" in namespace "${namespace}"`;
    const refused = { stdout: "", stderr: `error: ${there}; --install shows what would be installed\n`, status: 2 };
    expect(await diff(name, chart.path)).toEqual(refused);
    const foretold = await diff(name, chart.path, "--install", "-o", "json");
    expect(JSON.parse(foretold.stdout)).toMatchObject({
      from: null,
      to: { revision: null, chart: "shop-1.2.3" },
      summary: "3 to create",
      hooks: [
        { name: "shop-before", runs: true },
        { name: "shop-end", runs: false },
      ],
    });
    await install();
    const missing = `error: release ${namespace}/shop has no revision 7, found 1\n`;
    expect(await diff(name, "--revision", "7")).toEqual({ stdout: "", stderr: missing, status: 2 });
    await helm.run("uninstall", name, "--keep-history");
    expect(await diff(name, chart.path)).toEqual(refused);
  });

  it("says what the cluster would refuse", async () => {
    await install();
    const { stdout, status } = await diff(name, chart.path, "--set", "isBroken=true", "--live", "--exit-code");
    expect(status).toBe(1);
    expect(stdout).toContain(`blocked ConfigMap ${namespace}/NOT-A-NAME: `);
  });
});
