import { labels, type Installation, type KubeObject } from "@landscaper/api";
import type { ImportLookup, BlueprintSource } from "@landscaper/blueprint";
import type { ImportObjects } from "./parse-documents.ts";

/** Reads objects of files as if they were in the namespace; those that name none are. */
export function createImportLookup(objects: ImportObjects, namespace: string): ImportLookup {
  const find = <T extends KubeObject>(list: readonly T[], name: string): Promise<T | undefined> =>
    Promise.resolve(list.find((object) => object.metadata.name === name && isIn(object, namespace)));
  return {
    dataObject: (name) => find(objects.dataObjects, name),
    target: (name) => find(objects.targets, name),
    secret: (name) => find(objects.secrets, name),
    configMap: (name) => find(objects.configMaps, name),
    parentTargets: ({ scope, key }) =>
      objects.targets.filter(
        (target) =>
          isIn(target, namespace) &&
          target.metadata.labels?.[labels.dataContext] === scope &&
          target.metadata.labels[labels.dataKey] === key,
      ),
  };
}

function isIn({ metadata }: KubeObject, namespace: string): boolean {
  return metadata.namespace === undefined || metadata.namespace === namespace;
}

/** The imports of a blueprint that no Installation connects: each from the DataObject or Target of its name, where there is one. */
export function connectByName(
  { definition }: BlueprintSource,
  { dataObjects, targets }: ImportObjects,
): NonNullable<Installation["spec"]["imports"]> {
  const hasName = (objects: readonly KubeObject[], name: string) =>
    objects.some(({ metadata }) => metadata.name === name);
  const declared = (definition.imports ?? []).flatMap(function flatten(entry): readonly { name: string }[] {
    return [entry, ...(entry.imports ?? []).flatMap(flatten)];
  });
  return {
    data: declared.filter(({ name }) => hasName(dataObjects, name)).map(({ name }) => ({ name, dataRef: name })),
    targets: declared.filter(({ name }) => hasName(targets, name)).map(({ name }) => ({ name, target: name })),
  };
}
