import {
  apiVersionOf,
  kubeResources,
  type ConfigMap,
  type KubeObject,
  type ObjectMeta,
  type ResourceType,
  type Secret,
} from "@landscaper/api";
import { isAlreadyExists, isNotFound } from "@landscaper/controller-runtime";
import type { BackgroundContext } from "@landscaper/deployer";
import type { TargetCluster } from "@landscaper/resources";
import { hostName, type HostObject } from "../../contract/host-names.ts";
import { containerLabels, isOfItem, itemLabels, labelValue, type ItemIdentity } from "../../contract/labels.ts";
import type { ContainerSettings } from "../settings.ts";
import { onHost } from "./host-error.ts";

/** Where the objects of an item are. */
export interface HostPlace {
  readonly cluster: TargetCluster;
  readonly namespace: string;
  readonly item: ItemIdentity;
  /** Identity of the deployer. */
  readonly deployerId: string;
  readonly signal: AbortSignal;
}

/** The place of an item in work beside the jobs. */
export function placeFor(
  item: ItemIdentity,
  { host, signal }: Pick<BackgroundContext, "host" | "signal">,
  { namespace, identity }: Pick<ContainerSettings, "namespace" | "identity">,
): HostPlace {
  return { cluster: host, namespace, item, deployerId: identity, signal };
}

/** Kinds of which an item can have objects, but for Pods. */
export const hostKinds: readonly ResourceType[] = [
  kubeResources.secret,
  kubeResources.configMap,
  kubeResources.serviceAccount,
  kubeResources.role,
  kubeResources.roleBinding,
];

/** The objects of one item, as a list. */
export function selectItem({ uid }: Pick<ItemIdentity, "uid">): string {
  return `${containerLabels.uid}=${uid}`;
}

/** The objects that a deployer has made for items, as a list. */
export function selectDeployer({ identity }: Pick<ContainerSettings, "identity">): string {
  return `${containerLabels.deployerId}=${labelValue(identity)},${containerLabels.uid}`;
}

/** Labels of a Secret for something. */
export function secretLabels(labels: Readonly<Record<string, string>>, type: string): Record<string, string> {
  return { ...labels, [containerLabels.type]: type };
}

type Body<T extends KubeObject> = Omit<T, "apiVersion" | "kind" | "metadata">;

interface WrittenObject<T extends KubeObject> {
  readonly type: ResourceType<T>;
  readonly object: HostObject;
  readonly labels?: Readonly<Record<string, string>>;
  readonly body: Body<T>;
  /** Made once, and never another one. */
  readonly isFixed?: boolean;
}

/** Objects of an item by kind and name, as a list has brought them. */
export type KnownObjects = ReadonlyMap<string, ObjectMeta>;

/**
 * What a run has written: its passes do not write it again. Content and name, by kind and object. Those that the wait container writes have a name alone.
 */
export type WrittenObjects = Map<string, { readonly content?: string; readonly name: string }>;

export interface ReservedName {
  readonly name: string;
  /** What the item has there already. */
  readonly secret: Secret | undefined;
}

/** Writes the objects of an item; what bears a name of ours and is another item's, or nobody's, is never touched. */
export class HostObjects {
  readonly #place: HostPlace;
  readonly #known: KnownObjects;
  readonly #written: WrittenObjects;

  constructor(place: HostPlace, known: KnownObjects = new Map(), written: WrittenObjects = new Map()) {
    this.#place = place;
    this.#known = known;
    this.#written = written;
  }

