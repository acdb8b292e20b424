import type { Pod, PodResources } from "@landscaper/api";
import { terminationLogPath } from "@landscaper/controller-runtime";
import {
  containerNames,
  environmentOf,
  type ContainerName,
  type ContainerOperation,
} from "../../contract/environment.ts";
import { containerLabels, podFinalizer, recordedGate, type ItemIdentity } from "../../contract/labels.ts";
import { containerPaths, serviceAccountPath } from "../../contract/paths.ts";
import type { ContainerImage, ContainerSettings, OwnContainer } from "../settings.ts";

export interface PodPlan {
  readonly name: string;
  readonly item: ItemIdentity;
  readonly generation: number | undefined;
  readonly operation: ContainerOperation;
  /** Of the program. */
  readonly main: ContainerImage;
  readonly resources: PodResources;
  /** Names of the objects that the Pod uses. */
  readonly objects: PodObjects;
  readonly labels: Readonly<Record<string, string>>;
  /** Grace period of the Pod, in seconds. */
  readonly graceSeconds: number;
  /** What is left of the item's timeout; undefined without one. */
  readonly deadlineSeconds: number | undefined;
}

export interface PodObjects {
  readonly config: string;
  readonly target: string;
  readonly ocmConfig: string;
  readonly serviceAccount: string;
  readonly imagePullSecret?: string | undefined;
  readonly blueprintPullSecret?: string | undefined;
  readonly componentPullSecret?: string | undefined;
}

const tokenSeconds = 3600;
/** Owner and group may read. */
const secretMode = 0o440;

/** The Pod of a run (docs/reference/container-deployer.md#the-pod). It waits behind its gate. Pure. */
export function buildPod(plan: PodPlan, settings: ContainerSettings): Pod {
  const { name, generation, objects, graceSeconds, deadlineSeconds } = plan;
  const { nodeSelector, tolerations, annotations, priorityClassName, runtimeClassName } = settings.pod;
  const { imagePullSecret } = objects;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace: settings.namespace,
      labels: { ...settings.pod.labels, ...plan.labels, [containerLabels.itemGeneration]: String(generation ?? 0) },
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      finalizers: [podFinalizer],
    },
    spec: {
      schedulingGates: [{ name: recordedGate }],
      restartPolicy: "Never",
      terminationGracePeriodSeconds: graceSeconds,
      ...(deadlineSeconds === undefined ? {} : { activeDeadlineSeconds: deadlineSeconds }),
      serviceAccountName: objects.serviceAccount,
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 1000,
        runAsGroup: 3000,
        fsGroup: 2000,
        seccompProfile: { type: "RuntimeDefault" },
      },
      ...(imagePullSecret === undefined ? {} : { imagePullSecrets: [{ name: imagePullSecret }] }),
      ...(priorityClassName === undefined ? {} : { priorityClassName }),
      ...(runtimeClassName === undefined ? {} : { runtimeClassName }),
      ...(Object.keys(nodeSelector).length === 0 ? {} : { nodeSelector }),
      ...(tolerations.length === 0 ? {} : { tolerations: tolerations.map(tolerationOf) }),
      volumes: volumesOf(objects, settings),
      initContainers: [
        helperContainer(containerNames.init, settings.init, { plan, mounts: initMounts(objects) }),
        sidecar(helperContainer(containerNames.wait, settings.wait, { plan, mounts: waitMounts })),
      ],
      containers: [mainContainer(plan, settings)],
    },
  };
}

type Toleration = ContainerSettings["pod"]["tolerations"][number];

/** In the words of the API, and nothing else that the configuration may say. */
function tolerationOf({ key, operator, value, effect, tolerationSeconds }: Toleration): Toleration {
  const all = { key, operator, value, effect, tolerationSeconds };
  return Object.fromEntries(Object.entries(all).filter(([, word]) => word !== undefined));
}

