import { randomUUID } from "node:crypto";
import type { DeployItem, Execution, Installation, KubeObject, OwnerReference, Target } from "@landscaper/api";
import { encodeDeployItems, kubeResources, resources } from "@landscaper/api";
import {
  createDataObject,
  createInstallation,
  createTarget,
  installationName,
} from "../measure/measured-installation.ts";
import { runInParallel } from "../../src/kits/run-in-parallel.ts";
import type { WriteConnection } from "../measure/write-connection.ts";

/** Writes that one Installation costs at the least (design.md §6). */
export const rawWrites = 18;
const apiVersion = "landscaper.gardener.cloud/v1alpha1";
const finalizers = ["finalizer.landscaper.gardener.cloud"];

export interface RawRun {
  readonly connection: WriteConnection;
  readonly namespace: string;
  readonly count: number;
  readonly inFlight: number;
  readonly kubeconfig: string;
}

function ownerOf({ apiVersion, kind, metadata }: KubeObject): OwnerReference {
  return { apiVersion, kind, name: metadata.name ?? "", uid: metadata.uid ?? "", controller: true };
}

function jobStatus(jobID: string, phase: string): Record<string, unknown> {
  const now = new Date().toISOString();
  const conditions = ["Ready", "Reconciling", "Stalled"].map((type) => ({
    type,
    status: "False",
    reason: phase,
    message: "",
    lastTransitionTime: now,
    lastUpdateTime: now,
    observedGeneration: 1,
  }));
  const transitionTimes = { triggerTime: now, initTime: now, waitTime: now };
  return { jobID, phase, observedGeneration: 1, transitionTimes, phaseTransitionTime: now, conditions };
}

function manifestConfig(name: string, namespace: string, value: string): Record<string, unknown> {
  const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data: { value } };
  const fromResource = { apiVersion: "v1", kind: "ConfigMap", name, namespace };
  return {
    apiVersion: "manifest.deployer.landscaper.gardener.cloud/v1alpha2",
    kind: "ProviderConfiguration",
    updateStrategy: "update",
    manifests: [{ policy: "manage", manifest: configMap }],
    exports: { exports: [{ key: "result", jsonPath: ".data.value", fromResource }] },
  };
}

/** The writes of the user and of the core up to the hand-over to the deployer: nos. 1 to 10. */
async function writeJob(
  run: RawRun,
  index: number,
): Promise<{ item: DeployItem; root: Installation; exec: Execution }> {
  const { connection, namespace } = run;
  const name = installationName(index);
  const value = `value ${index}`;
  const jobID = randomUUID();
  await connection.create(resources.dataObject, createDataObject(namespace, index, value));
  // The measured Installation is of the kind's type: both come from the same literal.
  let root = await connection.create(resources.installation, createInstallation(namespace, index) as Installation);
  root = await connection.update(resources.installation, {
    ...root,
    metadata: { ...root.metadata, finalizers, annotations: {} },
  });
  const rootStatus = jobStatus(jobID, "Progressing") as NonNullable<Installation["status"]>; // as the core writes it
  root = await connection.update(resources.installation, { ...root, status: rootStatus }, "status");

  const ownerReferences = [ownerOf(root)];
  const labels = { "data.landscaper.gardener.cloud/context": `Inst.${name}` };
  const metadata = { namespace, labels, ownerReferences };
  await connection.create(resources.dataObject, {
    apiVersion,
    kind: "DataObject",
    metadata: { ...metadata, name: `import-value-${index}` },
    data: value,
  });
  const target = createTarget(namespace, run.kubeconfig) as Target; // of the kind's type, too
  await connection.create(resources.target, { ...target, metadata: { ...metadata, name: `import-cluster-${index}` } });
  const config = manifestConfig(name, namespace, value);
  const type = "landscaper.gardener.cloud/kubernetes-manifest";
  const template = { name: "item", type, target: { name: "cluster", namespace }, config };
  let exec = await connection.create(resources.execution, {
    apiVersion,
    kind: "Execution",
    metadata: { ...metadata, name, finalizers },
    spec: { context: "default", deployItemsCompressed: encodeDeployItems([template]) },
  });
  const execStatus = jobStatus(jobID, "Progressing") as NonNullable<Execution["status"]>; // as the core writes it
  exec = await connection.update(resources.execution, { ...exec, status: execStatus }, "status");
  let item = await connection.create(resources.deployItem, {
    apiVersion,
    kind: "DeployItem",
    metadata: { ...metadata, name: `${name}-item`, finalizers, ownerReferences: [ownerOf(exec)] },
    spec: { type, context: "default", target: template.target, config },
  });
  item = await connection.update(resources.deployItem, { ...item, status: { observedGeneration: 0, jobID } }, "status");
  return { item, root, exec };
}

/** The deployer's writes and the way back up: nos. 11 to 18. */
async function finishJob(run: RawRun, index: number): Promise<void> {
  const { connection, namespace } = run;
  const name = installationName(index);
  const value = `value ${index}`;
  const { item: created, root, exec } = await writeJob(run, index);
  const jobID = created.status?.jobID ?? "";
  const resource = { apiVersion: "v1", kind: "ConfigMap", name, namespace };
  const providerStatus = {
    apiVersion: "manifest.deployer.landscaper.gardener.cloud/v1alpha2",
    kind: "ProviderStatus",
    managedResources: [{ policy: "manage", resource }],
  };
  const picked = { ...jobStatus(jobID, "Progressing"), providerStatus } as NonNullable<DeployItem["status"]>; // as deployers do
  const item = await connection.update(resources.deployItem, { ...created, status: picked }, "status");
  await connection.create(kubeResources.configMap, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace, labels: { "manifest.deployer.landscaper.gardener.cloud/deployitem": `${name}-item` } },
    data: { value },
  });
  await connection.create(kubeResources.secret, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: `${name}-item-export`, namespace, ownerReferences: [ownerOf(item)] },
    data: { config: Buffer.from(JSON.stringify({ result: value })).toString("base64") },
  });
  const end = { phase: "Succeeded", jobIDFinished: jobID };
  await connection.update(resources.deployItem, { ...item, status: { ...item.status, ...end } }, "status");
  await connection.create(resources.dataObject, {
    apiVersion,
    kind: "DataObject",
    metadata: { name: `exec-export-${index}`, namespace, ownerReferences: [ownerOf(exec)] },
    data: { item: { result: value } },
  });
  await connection.update(resources.execution, { ...exec, status: { ...exec.status, ...end } }, "status");
  await connection.create(resources.dataObject, {
    apiVersion,
    kind: "DataObject",
    metadata: { name: `result-${index}`, namespace, ownerReferences: [ownerOf(root)] },
    data: value,
  });
  await connection.update(resources.installation, { ...root, status: { ...root.status, ...end } }, "status");
}

/** Makes the 18 writes of each of `count` Installations and no reads; resolves to the milliseconds that it took. */
export async function runRawClient(run: RawRun): Promise<number> {
  const started = performance.now();
  await runInParallel(run.count, run.inFlight, async (index) => finishJob(run, index));
  return performance.now() - started;
}