  get labels(): Record<string, string> {
    return itemLabels(this.#place.item, this.#place.deployerId);
  }

  /** What there is from earlier runs. */
  static async find({ cluster, namespace, item, signal }: HostPlace): Promise<KnownObjects> {
    const known = new Map<string, ObjectMeta>();
    const options = { namespace, labelSelector: selectItem(item), metadataOnly: true, signal };
    await Promise.all(
      hostKinds.map(async (type) => {
        const { items } = await onHost(`a list of ${type.plural}`, () => cluster.client.list(type, options));
        for (const { metadata } of items) known.set(`${type.kind}/${metadata.name}`, metadata);
      }),
    );
    return known;
  }

  /** The Secret of the item, where it has one. */
  async findSecret(object: HostObject): Promise<Secret | undefined> {
    const written = this.#written.get(keyOfObject(kubeResources.secret, object));
    for (const name of written === undefined ? this.#namesOf(object) : [written.name]) {
      const found = await this.#find(kubeResources.secret, name);
      if (found !== undefined && isOfItem(found.metadata.labels, this.#place.item)) return found;
    }
    return undefined;
  }

  async findConfigMap(object: HostObject): Promise<ConfigMap | undefined> {
    for (const name of this.#namesOf(object)) {
      const found = await this.#find(kubeResources.configMap, name);
      if (found !== undefined && isOfItem(found.metadata.labels, this.#place.item)) return found;
    }
    return undefined;
  }

  /**
   * Of a Secret that the wait container is to write: a name that no other item has, or is about to have. `claim` gives the name of the item's target
   * Secret when that is there: two items with the same plain names cannot both have that one.
   */
  async reserveName(object: HostObject, claim: Promise<string>): Promise<ReservedName> {
    const { plain, own } = hostName(this.#place.item, object);
    const [claimed, found] = await Promise.all([claim, this.#findFree(plain)]);
    const isPlainOurs = claimed === hostName(this.#place.item, "target").plain;
    const reserved = (isPlainOurs ? found : undefined) ??
      (await this.#findFree(own)) ?? { name: own, secret: undefined };
    this.#written.set(keyOfObject(kubeResources.secret, object), { name: reserved.name });
    return reserved;
  }

  /** Undefined: another one has the name. */
  async #findFree(name: string): Promise<ReservedName | undefined> {
    const secret = await this.#find(kubeResources.secret, name);
    return secret === undefined || isOfItem(secret.metadata.labels, this.#place.item) ? { name, secret } : undefined;
  }

  /** Creates or updates an object. Returns its name. What the run has written already is not written again. */
  async write<T extends KubeObject>(written: WrittenObject<T>): Promise<string> {
    const { type, object, labels, body } = written;
    const key = keyOfObject(type, object);
    const content = JSON.stringify([labels, body]);
    const found = this.#written.get(key);
    if (found?.content === content) return found.name;
    const name = await this.#write(written);
    this.#written.set(key, { content, name });
    return name;
  }

  async #write<T extends KubeObject>(written: WrittenObject<T>): Promise<string> {
    const { type, object, isFixed = false } = written;
    const names = this.#namesOf(object);
    const known = names.find((name) => this.#known.has(`${type.kind}/${name}`));
    if (known !== undefined) {
      const metadata = this.#known.get(`${type.kind}/${known}`);
      if (isFixed || (await this.#update(written, known, metadata?.resourceVersion))) return known;
    }
    for (const name of names) if (await this.#create(written, name)) return name;
    // A name with the item's own uid in it is no other item's.
    throw new TypeError(`no name is left for ${type.kind} ${names.join(", ")}`);
  }

  /** False: it is another item's. */
  async #create<T extends KubeObject>(written: WrittenObject<T>, name: string): Promise<boolean> {
    const { cluster, signal, item } = this.#place;
    const { type, isFixed = false } = written;
    const what = `${type.kind} ${name}`;
    try {
      await onHost(what, () => cluster.client.create(type, this.#objectOf(written, name), { signal }));
      return true;
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
    const live = await this.#find(type, name);
    if (live === undefined || !isOfItem(live.metadata.labels, item)) return false;
    return isFixed || (await this.#update(written, name, live.metadata.resourceVersion));
  }

  /** False: it is not there any more. */
  async #update<T extends KubeObject>(
    written: WrittenObject<T>,
    name: string,
    resourceVersion: string | undefined,
  ): Promise<boolean> {
    const { cluster, signal } = this.#place;
    const object = this.#objectOf(written, name, resourceVersion);
    try {
      await cluster.client.update(written.type, object, { signal });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      return await onHost(`${written.type.kind} ${name}`, () => Promise.reject(error as Error));
    }
  }

  #objectOf<T extends KubeObject>(written: WrittenObject<T>, name: string, resourceVersion?: string): T {
    const { type, labels = this.labels, body } = written;
    const { namespace } = this.#place;
    const version = resourceVersion === undefined ? {} : { resourceVersion };
    const metadata = { name, namespace, labels: { ...labels }, ...version };
    // The fields of the kind are those of the body.
    return { apiVersion: apiVersionOf(type), kind: type.kind, metadata, ...body } as unknown as T;
  }

  async #find<T extends KubeObject>(type: ResourceType<T>, name: string): Promise<T | undefined> {
    const { cluster, namespace, signal } = this.#place;
    return await onHost(`${type.kind} ${name}`, () => cluster.client.find(type, { namespace, name }, { signal }));
  }

  #namesOf(object: HostObject): readonly string[] {
    const { plain, own } = hostName(this.#place.item, object);
    return plain === own ? [plain] : [plain, own];
  }
}

function keyOfObject({ kind }: ResourceType, object: HostObject): string {
  return `${kind}/${object}`;
}

export function encodeData(data: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString("base64")]));
}

export function decodeEntry({ data = {} }: Pick<Secret, "data">, key: string): string | undefined {
  const value = data[key];
  return value === undefined ? undefined : Buffer.from(value, "base64").toString("utf8");
}
