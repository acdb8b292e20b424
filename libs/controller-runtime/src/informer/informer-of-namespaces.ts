import type { KubeObject, ObjectKey } from "@landscaper/api";
import type { Lister } from "../controller-interface.ts";
import { createInformer, type CreateInformerOptions, type SharedInformer } from "./create-informer.ts";

/**
 * One informer for some namespaces, with a watch for each. A namespace that the process may not read, such as one that does not exist yet, counts as
 * empty, and is asked for again.
 */
export function createInformerOfNamespaces<T extends KubeObject>(
  namespaces: readonly string[],
  options: Omit<CreateInformerOptions<T>, "namespace">,
): SharedInformer<T> {
  const parts = new Map(
    namespaces.map((namespace) => [namespace, createInformer<T>({ ...options, namespace, isEmptyWhenRefused: true })]),
  );
  const all = [...parts.values()];
  const partOf = (namespace: string | undefined): SharedInformer<T> | undefined => parts.get(namespace ?? "");
  const lister: Lister<T> = {
    get: (key) => partOf(key.namespace)?.lister.get(key),
    list: (filter) =>
      filter?.namespace === undefined
        ? all.flatMap((part) => part.lister.list())
        : (partOf(filter.namespace)?.lister.list() ?? []),
    byIndex: (index, value) => all.flatMap((part) => part.lister.byIndex(index, value)),
    countByIndex: (index, value) => all.reduce((sum, part) => sum + part.lister.countByIndex(index, value), 0),
  };
  return {
    lister,
    get hasSynced() {
      return all.every(({ hasSynced }) => hasSynced);
    },
    waitForSync: async (signal) => {
      await Promise.all(all.map((part) => part.waitForSync(signal)));
    },
    addIndexes: (functions) => all.forEach((part) => part.addIndexes(functions)),
    addHandler: (handler) => all.forEach((part) => part.addHandler(handler)),
    observe: (object) => partOf(object.metadata.namespace)?.observe(object),
    observeDeletion: (key: ObjectKey, uid) => partOf(key.namespace)?.observeDeletion(key, uid),
    run: async (signal) => {
      await Promise.all(all.map((part) => part.run(signal)));
    },
  };
}
