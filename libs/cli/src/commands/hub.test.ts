import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { kubeResources, type KubeObject, type Lease } from "@landscaper/api";
import { ReleaseStore, type ReleaseRecord } from "@landscaper/helm-release";
import { waitFor } from "@landscaper/testkit";
import { startTestCluster, type TestCluster } from "../../test/cluster.ts";
import { hubRecord, hubTime } from "../../test/hub-release.ts";
import { runProgram, type Outcome } from "../../test/program.ts";

const from = "ls-system";
const to = "landscaper-system";
const { signal } = new AbortController();

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await startTestCluster(from);
});
afterEach(() => cluster.stop());

const move = async (...words: readonly string[]): Promise<Outcome> =>
  await runProgram(["hub", "move", ...words, "--kubeconfig", cluster.kubeconfig]);
const storeIn = (namespace: string, driver?: "configmap"): ReleaseStore =>
  new ReleaseStore({ client: cluster.client, namespace, name: "landscaper", driver, now: () => hubTime });
const recordsIn = async (namespace: string): Promise<ReleaseRecord[]> => await storeIn(namespace).history({ signal });
async function record(...records: readonly ReleaseRecord[]): Promise<void> {
  for (const each of records) await storeIn(from).create(each, { signal });
}
async function putSecret(name: string, value: string, namespace = from): Promise<void> {
  const metadata = { name, namespace, labels: { team: "a" } };
  await cluster.client.create(kubeResources.secret, {
    apiVersion: "v1",
    kind: "Secret",
    metadata,
    type: "Opaque",
    data: { value: Buffer.from(value).toString("base64") },
  });
}
async function putDeployment(): Promise<void> {
  const labels = { app: "core" };
  await cluster.client.create(kubeResources.deployment, {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "landscaper", namespace: from },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "core", image: "core" }] } },
    },
  });
}
async function putLease(holderIdentity: string, leaseDurationSeconds: number): Promise<void> {
  await cluster.client.create<Lease>(kubeResources.lease, {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name: "landscaper-core-main", namespace: from },
    spec: { holderIdentity, leaseDurationSeconds },
  });
}
const nextSteps = `No core runs until you upgrade the release with the charts of this version:

  helm upgrade landscaper CHART --namespace landscaper-system --reuse-values
`;
const plan = `release landscaper (landscaper-stack 0.1.0, revision 2) moves from ls-system to landscaper-system:
  the core (Deployment landscaper) stops until the next helm upgrade; deployers and agents continue
  the agent and its deployers stay in ls-system
  ConfigMap certificates is copied to landscaper-system
  Secret nats is copied to landscaper-system
  Secret pull is copied to landscaper-system
  Secret registry is copied to landscaper-system
  2 records of the release move to landscaper-system
`;

