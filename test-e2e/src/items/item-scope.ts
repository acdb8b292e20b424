// Deploy items of the manifest deployer without an Installation: the test hands them their jobs, as the Landscaper would.
import type {
  ConfigMap,
  DeployItem,
  DeployItemSpec,
  KubeObject,
  ResourceType,
  UnstructuredObject,
} from "@landscaper/api";
import { kubeResources } from "@landscaper/api";
import { parseJson } from "@landscaper/json";
import { patienceMs, waitFor } from "@landscaper/testkit";
import type { DeployerScope } from "@landscaper/deployer/testing";
import { createDeployerScope } from "@landscaper/deployer/testing";
import type { Environment } from "../services/environment.ts";

/** Long enough for a loaded machine: only failures wait so long. */
const timeoutMs = patienceMs;

export interface ItemOptions {
  /** Further fields of the ProviderConfiguration. */
  readonly config?: object;
  /** Of the item. Default 2m. */
  readonly timeout?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Name of a Target. Default "cluster". */
  readonly target?: string;
  readonly updateOnChangeOnly?: boolean;
}

/** A place with items of its own: a namespace on the hub with the Target "cluster", and one on that target. */
export interface ItemScope extends DeployerScope {
  /** On the target cluster. */
  readonly place: string;
  /** Creates the item with its first job; `manifests` have policy manage unless they are whole entries. */
  start(name: string, manifests: readonly object[], options?: ItemOptions): Promise<void>;
  /** `start`, and waits for the end of the job. */
  deploy(name: string, manifests: readonly object[], options?: ItemOptions): Promise<DeployItem>;
  /** Another job with another configuration, until its end. */
  redeploy(name: string, manifests: readonly object[], config?: object): Promise<DeployItem>;
  /** Deletes the item, until it is gone. */
  undeploy(name: string): Promise<void>;
  /** Waits until the item says in its conditions what it waits for. */
  waitForMessage(name: string, text: string): Promise<DeployItem>;
  /** Waits for an error of the job, which may go on: the first one, or the first whose message contains a text. */
  waitForError(name: string, text?: string): Promise<NonNullable<NonNullable<DeployItem["status"]>["lastError"]>>;
  /** Values of the export Secret. */
  exportsOf(name: string): Promise<unknown>;
  /** A manifest for the place. */
  configMap(name: string, data?: Readonly<Record<string, string>>, metadata?: object): UnstructuredObject;
  find<T extends KubeObject>(type: ResourceType<T>, name: string): Promise<T | undefined>;
  /** Data of a ConfigMap in the place; undefined when it is not there. */
  data(name: string): Promise<Readonly<Record<string, string>> | undefined>;
  /** Merges into a ConfigMap in the place, as somebody with kubectl. */
  edit(name: string, body: object): Promise<void>;
  /** Writes the status of an object in the place, as its controller or kubelet. */
  setStatus(type: ResourceType, name: string, status: object): Promise<void>;
  waitForConfigMap(name: string, isMet: (found: ConfigMap | undefined) => boolean): Promise<ConfigMap | undefined>;
}

export function itemConfig(manifests: readonly object[], config: object = {}): NonNullable<DeployItemSpec["config"]> {
  return {
    apiVersion: "manifest.deployer.landscaper.gardener.cloud/v1alpha2",
    kind: "ProviderConfiguration",
    manifests: manifests.map((entry) => ("manifest" in entry ? entry : { policy: "manage", manifest: entry })),
    ...config,
  };
}

/** What is there of a reference: custom checks, exports and groups name objects so. */
export function referenceOf({ apiVersion, kind, metadata }: UnstructuredObject): Readonly<Record<string, unknown>> {
  return { apiVersion, kind, name: metadata.name, namespace: metadata.namespace };
}

export async function createItemScope(environment: Environment, prefix: string): Promise<ItemScope> {
  const { client, targetClient, targetKubeconfig } = environment;
  const { name: namespace, targetNamespace: place } = await environment.namespace(prefix);
  const items = createDeployerScope({ hubClient: client, targetKubeconfig, namespace, timeoutMs });
  await items.createTarget();
  const key = (name: string) => ({ namespace: place, name });
  const scope: ItemScope = {
    ...items,
    place,
    async start(name, manifests, { config, annotations, target = "cluster", timeout = "2m", ...others } = {}) {
      const spec = {
        type: "landscaper.gardener.cloud/kubernetes-manifest",
        target: { name: target, namespace },
        timeout,
        config: itemConfig(manifests, config),
        ...others,
      };
      await items.create({ name, spec, annotations });
    },
    async deploy(name, manifests, options) {
      await scope.start(name, manifests, options);
      return items.waitForEnd(name);
    },
    async redeploy(name, manifests, config) {
      await items.trigger(name, { config: itemConfig(manifests, config) });
      return items.waitForEnd(name);
    },
    async undeploy(name) {
      await items.remove(name);
      await items.waitUntilGone(name);
    },
    waitForMessage: async (name, text) =>
      items.waitFor(name, ({ conditions = [] }) => conditions.some(({ message }) => message.includes(text))),
    async waitForError(name, text = "") {
      const { status } = await items.waitFor(name, ({ lastError }) => lastError?.message.includes(text) === true);
      if (status?.lastError === undefined) throw new Error(`DeployItem ${name} has no error`);
      return status.lastError;
    },
    async exportsOf(name) {
      const ref = (await items.get(name)).status?.exportRef?.name;
      if (ref === undefined) return undefined;
      const secret = await client.get(kubeResources.secret, { namespace, name: ref });
      return parseJson(Buffer.from(secret.data?.["config"] ?? "", "base64").toString());
    },
    configMap: (name, data = {}, metadata = {}) => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name, namespace: place, ...metadata },
      data: { ...data },
    }),
    find: async (type, name) => targetClient.find(type, key(name)),
    data: async (name) => (await targetClient.find(kubeResources.configMap, key(name)))?.data,
    async edit(name, body) {
      await targetClient.patch(kubeResources.configMap, key(name), {
        type: "merge",
        body,
        fieldManager: "kubectl-edit",
      });
    },
    async setStatus(type, name, status) {
      await targetClient.patch(type, key(name), { type: "merge", body: { status }, subresource: "status" });
    },
    waitForConfigMap: async (name, isMet) => {
      const { found } = await waitFor(
        async () => {
          const object = await targetClient.find(kubeResources.configMap, key(name));
          if (isMet(object)) return { found: object };
          throw new Error(`ConfigMap ${place}/${name} is not as expected: ${JSON.stringify(object)}`);
        },
        { timeoutMs, intervalMs: 20 },
      );
      return found;
    },
  };
  return scope;
}
