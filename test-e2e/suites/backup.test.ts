// What docs/guide/install.md says of a backup: etcd of the landscaper cluster is put back to a moment when jobs were running, while the target goes on.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { kubeResources, resources, type KubeObject } from "@landscaper/api";
import { rawChart } from "@landscaper/helm-deployer-lib/testing";
import { describeUnless, waitFor } from "@landscaper/testkit";
import { restoreSnapshot, takeSnapshot, type EtcdSnapshot } from "../cluster/etcd-snapshot.ts";
import { findTwins } from "../ha/audit-jobs.ts";
import { startEnvironment, type Environment } from "../src/services/environment.ts";
import { etcdAbsence } from "../src/clusters/etcd-absence.ts";
import { gateCheck, openGate } from "../src/items/gate.ts";
import { readGuideExamples } from "../src/examples/guide-examples.ts";
import {
  clusterImport,
  deployItems,
  helmItem,
  inlineInstallation,
  manifestItem,
} from "../src/installations/inline-installation.ts";
import { findKubectl } from "../src/clients/kubectl.ts";
import { recordHistory } from "../src/kits/object-history.ts";
import { subInstallationTemplate } from "../src/installations/sub-installations.ts";
import type { TestNamespace } from "../src/namespaces/test-namespace.ts";
import { createUserShell } from "../src/examples/user-shell.ts";

const [, , startJobs] = readGuideExamples("install.md").blocks.filter(
  ({ heading }) => heading === "Back up and restore",
);
const targets = [{ name: "cluster", target: "cluster" }];
const hold = "example.com/hold";
const timeout = "10m";

interface Wanted {
  readonly name: string;
  readonly step?: number;
  /** Waits for the gate. */
  readonly isGated?: boolean;
  /** What is made stays until the test lets it go. */
  readonly isHeld?: boolean;
}

/** A ConfigMap by the manifest deployer and one by a release of the helm deployer, both with the step. */
async function blueprintOf({ name, step = 1, isGated, isHeld }: Wanted, namespace: string): Promise<object> {
  const config = isGated === true ? gateCheck(namespace) : {};
  const finalizers = isHeld === true ? [hold] : [];
  const metadata = { name: `${name}-manifest`, namespace, finalizers };
  const manifest = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { step: `${step}` } };
  const chart = await rawChart({
    "templates/map.yaml": `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}-chart }\ndata: { step: "{{ .Values.step }}" }\n`,
  });
  const items = [
    manifestItem({
      name: "manifest",
      manifests: [],
      config: { ...config, manifests: [{ policy: "manage", manifest }] },
      item: { timeout },
    }),
    helmItem({ namespace, config: { ...config, name, chart, values: { step } }, item: { name: "chart", timeout } }),
  ];
  return { imports: [clusterImport], deployExecutions: deployItems(...items) };
}

