import {
  kubeResources,
  labels,
  resources,
  type DataObject,
  type KubeObject,
  type ResourceType,
  type Target,
} from "@landscaper/api";
import type { ImportLookup } from "@landscaper/blueprint";
import { canBeName, type Client, type IndexFunctions, type Informer } from "@landscaper/controller-runtime";
import { installationOwners, labelOf, namespaceOf } from "../../object-reading.ts";

/**
 * Which reads of DataObjects and Targets go to the API server instead of the informers:
 * - "users": objects that no Installation owns. Informers of different kinds are not ordered among each other, so that the trigger
 *   of a job can arrive before the data that was written first. What Installations own is written through.
 * - "absent": only what the informers do not have.
 * - "all": everything, before a difference fails a job.
 */
export type Freshness = "users" | "absent" | "all";

/** Reads imported objects for one pass. Secrets and ConfigMaps are always live, each read once. */
export interface ImportReader extends ImportLookup {
  /** The same reader with another freshness; Secrets and ConfigMaps that were read stay. */
  with(freshness: Freshness): ImportReader;
}

const byContext = "context";
const bySource = "source";

/** Indexes of DataObjects and Targets: by the scope they live in, and by the Installation that exported them. */
export const dataIndexes: IndexFunctions<KubeObject> = {
  [byContext]: (object) => indexKey(object, labelOf(object, labels.dataContext)),
  [bySource]: (object) => {
    if (labelOf(object, labels.dataSourceType) !== "export") return [];
    return indexKey(object, labelOf(object, labels.dataSource));
  },
};

function indexKey(object: KubeObject, value: string | undefined): readonly string[] {
  return value === undefined || value === "" ? [] : [`${namespaceOf(object)}/${value}`];
}

export function listScope<T extends KubeObject>(informer: Informer<T>, namespace: string, scope: string): readonly T[] {
  return informer.lister.byIndex(byContext, `${namespace}/${scope}`);
}

/** Objects that the source, "Inst.NAME" or "Exec.NAME", has exported. */
export function listExportsOf<T extends KubeObject>(
  informer: Informer<T>,
  namespace: string,
  source: string,
): readonly T[] {
  return informer.lister.byIndex(bySource, `${namespace}/${source}`);
}

export interface ImportReaderOptions {
  readonly client: Client;
  readonly dataObjects: Informer<DataObject>;
  readonly targets: Informer<Target>;
  readonly namespace: string;
  readonly signal: AbortSignal;
}

export function createImportReader(options: ImportReaderOptions, freshness: Freshness): ImportReader {
  return withFreshness(options, freshness, new Map());
}

type Memo = Map<string, Promise<KubeObject | undefined>>;

function withFreshness(options: ImportReaderOptions, freshness: Freshness, memo: Memo): ImportReader {
  const { client, namespace, signal, dataObjects, targets } = options;
  /** A reference such as "namespace/name" names nothing: the import says that it was not found. */
  const live = async <T extends KubeObject>(type: ResourceType<T>, name: string): Promise<T | undefined> =>
    canBeName(name) ? await client.find(type, { namespace, name }, { signal }) : undefined;
  const once = <T extends KubeObject>(type: ResourceType<T>, name: string): Promise<T | undefined> => {
    const key = `${type.kind}/${name}`;
    const found = memo.get(key) ?? live(type, name);
    memo.set(key, found);
    // The key names the type.
    return found as Promise<T | undefined>;
  };
  const cached = async <T extends KubeObject>(informer: Informer<T>, type: ResourceType<T>, name: string) => {
    const object = informer.lister.get({ namespace, name });
    if (object !== undefined && !isReadLive(object, freshness)) return object;
    const found = await live(type, name);
    if (found !== undefined) informer.observe(found);
    return found;
  };
  return {
    dataObject: (name) => cached(dataObjects, resources.dataObject, name),
    target: (name) => cached(targets, resources.target, name),
    secret: (name) => once(kubeResources.secret, name),
    configMap: (name) => once(kubeResources.configMap, name),
    parentTargets: ({ scope, key, jobID }) =>
      listScope(targets, namespace, scope).filter(
        (target) =>
          labelOf(target, labels.dataKey) === key &&
          labelOf(target, labels.dataSourceType) === "import" &&
          labelOf(target, labels.dataJobId) === jobID,
      ),
    with: (other) => withFreshness(options, other, memo),
  };
}

function isReadLive(object: KubeObject, freshness: Freshness): boolean {
  switch (freshness) {
    case "users":
      return installationOwners(object).length === 0;
    case "absent":
      return false;
    case "all":
      return true;
  }
}
