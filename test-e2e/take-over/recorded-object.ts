// Objects as the Go original leaves them in a cluster, built by hand from the specification of its wire format: nothing here uses
// our own code, for it would make the same mistakes twice.
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";

/** Versions of the original that leave different objects (docs/compatibility.md). */
export const originalVersions = ["v0.153.0", "v1.4.0"] as const;
export type OriginalVersion = (typeof originalVersions)[number];

export const group = "landscaper.gardener.cloud";
export const apiVersion = `${group}/v1alpha1`;
export const finalizer = `finalizer.${group}`;

type Fields = Readonly<Record<string, unknown>>;

/** An object before it is loaded: the uids in its owner references are "KIND/NAME" of objects that are loaded before it. */
export interface RecordedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Fields & { readonly name: string };
  readonly spec?: Fields;
  readonly data?: unknown;
  readonly status?: Fields;
  /** Type of a Secret. */
  readonly type?: string;
  /** Field manager: name of the program of the original that wrote the object. */
  readonly manager?: string;
  /** "hub" is where Landscaper's objects are. */
  readonly cluster: "hub" | "target";
  /** The user has deleted it, and its finalizer keeps it. */
  readonly isDeleted?: boolean;
}

export interface Owner {
  readonly kind: "Installation" | "Execution" | "DeployItem";
  readonly name: string;
}

function ownerReference({ kind, name }: Owner, isController: boolean): Fields {
  const reference = { apiVersion, kind, name, uid: `${kind}/${name}` };
  return isController ? { ...reference, controller: true, blockOwnerDeletion: true } : reference;
}

const sha1 = (text: string): string => createHash("sha1").update(text).digest("hex");

/** gzip of the JSON list, in base64: what stands in `spec.deployItemsCompressed`. */
function compress(items: readonly Fields[]): string {
  return gzipSync(JSON.stringify(items)).toString("base64");
}

/** Times of a job that has ended long ago. */
const past = (minute: number): string => `2025-11-03T10:${String(minute).padStart(2, "0")}:07Z`;

/** What every status of an ended job says. */
export function finished(jobID: string): Fields {
  return {
    observedGeneration: 1,
    phase: "Succeeded",
    jobID,
    jobIDFinished: jobID,
    transitionTimes: { triggerTime: past(1), initTime: past(2), waitTime: past(3), finishedTime: past(4) },
  };
}

/** What every status says whose job the original was at work on when it was stopped. */
export function atWork(phase: string, jobID: string, jobIDFinished: string): Fields {
  const now = new Date().toISOString();
  const transitionTimes = { triggerTime: now, initTime: now, waitTime: now };
  return { observedGeneration: 1, phase, jobID, jobIDFinished, transitionTimes };
}

export interface RecordedInstallation {
  readonly name: string;
  readonly parent?: string;
  /** Of a sub-installation: name of its template. */
  readonly template?: string;
  /** Somebody has removed the annotation with the template's name; the original goes by the cache of the parent. */
  readonly isUnmarked?: boolean;
  readonly spec: Fields;
  readonly status: Fields;
  readonly isDeleted?: boolean;
}

const condition = (type: string, reason: string): Fields => ({
  type,
  status: "True",
  reason,
  message: "ok",
  lastTransitionTime: past(3),
  lastUpdateTime: past(3),
});

export function installation(recorded: RecordedInstallation): RecordedObject {
  const { name, parent, template = "", isUnmarked, spec, status, isDeleted = false } = recorded;
  const child = {
    labels: { [`${group}/encompassed-by`]: parent },
    annotations: isUnmarked === true ? {} : { [`${group}/subinstallation-name`]: template },
    ownerReferences: parent === undefined ? [] : [ownerReference({ kind: "Installation", name: parent }, true)],
  };
  return {
    apiVersion,
    kind: "Installation",
    cluster: "hub",
    isDeleted,
    metadata: { name, finalizers: [finalizer], ...(parent === undefined ? {} : child) },
    // Go writes structs that are not set as empty objects.
    spec: { context: "default", imports: {}, exports: {}, ...spec },
    status: {
      phaseTransitionTime: past(4),
      importsHash: sha1(`what the original has read for ${name}`),
      conditions: [condition("ReconcileExecution", "ExecutionDeployed")],
      ...status,
    },
  };
}

