import {
  kubeResources,
  resources,
  type DeployItem,
  type KubeObject,
  type Pod,
  type ResourceType,
} from "@landscaper/api";
import { rbacType } from "../../src/clusters/rbac-type.ts";
import { openWriteConnection, type WriteConnection } from "../measure/write-connection.ts";
import type { ContainerPlace } from "./container-place.ts";
import type { JobShare } from "./job-marks.ts";

/** The objects of a job that has ended, to be written again under other names. */
export interface JobObjects {
  /** As it was created, with its gate. */
  readonly pod: Pod;
  /** Of the item in the end. */
  readonly status: DeployItem["status"];
  /** Of the host, in the order in which a job writes them: before its Pod, and after. */
  readonly before: readonly RawObject[];
  readonly after: readonly RawObject[];
}

interface RawObject {
  readonly type: ResourceType;
  readonly object: KubeObject;
}

const types: Readonly<Record<string, ResourceType>> = {
  Secret: kubeResources.secret,
  ConfigMap: kubeResources.configMap,
  ServiceAccount: kubeResources.serviceAccount,
  Role: rbacType("Role"),
  RoleBinding: rbacType("RoleBinding"),
};
/** Those of wait are not the deployer's writes. */
const orderBefore = ["-target", "-config", "-ocmconfig"];

/** Reads what the first job of an item has made, whose Pod was this one. */
export async function readJobObjects(place: ContainerPlace, item: string, pod: Pod): Promise<JobObjects> {
  const { pods, environment, scope } = place;
  const found = (await pods.objects()).flatMap(({ kind, object }) => {
    const type = types[kind];
    return type === undefined ? [] : [{ type, object }];
  });
  const named = (ending: string): RawObject[] =>
    found.filter(({ object }) => object.metadata.name === `${scope.namespace}-${item}${ending}`);
  const account = found.filter(({ object }) => object.metadata.name === `${item}-wait`);
  const key = { namespace: scope.namespace, name: `${item}-export` };
  const exported = await environment.client.get<KubeObject>(kubeResources.secret, key);
  return {
    pod,
    status: (await scope.get(item)).status,
    before: [...orderBefore.flatMap(named), ...account],
    after: [...named("-last-success"), { type: kubeResources.secret, object: exported }],
  };
}

/** A copy that the API server takes for a new object. */
function copyOf<T extends KubeObject>(object: T, name: string): T {
  const { namespace, labels, annotations, finalizers } = object.metadata;
  const metadata = {
    name,
    ...(namespace && { namespace }),
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    ...(finalizers && { finalizers }),
  };
  return { ...object, metadata };
}

/** The scheduler writes the Pod, too: a guarded update would have to read it again. */
function unguarded(pod: Pod): Pod {
  const { resourceVersion: _, ...metadata } = pod.metadata;
  return { ...pod, metadata };
}

export interface RawJob {
  readonly connection: WriteConnection;
  readonly objects: JobObjects;
  readonly item: DeployItem;
  readonly name: string;
}

/** The writes of the deployer in the first job of an item, without any read. */
export async function runRawJob({ connection, objects, item, name }: RawJob): Promise<JobShare> {
  const { before, after, status } = objects;
  const { providerStatus, conditions } = status ?? {};
  const create = async ({ type, object }: RawObject): Promise<unknown> =>
    connection.create(type, copyOf(object, `${name}-${object.metadata.name}`));
  let live = item;
  const updateStatus = async (fields: DeployItem["status"] | object): Promise<void> => {
    const whole = { observedGeneration: 0, ...live.status, ...fields };
    live = await connection.update(resources.deployItem, { ...live, status: whole }, "status");
  };
  const report = { ...(providerStatus && { providerStatus }), ...(conditions && { conditions }) };

  await updateStatus({ phase: "Progressing" });
  const pickedUp = performance.now();
  for (const each of before) await create(each);
  let pod = await connection.create(kubeResources.pod, {
    ...copyOf(objects.pod, name),
    // No node has it: nothing runs in it.
    spec: { ...objects.pod.spec, nodeSelector: { "bench.test/raw": "none" } },
  });
  await updateStatus(report);
  const ungated = { ...unguarded(pod), spec: { ...pod.spec, schedulingGates: [] } };
  pod = await connection.update(kubeResources.pod, ungated);
  const startMs = performance.now() - pickedUp;

  const podEnded = performance.now();
  const [kept, exported] = after;
  if (kept !== undefined) await create(kept);
  await updateStatus(report);
  const released = unguarded(pod);
  pod = await connection.update(kubeResources.pod, { ...released, metadata: { ...released.metadata, finalizers: [] } });
  await connection.delete(kubeResources.pod, pod);
  if (exported !== undefined) await create(exported);
  await updateStatus({ ...report, phase: "Succeeded", jobIDFinished: live.status?.jobID });
  return { startMs, finishMs: performance.now() - podEnded };
}

export function openRawConnection({ environment: { hub } }: ContainerPlace): WriteConnection {
  return openWriteConnection({ url: hub.url, ca: hub.ca, token: hub.token, inFlight: 1 });
}
