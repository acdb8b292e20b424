import { randomBytes } from "node:crypto";
import type {
  DataObject,
  Execution,
  DeployItem,
  Installation,
  KubeObject,
  ResourceType,
  UnstructuredObject,
} from "@landscaper/api";
import { annotations, kubeResources, labels, resources } from "@landscaper/api";
import { isAlreadyExists, isConflict } from "@landscaper/controller-runtime";
import { createNamespace, describeObject, type TestNamespace as HubNamespace, patienceMs } from "@landscaper/testkit";
import type { Environment } from "../services/environment.ts";
import { resourceTypeOf } from "../clusters/resource-type-of.ts";
import { triggerJob } from "./trigger-job.ts";

/** One scenario's place: a namespace on the hub, one on the target, and what scenarios do with Installations. */
export interface TestNamespace extends HubNamespace {
  readonly targetNamespace: string;
  readonly environment: Environment;
  /** Creates the objects, or gives those that are there the new fields; their namespace is the hub's unless they name one. */
  apply(...objects: readonly (KubeObject | UnstructuredObject)[]): Promise<void>;
  /** On the target cluster, in the target namespace. */
  findOnTarget<T extends KubeObject>(type: ResourceType<T>, name: string): Promise<T | undefined>;
  /** Like `until`, in the target namespace. */
  waitOnTarget<T extends KubeObject>(
    type: ResourceType<T>,
    name: string,
    isMet: (object: T | undefined) => boolean,
  ): Promise<T | undefined>;
  /** Sets the operation annotation; the job that follows has another ID than the one before. */
  trigger(installation: string): Promise<void>;
  /** Waits for the end of the running (or about to run) job and expects this phase. */
  waitForPhase(installation: string, phase: "Succeeded" | "Failed" | "DeleteFailed"): Promise<Installation>;
  execution(name: string): Promise<Execution>;
  /** DeployItems of an Execution, by the name of their template. */
  deployItems(execution: string): Promise<Map<string, DeployItem>>;
  /** Value of an exported DataObject. */
  exported(name: string): Promise<unknown>;
  /** A Target of type kubernetes-cluster for the target cluster. */
  target(name: string): UnstructuredObject;
  remove(): Promise<void>;
}

/** Long enough for a loaded machine: only failures wait so long. */
const waitTimeoutMs = patienceMs;

function withNamespace<T extends KubeObject>(object: T, type: ResourceType, namespace: string): T {
  if (!type.namespaced || object.metadata.namespace !== undefined) return object;
  return { ...object, metadata: { ...object.metadata, namespace } };
}

/** The live object with the fields of `wanted`: what a user's apply of a whole manifest comes to. */
function merged(live: KubeObject, wanted: KubeObject): KubeObject {
  return {
    ...wanted,
    metadata: {
      ...live.metadata,
      labels: { ...live.metadata.labels, ...wanted.metadata.labels },
      annotations: { ...live.metadata.annotations, ...wanted.metadata.annotations },
    },
  };
}

async function applyObject(environment: Environment, object: KubeObject, namespace: string): Promise<void> {
  const type = resourceTypeOf(object);
  const wanted = withNamespace(object, type, namespace);
  const key = { name: wanted.metadata.name ?? "", namespace: wanted.metadata.namespace };
  for (;;) {
    const live = await environment.client.find(type, key);
    try {
      await (live === undefined
        ? environment.client.create(type, wanted)
        : environment.client.update(type, merged(live, wanted)));
      return;
    } catch (error) {
      // Core makes the Context "default" of a new namespace at the same time.
      if (!isConflict(error) && !isAlreadyExists(error)) throw error;
    }
  }
}

/** A job is over for us when it finished and no further one is asked for; a deletion asks for one, too. */
function isSettled(installation: Installation | undefined): boolean {
  const status = installation?.status;
  if (installation?.metadata.deletionTimestamp !== undefined && status?.phase !== "DeleteFailed") return false;
  const asked = installation?.metadata.annotations?.[annotations.operation] !== undefined;
  return !asked && status?.jobID !== undefined && status.jobID === status.jobIDFinished;
}

export async function createTestNamespace(environment: Environment, prefix: string): Promise<TestNamespace> {
  const { client, targetClient } = environment;
  const name = `${prefix}-${randomBytes(3).toString("hex")}`;
  const targetNamespace = `${name}-target`;
  /** For messages: what the deployers say, and the ends of the logs. */
  async function describe(): Promise<string> {
    const items = await scope.list(resources.deployItem);
    return [...items.map(describeObject), environment.describeLogs()].join("\n");
  }
  const waits = { timeoutMs: waitTimeoutMs, intervalMs: 50, describe };
  const onHub = await createNamespace(client, name, waits);
  const onTarget = await createNamespace(targetClient, targetNamespace, waits);

  const scope: TestNamespace = {
    ...onHub,
    targetNamespace,
    environment,
    async apply(...objects) {
      for (const object of objects) await applyObject(environment, object, name);
    },
    findOnTarget: (type, object) => onTarget.find(type, object),
    waitOnTarget: (type, object, isMet) => onTarget.until(type, object, isMet),
    async trigger(installation) {
      await triggerJob(client, resources.installation, { namespace: name, name: installation });
    },
    async waitForPhase(installation, phase) {
      const ended = await scope.until(resources.installation, installation, isSettled);
      if (ended?.status?.phase !== phase) {
        throw new Error(`expected phase ${phase}\n${describeObject(ended)}\n${await describe()}`);
      }
      return ended;
    },
    execution: async (object) => client.get(resources.execution, { namespace: name, name: object }),
    async deployItems(execution) {
      const items = await scope.list(resources.deployItem, `${labels.managedBy}=${execution}`);
      return new Map(items.map((item) => [item.metadata.labels?.[labels.managedName] ?? "", item]));
    },
    async exported(object) {
      const found: DataObject = await client.get(resources.dataObject, { namespace: name, name: object });
      return found.data;
    },
    target: (object) => ({
      apiVersion: "landscaper.gardener.cloud/v1alpha1",
      kind: "Target",
      metadata: { name: object, namespace: name },
      spec: {
        type: "landscaper.gardener.cloud/kubernetes-cluster",
        config: { kubeconfig: environment.targetKubeconfig },
      },
    }),
    async remove() {
      await client.delete(kubeResources.namespace, { name });
      await targetClient.delete(kubeResources.namespace, { name: targetNamespace });
    },
  };
  return scope;
}