export interface RecordedItem {
  /** In the Execution. */
  readonly name: string;
  readonly objectName: string;
  /** Of the item: dependsOn, updateOnChangeOnly, timeout. */
  readonly template?: Fields & { readonly dependsOn?: readonly string[] };
  readonly manifests: readonly RecordedObject[];
  /** Other fields of the ProviderConfiguration. */
  readonly config?: Fields;
  /** Of the ProviderConfiguration: "v1alpha2" by default. */
  readonly version?: "v1alpha1" | "v1alpha2";
  readonly status: Fields;
  readonly isDeleted?: boolean;
  /** Somebody has removed the labels; the original goes by the cache of the Execution. */
  readonly isUnmarked?: boolean;
  /** Configuration of an item of the helm deployer. Its release is recorded by ./recorded-release.ts. */
  readonly helm?: Fields;
}

const itemTypes = { manifest: `${group}/kubernetes-manifest`, helm: `${group}/helm` } as const;

const deployerOf = ({ helm }: RecordedItem): keyof typeof itemTypes => (helm === undefined ? "manifest" : "helm");

/** The manifest as it stands in the configuration. */
export function manifestOf({ apiVersion: version, kind, metadata, spec, data }: RecordedObject): Fields {
  return { apiVersion: version, kind, metadata, ...(spec ? { spec } : {}), ...(data === undefined ? {} : { data }) };
}

type Configured = Pick<RecordedItem, "manifests" | "config" | "version">;

export function providerConfiguration({ manifests, config, version = "v1alpha2" }: Configured): Fields {
  const plain = manifests.map(manifestOf);
  return {
    apiVersion: `manifest.deployer.${group}/${version}`,
    kind: "ProviderConfiguration",
    manifests: version === "v1alpha1" ? plain : plain.map((manifest) => ({ policy: "manage", manifest })),
    ...config,
  };
}

function itemTemplate(item: RecordedItem, { namespace, targetName = "cluster" }: RecordedExecution): Fields {
  return {
    name: item.name,
    type: itemTypes[deployerOf(item)],
    target: { name: targetName, namespace },
    config: item.helm ?? providerConfiguration(item),
    ...item.template,
  };
}

/** v1alpha1 has bare references. A release without workloads has no references. */
function providerStatus({ helm, manifests, version = "v1alpha2" }: RecordedItem): Fields {
  if (helm !== undefined) return { apiVersion: helm["apiVersion"], kind: "ProviderStatus" };
  const references = manifests.map(({ apiVersion, kind, metadata: { name, namespace } }) =>
    version === "v1alpha1"
      ? { apiVersion, kind, name, namespace }
      : { apiVersion, kind, name, namespace, uid: `${kind}/${name}` },
  );
  return {
    apiVersion: `manifest.deployer.${group}/${version}`,
    kind: "ProviderStatus",
    managedResources:
      version === "v1alpha1" ? references : references.map((resource) => ({ policy: "manage", resource })),
  };
}

function deployItem(item: RecordedItem, recorded: RecordedExecution): RecordedObject {
  const { name: execution, namespace, targetName = "cluster", original = "v0.153.0" } = recorded;
  const { dependsOn, ...fields } = item.template ?? {};
  const deployer = deployerOf(item);
  return {
    apiVersion,
    kind: "DeployItem",
    cluster: "hub",
    isDeleted: item.isDeleted === true,
    metadata: {
      name: item.objectName,
      finalizers: [finalizer],
      labels:
        item.isUnmarked === true
          ? {}
          : { [`execution.${group}/managed-by`]: execution, [`execution.${group}/name`]: item.name },
      annotations: {
        [`${group}/deployer-type`]: itemTypes[deployer],
        [`${group}/deployer-target-name`]: targetName,
        [`${group}/reconcile-time`]: past(2),
        ...(dependsOn === undefined ? {} : { [`execution.${group}/dependsOn`]: dependsOn.join(",") }),
      },
      ownerReferences: [ownerReference({ kind: "Execution", name: execution }, true)],
    },
    spec: {
      type: itemTypes[deployer],
      target: { name: targetName, namespace },
      context: "default",
      config: item.helm ?? providerConfiguration(item),
      ...fields,
    },
    status: {
      jobIDGenerationTime: past(2),
      lastReconcileTime: past(2),
      deployer: {
        identity: `${deployer}-deployer-1762164123`,
        name: `${deployer}.deployer.${group}`,
        version: original,
      },
      providerStatus: providerStatus(item),
      ...item.status,
    },
  };
}

