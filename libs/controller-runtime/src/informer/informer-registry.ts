import type { KubeObject, ResourceType } from "@landscaper/api";
import { createInformer } from "./create-informer.ts";
import type { CreateInformerOptions, SharedInformer } from "./create-informer.ts";
import { createInformerOfNamespaces } from "./informer-of-namespaces.ts";
import type { InformerOptions } from "../controller-interface.ts";
import type { WriteObserver } from "../client/observing-client.ts";

/** The informers of one manager: one per kind and selection. */
export interface InformerRegistry extends WriteObserver {
  get<T extends KubeObject>(type: ResourceType<T>, options: InformerOptions<T>): SharedInformer<T>;
  /**
   * All informers whose events tell of a kind. A reconciler is woken by every informer that it may read from: were it woken by
   * another one, it could read before the news is there, and nobody would wake it again.
   */
  sourcesOf(type: ResourceType, options: { readonly metadataSuffices: boolean }): readonly SharedInformer<KubeObject>[];
  readonly all: readonly SharedInformer<KubeObject>[];
}

interface InformerDefaults extends Pick<
  CreateInformerOptions<KubeObject>,
  "client" | "clock" | "log" | "metrics" | "random"
> {
  /** In place of all, for informers that name none. */
  readonly namespaces?: readonly string[] | undefined;
}

interface Entry {
  readonly selection: string;
  readonly metadataOnly: boolean;
  readonly informer: SharedInformer<KubeObject>;
}

export function createInformerRegistry(
  { namespaces, ...defaults }: InformerDefaults,
  onCreate: (informer: SharedInformer<KubeObject>) => void,
): InformerRegistry {
  const byKind = new Map<string, Entry[]>();
  const entriesOf = (type: ResourceType): readonly Entry[] => byKind.get(kindId(type)) ?? [];
  const get = <T extends KubeObject>(type: ResourceType<T>, options: InformerOptions<T>): SharedInformer<T> => {
    const selection = selectionId(options);
    const existing = entriesOf(type).find((entry) => entry.selection === selection)?.informer;
    if (existing !== undefined) {
      const shared = existing as unknown as SharedInformer<T>; // Same kind, hence same T: kindId has told.
      shared.addIndexes(options.indexes ?? {});
      return shared;
    }
    const isOfSome = namespaces !== undefined && type.namespaced && options.namespace === undefined;
    const informer = isOfSome
      ? createInformerOfNamespaces<T>(namespaces, { ...defaults, ...options, type })
      : createInformer<T>({ ...defaults, ...options, type });
    const general = informer as unknown as SharedInformer<KubeObject>; // Only read through its general side.
    byKind.set(kindId(type), [
      ...entriesOf(type),
      { selection, metadataOnly: options.metadataOnly === true, informer: general },
    ]);
    onCreate(general);
    return informer;
  };
  return {
    get,
    get all() {
      return [...byKind.values()].flat().map(({ informer }) => informer);
    },
    sourcesOf: (type, { metadataSuffices }) => {
      const fit = entriesOf(type).filter((entry) => metadataSuffices || !entry.metadataOnly);
      return fit.length > 0 ? fit.map(({ informer }) => informer) : [get(type, { metadataOnly: metadataSuffices })];
    },
    observe: (type, object) => {
      for (const { informer } of entriesOf(type)) informer.observe(object);
    },
    observeDeletion: (type, key, uid) => {
      for (const { informer } of entriesOf(type)) informer.observeDeletion(key, uid);
    },
    knownUid: (type, key) => {
      for (const { informer } of entriesOf(type)) {
        const uid = informer.lister.get(key)?.metadata.uid;
        if (uid !== undefined) return uid;
      }
      return undefined;
    },
  };
}

function kindId(type: ResourceType): string {
  return `${type.group}/${type.version}/${type.plural}`;
}

function selectionId({ namespace, labelSelector, fieldSelector, metadataOnly }: InformerOptions<never>): string {
  return JSON.stringify([namespace ?? "", labelSelector ?? "", fieldSelector ?? "", metadataOnly === true]);
}
