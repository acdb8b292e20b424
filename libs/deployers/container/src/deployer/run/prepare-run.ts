import { kubeResources, type DeployItem, type Pod, type Secret } from "@landscaper/api";
import { isAlreadyExists } from "@landscaper/controller-runtime";
import { jobNames, stateChunkName, type HostObject } from "../../contract/host-names.ts";
import { maxExportBytes, stateChunkCount, type JobFile } from "../../contract/job-file.ts";
import { isOfItem, secretTypes } from "../../contract/labels.ts";
import type { RegistryCertificates } from "../../contract/registry-certificates.ts";
import type { RegistryProxies } from "../../contract/registry-proxies.ts";
import { initRules, waitRules } from "../../contract/program-rights.ts";
import { parseReference } from "@landscaper/oci";
import { buildPod, type PodObjects } from "../pod/build-pod.ts";
import { collectCertificates } from "../registries/collect-certificates.ts";
import { imageCredential, placeCredential, type ItemCredentials } from "../registries/credentials.ts";
import { finalError } from "./describe-run.ts";
import { onHost } from "../host/host-error.ts";
import { encodeData, secretLabels, type HostObjects, type HostPlace } from "../host/host-objects.ts";
import { registryPlaces, type RegistryPlaces } from "../registries/registry-places.ts";
import { configOf, type RunInputs } from "./run-inputs.ts";
import type { WantedRun } from "./run-identity.ts";
import type { ContainerImage, ContainerSettings } from "../settings.ts";
import { findOriginalState, findState } from "./state-store.ts";

export interface RunPlan {
  readonly item: DeployItem;
  readonly wanted: WantedRun;
  readonly attempt: number;
  readonly inputs: RunInputs;
  /** Whether the item has had a run before. */
  readonly isFirst: boolean;
  /** Undefined: the pull secrets of the last run are used again. */
  readonly credentials: ItemCredentials | undefined;
  /** In ms; undefined without a timeout. */
  readonly remainingMs: number | undefined;
  /** Grace period of the Pod, in seconds. */
  readonly graceSeconds: number;
}

export interface RunHost {
  readonly place: HostPlace;
  readonly objects: HostObjects;
  readonly settings: ContainerSettings;
}

/** Makes everything that a run needs, and at last its Pod, which waits behind its gate. Throws LandscaperError. */
export async function prepareRun(plan: RunPlan, host: RunHost): Promise<Pod> {
  const { place, objects, settings } = host;
  const { wanted, attempt, inputs, credentials } = plan;
  const config = configOf(inputs);
  const main = mainImage(config, settings, inputs.pins?.image);
  settings.allowedImages.check(main.image, "spec.config: image");
  const names = jobNames({ item: place.item, jobID: wanted.runID, operation: wanted.operation, attempt });
  const claim = writeTarget(objects, inputs);
  // Usually there is no index then, and what the original has kept is asked for anyway.
  const original = plan.isFirst ? findOriginalState(place) : undefined;
  const [target, ocmConfig, account, index, exported] = await Promise.all([
    claim,
    writeOcmConfig(objects, inputs),
    writeAccount(objects),
    objects.reserveName("state-index", claim),
    objects.reserveName("export", claim),
    original,
  ]);
  const [restore] = await Promise.all([
    restoredState(index.secret, place, original),
    removeExports(exported.secret, place),
  ]);
  const job: JobFile = {
    version: 1,
    pod: names.pod,
    suffix: names.suffix,
    operation: wanted.operation,
    ...(inputs.pins === undefined ? {} : { pins: inputs.pins }),
    state: {
      ...restore,
      index: { name: index.name, ...versionOf(index.secret) },
      chunks: Array.from({ length: stateChunkCount(settings.stateBytes) }, (_, number) =>
        stateChunkName(place.item, names.suffix, number),
      ),
    },
    exports: { name: exported.name },
    graceSeconds: plan.graceSeconds,
    limits: { stateBytes: settings.stateBytes, exportBytes: maxExportBytes },
    labels: objects.labels,
    oci: settings.oci,
    egress: settings.egress,
  };
  const places = registryPlaces(config, inputs.pins?.blueprint);
  const certificates = await collectCertificates({
    places,
    ocmConfig: inputs.ocmConfig[".ocmconfig"] ?? "",
    credentials: credentials?.all ?? [],
    tokenRealms: settings.egress.tokenRealms,
    find: settings.certificates,
  });
  const pullSecrets = await writePullSecrets(objects, { credentials, image: main.image, places });
  const [configuration] = await Promise.all([
    writeConfiguration(objects, { job, inputs, certificates, proxies: settings.proxies }),
    writeRights(account, job, host),
  ]);
  const podObjects = { config: configuration, target, ocmConfig, serviceAccount: account, ...pullSecrets };
  const pod = buildPod(
    {
      name: names.pod,
      item: place.item,
      generation: plan.item.metadata.generation,
      operation: wanted.operation,
      main,
      resources: config.resources ?? {},
      objects: podObjects,
      labels: objects.labels,
      graceSeconds: job.graceSeconds,
      deadlineSeconds: plan.remainingMs === undefined ? undefined : Math.max(1, Math.ceil(plan.remainingMs / 1000)),
    },
    settings,
  );
  return await createPod(pod, place);
}