/** The object on the target as the original's manifest deployer left it. */
function deployed(manifest: RecordedObject, item: RecordedItem): RecordedObject {
  const labels = { [`manifest.deployer.${group}/deployitem`]: item.objectName };
  return { ...manifest, manager: "manifest-deployer-controller", metadata: { ...manifest.metadata, labels } };
}

export interface RecordedExecution {
  /** Of the Installation, and so of the Execution. */
  readonly name: string;
  readonly namespace: string;
  /** Name of the Target in the scope that the Installation lives in; "cluster" by default. */
  readonly targetName?: string;
  /** Version that ran the last job; v0.153.0 by default. */
  readonly original?: OriginalVersion;
  readonly items: readonly RecordedItem[];
  readonly status: Fields;
  readonly isDeleted?: boolean;
}

/** An Execution, its DeployItems and what they have put on the target. */
export function execution(recorded: RecordedExecution): RecordedObject[] {
  const { name, items, status, isDeleted } = recorded;
  const cache = items.map((item) => ({ specName: item.name, objectName: item.objectName }));
  return [
    ...items.flatMap((item) => item.manifests.map((manifest) => deployed(manifest, item))),
    {
      apiVersion,
      kind: "Execution",
      cluster: "hub",
      isDeleted: isDeleted === true,
      metadata: {
        name,
        finalizers: [finalizer],
        annotations: { [`${group}/operation`]: "reconcile" },
        ownerReferences: [ownerReference({ kind: "Installation", name }, true)],
      },
      spec: {
        context: "default",
        deployItemsCompressed: compress(items.map((item) => itemTemplate(item, recorded))),
      },
      // The original never writes observedGeneration of an Execution.
      status: { phaseTransitionTime: past(4), deployItemCache: { activeDIs: cache, orphanedDIs: [] }, ...status },
    },
    ...items.map((item) => deployItem(item, recorded)),
  ];
}

export interface RecordedData {
  readonly name: string;
  readonly owner: Owner;
  readonly jobID: string;
  readonly key: string;
  /** Of the scope; none for what a root exports. */
  readonly context?: string;
  readonly source: string;
  readonly sourceType: "import" | "export";
}

function dataMetadata({ name, owner, jobID, key, context, source, sourceType }: RecordedData, hash: string) {
  return {
    name,
    labels: {
      ...(context === undefined ? {} : { [`data.${group}/context`]: context }),
      // Labels without a value are left away.
      ...(key === "" ? {} : { [`data.${group}/key`]: key }),
      [`data.${group}/source`]: source,
      [`data.${group}/sourceType`]: sourceType,
      [`data.${group}/jobid`]: jobID,
    },
    annotations: { [`data.${group}/hash`]: hash },
    ownerReferences: [ownerReference(owner, false)],
  };
}

/** Copy of an import in the Installation's own scope, or an export. */
export function dataObject(recorded: RecordedData, data: unknown): RecordedObject {
  const metadata = dataMetadata(recorded, sha1(JSON.stringify(data, undefined, 2)));
  return { apiVersion, kind: "DataObject", cluster: "hub", metadata, data };
}

export function target(recorded: RecordedData, config: Fields): RecordedObject {
  const metadata = dataMetadata(recorded, sha1(JSON.stringify(config)));
  return {
    apiVersion,
    kind: "Target",
    cluster: "hub",
    metadata,
    spec: { type: `${group}/kubernetes-cluster`, config },
  };
}

/** What all items of an Execution export, below their names. */
export function executionExport(
  recorded: { name: string; owner: string; jobID: string },
  data: Fields,
): RecordedObject {
  const { name, owner, jobID } = recorded;
  const source = `Exec.${owner}`;
  return dataObject(
    { name, owner: { kind: "Execution", name: owner }, jobID, key: "", context: source, source, sourceType: "export" },
    data,
  );
}

/** What one item exports. */
export function exportSecret(deployItemName: string, values: Fields): RecordedObject {
  return {
    apiVersion: "v1",
    kind: "Secret",
    cluster: "hub",
    metadata: {
      name: `${deployItemName}-export`,
      ownerReferences: [ownerReference({ kind: "DeployItem", name: deployItemName }, false)],
    },
    data: { config: Buffer.from(JSON.stringify(values)).toString("base64") },
  };
}

/** What a user has made by hand: DataObjects, Targets, Contexts. */
export function userObject(kind: string, name: string, fields: Fields): RecordedObject {
  return { apiVersion, kind, cluster: "hub", metadata: { name }, ...fields };
}
