import {
  isJobOpen,
  formatKey,
  keyOf,
  type Execution,
  type Installation,
  type KubeObject,
  type ObjectKey,
} from "@landscaper/api";
import { listImportSources, type ImportSource } from "@landscaper/blueprint";
import type { IndexFunctions } from "@landscaper/controller-runtime";
import type { Core } from "../core.ts";
import { createSiblings } from "../installation/imports/siblings.ts";
import { controllerOf, namespaceOf, parentOf } from "../object-reading.ts";
import { byNamedSecret } from "../protection/used-objects.ts";
import { isEdited, isOnChange } from "./observe-changes.ts";
import { findRoot } from "./find-root.ts";
import { listDownstream } from "./upstream.ts";

const byImportedObject = "importedObject";
const byPolicy = "onChange";

type ImportedKind = "DataObject" | "Target" | "Secret" | "ConfigMap";

function objectsOf(source: ImportSource): readonly (readonly [ImportedKind, string])[] {
  switch (source.kind) {
    case "dataObject":
      return [["DataObject", source.objectName]];
    case "secret":
      return [["Secret", source.ref.name]];
    case "configMap":
      return [["ConfigMap", source.ref.name]];
    case "target":
      return [["Target", source.objectName]];
    case "targetList":
    case "targetMap":
      return Object.values(source.objectNames).map((name) => ["Target", name] as const);
    case "parentList":
    case "parentMap":
      return [];
  }
}

function listImported(installation: Installation): readonly (readonly [ImportedKind, string])[] {
  try {
    return listImportSources(installation).flatMap(objectsOf);
  } catch {
    // Its next job says what is wrong with the imports.
    return [];
  }
}

function importedKey(namespace: string, kind: ImportedKind, name: string): string {
  return `${namespace}/${kind}/${name}`;
}

/** Indexes of Installations with the policy on-change: by what they import, and by namespace. The others are in neither. */
export const onChangeIndexes: IndexFunctions<Installation> = {
  [byImportedObject]: (installation) => {
    if (!isOnChange(installation)) return [];
    const namespace = namespaceOf(installation);
    return listImported(installation).map(([kind, name]) => importedKey(namespace, kind, name));
  },
  [byPolicy]: (installation) => (isOnChange(installation) ? [namespaceOf(installation)] : []),
};

/** Notes what an event may mean for Installations with the policy on-change, and tells which they are. */
export interface ChangeSources {
  readonly noteDataObject: (object: KubeObject) => readonly ObjectKey[];
  readonly noteTarget: (object: KubeObject) => readonly ObjectKey[];
  /** Metadata suffices. */
  readonly noteSecret: (object: KubeObject) => readonly ObjectKey[];
  /** Metadata suffices. */
  readonly noteConfigMap: (object: KubeObject) => readonly ObjectKey[];
  readonly noteExecution: (execution: Execution) => readonly ObjectKey[];
  readonly noteInstallation: (installation: Installation) => readonly ObjectKey[];
}

export function createChangeSources({
  informers,
  news,
  clock,
}: Pick<Core, "informers" | "news" | "clock">): ChangeSources {
  const { lister } = informers.installations;
  const note = (installations: readonly Installation[]): readonly ObjectKey[] => {
    const keys = installations.map(keyOf);
    for (const key of keys) news.note(key, clock.elapsed());
    return keys;
  };
  const importersOf = (kind: ImportedKind, { metadata }: KubeObject): readonly Installation[] => {
    const { namespace = "", name = "" } = metadata;
    return lister.byIndex(byImportedObject, importedKey(namespace, kind, name));
  };
  const noteRoot = (installation: Installation | undefined): readonly ObjectKey[] => {
    const root = findRoot(lister, installation);
    return root !== undefined && isOnChange(root) ? note([root]) : [];
  };
  /** The end of a job is what those downstream wait for, also those to which it changes nothing on the way. */
  const noteFlow = (root: Installation): readonly ObjectKey[] => {
    if (isJobOpen(root.status) || lister.byIndex(byPolicy, namespaceOf(root)).length === 0) return [];
    const isChanged = root.metadata.generation !== root.status?.observedGeneration;
    return note([...(isChanged ? [root] : []), ...listDownstream(root, createSiblings(lister))].filter(isOnChange));
  };
  return {
    noteDataObject: (object) => note(importersOf("DataObject", object)),
    noteTarget: (object) => note(importersOf("Target", object)),
    noteSecret: (object) => {
      const targets = informers.targets.lister.byIndex(byNamedSecret, formatKey(keyOf(object)));
      return note([...importersOf("Secret", object), ...targets.flatMap((target) => importersOf("Target", target))]);
    },
    noteConfigMap: (object) => note(importersOf("ConfigMap", object)),
    noteExecution: (execution) => {
      const owner = controllerOf(execution, "Installation");
      if (owner === undefined || !isEdited(execution)) return [];
      return noteRoot(lister.get({ namespace: namespaceOf(execution), name: owner.name }));
    },
    noteInstallation: (installation) => {
      if (parentOf(installation) === undefined) return noteFlow(installation);
      return isEdited(installation) ? noteRoot(installation) : [];
    },
  };
}