function mainContainer(plan: PodPlan, { showsLogs, pod }: ContainerSettings): object {
  const { requests = pod.resources.requests, limits = pod.resources.limits } = plan.resources;
  return {
    ...containerOf(containerNames.main, plan.main, plan),
    // The end of the log goes no further than the kubelet where it is not to be shown.
    terminationMessagePolicy: showsLogs ? "FallbackToLogsOnError" : "File",
    resources: { ...(requests === undefined ? {} : { requests }), ...(limits === undefined ? {} : { limits }) },
    securityContext: unprivileged,
    volumeMounts: [sharedMount],
  };
}

interface HelperOptions {
  readonly plan: PodPlan;
  readonly mounts: readonly object[];
}

/** It starts before the program, and the kubelet stops it when that has ended: with a plain container it would stop both at a time. */
function sidecar(container: object): object {
  return { ...container, restartPolicy: "Always" };
}

function helperContainer(name: ContainerName, image: OwnContainer, { plan, mounts }: HelperOptions): object {
  return {
    ...containerOf(name, image, plan),
    terminationMessagePolicy: "FallbackToLogsOnError",
    resources: image.resources,
    securityContext: { ...unprivileged, readOnlyRootFilesystem: true },
    volumeMounts: mounts,
  };
}

function containerOf(name: ContainerName, image: ContainerImage, { item, operation }: PodPlan): object {
  const { command, args, imagePullPolicy } = image;
  return {
    name,
    image: image.image,
    imagePullPolicy,
    ...(command.length === 0 ? {} : { command }),
    ...(args.length === 0 ? {} : { args }),
    env: environmentOf(name, { item, operation }),
    terminationMessagePath: terminationLogPath,
  };
}

const unprivileged = { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };

const paths = containerPaths();
const sharedMount = { name: "shared-volume", mountPath: paths.shared };

function readOnly(name: string, mountPath: string): object {
  return { name, mountPath, readOnly: true };
}

function initMounts({ blueprintPullSecret, componentPullSecret }: PodObjects): readonly object[] {
  return [
    readOnly("configuration", paths.internal),
    readOnly("ocm-configuration", paths.ocm),
    readOnly("target", paths.targets),
    readOnly("serviceaccount-init", serviceAccountPath),
    ...(blueprintPullSecret === undefined ? [] : [readOnly("blueprint-pull-secret", paths.blueprintPullSecret)]),
    ...(componentPullSecret === undefined ? [] : [readOnly("cd-pull-secret", paths.componentPullSecret)]),
    sharedMount,
  ];
}

const waitMounts = [readOnly("job", paths.internal), readOnly("serviceaccount-wait", serviceAccountPath), sharedMount];

function volumesOf(objects: PodObjects, { pod: { sizeLimit } }: ContainerSettings): readonly object[] {
  const { config, target, ocmConfig, blueprintPullSecret, componentPullSecret } = objects;
  const secret = (name: string, secretName: string, more: object = {}): object => ({
    name,
    secret: { secretName, defaultMode: secretMode, ...more },
  });
  return [
    { name: "shared-volume", emptyDir: { sizeLimit } },
    { name: "serviceaccount-init", projected: tokenSources },
    { name: "serviceaccount-wait", projected: tokenSources },
    secret("configuration", config),
    // Of the configuration, wait needs what it is to do, and nothing of the imports.
    secret("job", config, { items: [{ key: "job.json", path: "job.json" }] }),
    secret("target", target),
    ...(blueprintPullSecret === undefined ? [] : [secret("blueprint-pull-secret", blueprintPullSecret)]),
    ...(componentPullSecret === undefined ? [] : [secret("cd-pull-secret", componentPullSecret)]),
    { name: "ocm-configuration", configMap: { name: ocmConfig } },
  ];
}

/** What an account in a Pod finds: a token that is bound to the Pod and expires, the authority of the API server, the namespace. */
const tokenSources = {
  defaultMode: secretMode,
  sources: [
    { serviceAccountToken: { path: "token", expirationSeconds: tokenSeconds } },
    { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
    { downwardAPI: { items: [{ path: "namespace", fieldRef: { fieldPath: "metadata.namespace" } }] } },
  ],
};