/**
 * The image of an item that names one is started as the item says, others as the configuration of the deployer says. `digest` is that of the image of the item, where
 * a component names it.
 */
export function mainImage(
  config: ReturnType<typeof configOf>,
  settings: ContainerSettings,
  digest: string | undefined,
): ContainerImage {
  const { image = "", command = [], args = [] } = config;
  if (image !== "") {
    const isPinned = digest !== undefined && parseReference(image).digest === undefined;
    return { image: isPinned ? `${image}@${digest}` : image, command, args, imagePullPolicy: "IfNotPresent" };
  }
  const { main } = settings;
  return { ...main, command: command.length > 0 ? command : main.command, args: args.length > 0 ? args : main.args };
}

async function restoredState(...args: Parameters<typeof findState>): Promise<Pick<JobFile["state"], "restore">> {
  const restore = await findState(...args);
  return restore === undefined ? {} : { restore };
}

function versionOf(secret: Secret | undefined): { readonly resourceVersion?: string } {
  const version = secret?.metadata.resourceVersion;
  return version === undefined ? {} : { resourceVersion: version };
}

/** Those of an earlier run are nobody's any more. */
async function removeExports(secret: Secret | undefined, { cluster, namespace, signal }: HostPlace): Promise<void> {
  if (secret === undefined) return;
  const { name = "", uid } = secret.metadata;
  await cluster.client.delete(kubeResources.secret, { namespace, name }, { uid, signal });
}

interface ConfigurationContents {
  readonly job: JobFile;
  readonly inputs: RunInputs;
  readonly certificates: RegistryCertificates;
  readonly proxies: RegistryProxies | undefined;
}

async function writeTarget(objects: HostObjects, { target }: RunInputs): Promise<string> {
  return await objects.write({
    type: kubeResources.secret,
    object: "target",
    labels: secretLabels(objects.labels, secretTypes.target),
    body: { type: "Opaque", data: encodeData({ "target.json": target }) },
  });
}

async function writeOcmConfig(objects: HostObjects, { ocmConfig }: RunInputs): Promise<string> {
  return await objects.write({
    type: kubeResources.configMap,
    object: "ocmconfig",
    body: { data: { ".ocmconfig": "", ...ocmConfig } },
  });
}