describe("landscaper hub move", () => {
  it("lists what changes, and changes nothing without --yes", async () => {
    await record(hubRecord({ status: "superseded" }), hubRecord({ version: 2 }));
    expect(await move()).toEqual({ exitCode: 0, stderr: "", stdout: `${plan}nothing is done without --yes\n` });
    expect(await recordsIn(from)).toHaveLength(2);
    expect(await cluster.client.find(kubeResources.namespace, { name: to })).toBeUndefined();
  });

  it("stops the core, copies what its Pods use, and moves all records of the release", async () => {
    await record(hubRecord({ status: "superseded" }), hubRecord({ version: 2 }));
    await putDeployment();
    await putSecret("pull", "of the release");
    await putSecret("nats", "of the release");
    await putLease("core-0", 1);
    const { stdout, ...rest } = await move("--yes");
    expect(rest).toEqual({ exitCode: 0, stderr: "" });
    expect(stdout).toBe(`${plan}the core has stopped
the records of the release have moved
${nextSteps}
Then delete from ls-system what nothing there uses any more: ConfigMap certificates, Secret nats, Secret pull, Secret registry
`);
    expect(
      (await cluster.client.get(kubeResources.deployment, { namespace: from, name: "landscaper" })).spec?.replicas,
    ).toBe(0);
    expect((await cluster.client.list(kubeResources.lease, { namespace: from })).items).toEqual([]);
    expect(await recordsIn(from)).toEqual([]);
    const moved = await recordsIn(to);
    const config = { "landscaper-agent": { agent: { name: "hub", inLandscaperNamespace: true } } };
    expect(moved).toEqual([
      { ...hubRecord({ status: "superseded" }), namespace: to, config, labels: {} },
      { ...hubRecord({ version: 2 }), namespace: to, config, labels: {} },
    ]);
    const copied = await cluster.client.get<KubeObject>(kubeResources.secret, { namespace: to, name: "pull" });
    expect(copied).toMatchObject({ type: "Opaque", metadata: { labels: { team: "a" } } });
    expect(Reflect.get(copied, "data")).toEqual({ value: Buffer.from("of the release").toString("base64") });
    expect(await cluster.client.find(kubeResources.secret, { namespace: from, name: "pull" })).toBeDefined();
  });

  it("finishes what an interrupted call has begun, and then says that the release has moved", async () => {
    await record(hubRecord({ status: "superseded" }), hubRecord({ version: 2 }));
    await cluster.client.create(kubeResources.namespace, {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: to },
    });
    await storeIn(to).create({ ...hubRecord({ status: "superseded" }), namespace: to }, { signal });
    await putSecret("pull", "prepared", to);
    await putSecret("pull", "of the release");
    expect((await move("--yes")).exitCode).toBe(0);
    expect((await recordsIn(to)).map(({ version }) => version)).toEqual([1, 2]);
    expect(await recordsIn(from)).toEqual([]);
    const secret = await cluster.client.get<KubeObject>(kubeResources.secret, { namespace: to, name: "pull" });
    expect(Reflect.get(secret, "data")).toEqual({ value: Buffer.from("prepared").toString("base64") });
    expect(await move("--yes")).toEqual({
      exitCode: 0,
      stderr: "",
      stdout: `release landscaper is in namespace landscaper-system already. If its core does not run yet, upgrade the release:\n\n  helm upgrade landscaper CHART --namespace landscaper-system --reuse-values\n`,
    });
  });

  it("keeps the values of a release without agent, and records in ConfigMaps", async () => {
    await storeIn(from, "configmap").create(hubRecord({ chart: "landscaper", hasAgent: false }), { signal });
    const { exitCode, stdout } = await move("--yes");
    expect([exitCode, stdout.includes("the agent")]).toEqual([0, false]);
    const [moved] = await storeIn(to, "configmap").history({ signal });
    expect(moved).toEqual({ ...hubRecord({ chart: "landscaper", hasAgent: false }), namespace: to, labels: {} });
    expect(await storeIn(from, "configmap").history({ signal })).toEqual([]);
  });

  it("keeps the programs of a container deployer where their state is", async () => {
    const configOf = async (programs: string) => {
      await record(hubRecord({ programs, hasAgent: false, version: programs === from ? 1 : 2 }));
      expect((await move("--yes")).exitCode).toBe(0);
      return (await recordsIn(to)).at(-1)?.config;
    };
    const agent = hubRecord().config;
    expect(await configOf(from)).toEqual({ ...agent, "container-deployer": { deployer: { namespace: from } } });
    // This namespace does not depend on the namespace of the release.
    expect(await configOf("programs")).toEqual(agent);
  });

  it("waits for the end of Pods and Leases, and leaves the records alone if the core does not end", async () => {
    await record(hubRecord());
    await putLease("core-0", 600);
    const metadata = { name: "landscaper-1", namespace: from, labels: hubRecordLabels };
    const spec = { containers: [{ name: "core", image: "core" }] };
    await cluster.client.create(kubeResources.pod, { apiVersion: "v1", kind: "Pod", metadata, spec });
    const message = (what: string) =>
      `error: the core in namespace ls-system did not stop in 1 s: expected no ${what}. If another tool starts the core again, such as Argo CD, pause that tool. Then call the command again.\n`;
    expect(await move("--yes", "--timeout", "1s")).toMatchObject({
      exitCode: 1,
      stderr: message("Pods, found landscaper-1"),
    });
    await cluster.client.delete(kubeResources.pod, { namespace: from, name: "landscaper-1" });
    expect(await move("--yes", "--timeout", "1s")).toMatchObject({
      exitCode: 1,
      stderr: message('Leases, found landscaper-core-main of "core-0"'),
    });
    expect(await recordsIn(from)).toHaveLength(1);
    expect(await recordsIn(to)).toEqual([]);
    const moving = move("--yes");
    await waitFor(async () => (await cluster.client.find(kubeResources.namespace, { name: to })) !== undefined);
    const key = { namespace: from, name: "landscaper-core-main" };
    await cluster.client.patch(kubeResources.lease, key, { type: "merge", body: { spec: { holderIdentity: "" } } });
    expect((await moving).exitCode).toBe(0);
    expect(await recordsIn(to)).toHaveLength(1);
  });

  it.each<[string, ReleaseRecord | undefined, string]>([
    ["that does not exist", undefined, "there is no Helm release landscaper in namespace ls-system"],
    [
      "during an upgrade",
      hubRecord({ status: "pending-upgrade" }),
      "release ls-system/landscaper: revision 1 is pending-upgrade. Finish the helm command, or roll back.",
    ],
    [
      "without a core",
      hubRecord({ hasCore: false }),
      "release ls-system/landscaper: expected a Deployment of the chart landscaper, found none",
    ],
    [
      "with two namespaces",
      hubRecord({ configuration: "deployerManagement: { namespace: managed }" }),
      "release ls-system/landscaper: the namespace of deployer management is managed: the hub has two namespaces already",
    ],
    [
      "of another chart with an agent",
      hubRecord({ chart: "umbrella" }),
      "release ls-system/landscaper: expected the chart landscaper-stack for a core with an agent, found umbrella",
    ],
  ])("refuses a release %s", async (_, found, message) => {
    if (found !== undefined) await record(found);
    expect(await move("--yes")).toEqual({ exitCode: 1, stdout: "", stderr: `error: ${message}\n` });
  });

  it("refuses a namespace with another release of that name, and names that are the same or invalid", async () => {
    await record(hubRecord());
    await cluster.client.create(kubeResources.namespace, {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: to },
    });
    await storeIn(to).create(hubRecord({ firstDeployed: "2025-01-01T00:00:00Z" }), { signal });
    expect(await move("--yes")).toMatchObject({
      exitCode: 1,
      stderr:
        "error: namespace landscaper-system contains another release landscaper. Name another namespace with --to, or uninstall that release.\n",
    });
    expect(await move("--to", from)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("--to: expected another namespace than --from, found ls-system for both"),
    });
    expect(await move("--to", "A b")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--to: expected the name of a namespace, found "A b"'),
    });
  });
});

const hubRecordLabels = { "app.kubernetes.io/name": "landscaper", "app.kubernetes.io/instance": "landscaper" };