describeUnless(etcdAbsence(), describe)("a landscaper cluster that is restored from a backup", () => {
  let environment: Environment;
  let scope: TestNamespace;
  let snapshot: EtcdSnapshot;
  const folder = mkdtempSync(join(tmpdir(), "landscaper-backup-"));

  async function apply(wanted: Wanted): Promise<void> {
    const blueprint = { ...(await blueprintOf(wanted, scope.targetNamespace)) };
    await scope.apply(inlineInstallation({ name: wanted.name, blueprint, imports: { targets } }));
  }

  /** An Installation whose work is that of a subinstallation. */
  async function applyTree(wanted: Wanted): Promise<void> {
    const blueprint = { ...(await blueprintOf(wanted, scope.targetNamespace)) };
    const child = subInstallationTemplate({ name: "child", blueprint, imports: { targets } });
    const parent = { imports: [clusterImport], subinstallations: [child] };
    await scope.apply(inlineInstallation({ name: wanted.name, blueprint: parent, imports: { targets } }));
  }

  const parts = (name: string): string[] => [`${name}-chart`, `${name}-manifest`];
  const mapsOf = async (name: string): Promise<(KubeObject | undefined)[]> =>
    await Promise.all(parts(name).map(async (each) => await scope.findOnTarget(kubeResources.configMap, each)));
  const stepsOf = async (name: string): Promise<unknown[]> =>
    (await mapsOf(name)).map((map) => Object(Reflect.get(Object(map), "data")).step);
  const uidsOf = async (name: string): Promise<(string | undefined)[]> =>
    (await mapsOf(name)).map((map) => map?.metadata.uid);
  const untilMade = async (name: string): Promise<void> =>
    void (await waitFor(async () => (await stepsOf(name)).every((step) => step === "1")));
  const installation = async (name: string) => await scope.get(resources.installation, name);
  const statesOf = async (): Promise<Record<string, unknown>> => {
    const found = await scope.list(resources.installation);
    return Object.fromEntries(found.map(({ metadata, status }) => [metadata.name, [status?.jobID, status?.phase]]));
  };

  beforeAll(async () => {
    environment = await startEnvironment({
      cluster: "real",
      target: "embedded",
      services: ["landscaper-core", "manifest-deployer", "helm-deployer"],
    });
    scope = await environment.namespace("backup");
    await scope.apply(scope.target("cluster"));
  }, 180_000);
  afterAll(async () => {
    await environment?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("is backed up while jobs run, and changes afterwards", async () => {
    const { hub, targetClient } = environment;
    for (const name of ["resting", "changed", "deleted"]) await apply({ name });
    await apply({ name: "leaving", isHeld: true });
    for (const name of ["resting", "changed", "deleted", "leaving"]) await scope.waitForPhase(name, "Succeeded");
    await apply({ name: "working", isGated: true });
    await applyTree({ name: "tree", isGated: true });
    for (const name of ["working", "tree"]) await untilMade(name);
    await scope.delete(resources.installation, "leaving");
    const isLeaving = (map: KubeObject | undefined): boolean => map?.metadata.deletionTimestamp !== undefined;
    await scope.waitOnTarget(kubeResources.configMap, "leaving-manifest", isLeaving);
    snapshot = await takeSnapshot(hub.etcdUrl ?? "");

    const key = { namespace: scope.targetNamespace, name: "leaving-manifest" };
    await targetClient.patch(kubeResources.configMap, key, { type: "merge", body: { metadata: { finalizers: null } } });
    await scope.untilGone(resources.installation, "leaving");
    await openGate(targetClient, scope.targetNamespace);
    await apply({ name: "changed", step: 2 });
    await apply({ name: "created" });
    await scope.delete(resources.installation, "deleted");
    for (const name of ["working", "tree", "changed", "created"]) await scope.waitForPhase(name, "Succeeded");
    await scope.untilGone(resources.installation, "deleted");
    expect(await stepsOf("changed")).toEqual(["2", "2"]);
    expect(await stepsOf("deleted")).toEqual([undefined, undefined]);
  }, 240_000);

  it("finishes the jobs that were running, and writes nothing to targets that is there", async () => {
    const { hub, targetClient, services } = environment;
    for (const service of services) await service.stop();
    await restoreSnapshot(hub.etcdUrl ?? "", snapshot);
    const restored = await statesOf();
    expect(restored).toMatchObject({
      working: [expect.anything(), "Progressing"],
      leaving: [expect.anything(), "Deleting"],
    });
    const maps = await recordHistory(targetClient, kubeResources.configMap, scope.targetNamespace);
    const releases = await recordHistory(targetClient, kubeResources.secret, scope.targetNamespace);
    const [before, releasesBefore] = [maps.seen.length, releases.seen.length];
    await Promise.all(services.map(async (service) => await service.start()));
    for (const name of ["working", "tree"]) await scope.waitForPhase(name, "Succeeded");
    await scope.untilGone(resources.installation, "leaving");
    const { working, tree } = await statesOf();
    expect([working, tree]).toEqual(
      [restored["working"], restored["tree"]].map((state) => [jobOf(state), "Succeeded"]),
    );
    for (const name of ["resting", "changed", "deleted"]) {
      expect((await installation(name)).status).toMatchObject({ jobID: jobOf(restored[name]), phase: "Succeeded" });
    }
    expect(await scope.find(resources.installation, "created")).toBeUndefined();
    const written = [...maps.seen.slice(before), ...releases.seen.slice(releasesBefore)];
    expect(written.map(({ type, object }) => `${type} ${object.kind} ${object.metadata.name}`)).toEqual([]);
    for (const history of [maps, releases]) await history.stop();
    expect([await stepsOf("changed"), await stepsOf("created"), await stepsOf("deleted")]).toEqual([
      ["2", "2"],
      ["1", "1"],
      [undefined, undefined],
    ]);
  }, 240_000);

  it("has its targets in line when the command of the guide has started a job of each root", async () => {
    const names = ["resting", "changed", "deleted", "working", "tree"];
    const before = await statesOf();
    const uids = await Promise.all(names.map(uidsOf));
    writeFileSync(join(folder, "kubeconfig"), environment.hub.kubeconfig, { mode: 0o600 });
    const shell = createUserShell({ folder, programs: [dirname(findKubectl() ?? "")], kubeconfig: "kubeconfig" });
    const { status, stdout, stderr } = await shell.run(startJobs?.script ?? "exit 1");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout.trim().split("\n")).toHaveLength(names.length);
    for (const name of names) await scope.waitForPhase(name, "Succeeded");
    const after = await statesOf();
    expect(names.filter((name) => jobOf(after[name]) === jobOf(before[name]))).toEqual([]);
    for (const name of names) expect([name, await stepsOf(name)]).toEqual([name, ["1", "1"]]);
    const changed = await Promise.all(names.map(uidsOf));
    const isKept = names.filter((name, at) => String(changed[at]) === String(uids[at]));
    expect(isKept).toEqual(names.filter((name) => name !== "deleted"));
  }, 240_000);

  it("leaves what an Installation has installed that was made after the backup, until another one takes that over", async () => {
    const before = await uidsOf("created");
    await apply({ name: "created", step: 3 });
    await scope.waitForPhase("created", "Succeeded");
    expect(await stepsOf("created")).toEqual(["3", "3"]);
    expect(await uidsOf("created")).toEqual(before);
    const items = await scope.list(resources.deployItem);
    expect(items).toHaveLength(2 * 6);
    const others = [await scope.list(resources.installation), await scope.list(resources.execution)].flat();
    expect(findTwins([...items, ...others])).toEqual([]);
  });
});

const jobOf = (state: unknown): unknown => Reflect.get(Object(state), 0);