async function writeConfiguration(
  objects: HostObjects,
  { job, inputs, certificates, proxies }: ConfigurationContents,
): Promise<string> {
  const hasCertificates = Object.keys(certificates).length > 0;
  const configuration = {
    "configuration.json": inputs.configuration,
    "job.json": JSON.stringify(job),
    ...(hasCertificates ? { "certificates.json": JSON.stringify(certificates) } : {}),
    ...(proxies === undefined ? {} : { "proxies.json": JSON.stringify(proxies) }),
  };
  return await objects.write({
    type: kubeResources.secret,
    object: "config",
    labels: secretLabels(objects.labels, secretTypes.configuration),
    body: { type: "Opaque", data: encodeData(configuration) },
  });
}

type PullSecretNames = Pick<PodObjects, "imagePullSecret" | "blueprintPullSecret" | "componentPullSecret">;

interface PullSecretOptions {
  readonly credentials: ItemCredentials | undefined;
  readonly places: RegistryPlaces;
  readonly image: string;
}

async function writePullSecrets(
  objects: HostObjects,
  { credentials, places, image }: PullSecretOptions,
): Promise<PullSecretNames> {
  if (credentials === undefined) {
    const [imagePullSecret, blueprintPullSecret, componentPullSecret] = await Promise.all(
      (["imgpullsec", "bppullsec", "cdpullsec"] as const).map(
        async (object) => (await objects.findSecret(object))?.metadata.name,
      ),
    );
    return { imagePullSecret, blueprintPullSecret, componentPullSecret };
  }
  const [imagePullSecret, blueprintPullSecret, componentPullSecret] = await Promise.all([
    writePullSecret(objects, "imgpullsec", imageCredential(credentials.own, image)),
    writePullSecret(objects, "bppullsec", placeCredential(credentials.all, places.blueprint)),
    writePullSecret(objects, "cdpullsec", placeCredential(credentials.all, places.component)),
  ]);
  return { imagePullSecret, blueprintPullSecret, componentPullSecret };
}

async function writePullSecret(
  objects: HostObjects,
  object: HostObject,
  content: string | undefined,
): Promise<string | undefined> {
  if (content === undefined) return undefined;
  return await objects.write({
    type: kubeResources.secret,
    object,
    labels: secretLabels(objects.labels, secretTypes.pullSecret),
    body: { type: "kubernetes.io/dockerconfigjson", data: encodeData({ ".dockerconfigjson": content }) },
  });
}

/** The account of the Pod, whose token init and wait have. */
async function writeAccount(objects: HostObjects): Promise<string> {
  return await objects.write({
    type: kubeResources.serviceAccount,
    object: "wait",
    body: { automountServiceAccountToken: false },
    isFixed: true,
  });
}

/** What the account of the Pod may do. */
async function writeRights(
  account: string,
  job: JobFile,
  { objects, place }: Pick<RunHost, "objects" | "place">,
): Promise<void> {
  const rules = [...initRules(job), ...waitRules(job)].map(({ apiGroups, resources, resourceNames, verbs }) => ({
    apiGroups: [...apiGroups],
    resources: [...resources],
    resourceNames: [...resourceNames],
    verbs: [...verbs],
  }));
  const role = await objects.write({ type: kubeResources.role, object: "wait", body: { rules } });
  await objects.write({
    type: kubeResources.roleBinding,
    object: "wait",
    body: {
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: role },
      subjects: [{ kind: "ServiceAccount", name: account, namespace: place.namespace }],
    },
    isFixed: true,
  });
}

/** A lost answer to an earlier create ends in a conflict: the Pod that is there is the one. */
async function createPod(pod: Pod, { cluster, item, namespace, signal }: HostPlace): Promise<Pod> {
  const { name = "" } = pod.metadata;
  try {
    return await onHost(`Pod ${name}`, () => cluster.client.create(kubeResources.pod, pod, { signal }));
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  const live = await cluster.client.get(kubeResources.pod, { namespace, name }, { signal });
  if (isOfItem(live.metadata.labels, item)) return live;
  throw finalError("PodRefused", `the host cluster has another Pod ${name}, which is not the item's`);
}
