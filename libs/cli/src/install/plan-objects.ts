import { isDeepStrictEqual } from "node:util";
import {
  annotations,
  apiVersion,
  defaultContextName,
  kubeResources,
  labels,
  operations,
  resources,
  type Context,
  type Installation,
  type InstallationImports,
  type KubeObject,
  type ResourceType,
  type Secret,
  type TargetImport,
} from "@landscaper/api";
import type { ImportedValues, ParameterValue } from "@landscaper/blueprint";
import type { RepositoryContext } from "@landscaper/ocm";
import { UsageError } from "../usage-error.ts";
import { kubeconfigKey, objectName, type ReadImports } from "./import-values.ts";
import type { InstallSource } from "./install-source.ts";

/** An object to write, and how it is written over an own one that is there: fields of others stay. */
export interface PlannedObject<T extends KubeObject = KubeObject> {
  readonly type: ResourceType<T>;
  readonly object: T;
}

/** The Contexts that matter: the one that the command line names, else the default one and that of the Installation's name. */
export interface KnownContexts {
  readonly named: string | undefined;
  readonly find: (name: string) => Context | undefined;
}

export interface InstallPlan {
  /** What the Installation imports, and its Context: in the order in which they are written, the Installation last. */
  readonly before: readonly PlannedObject[];
  readonly installation: Installation;
}

/** All that an installation consists of. Pure. Throws UsageError. */
export function planObjects(source: InstallSource, namespace: string, contexts: KnownContexts): InstallPlan {
  const { name } = source;
  const metadata = (object: string) => ({ name: object, namespace, labels: { [labels.installOf]: name } });
  const context = chooseContext(source, contexts);
  const before: PlannedObject[] = [];
  const add = <T extends KubeObject>(type: ResourceType<T>, object: T): void => {
    before.push({ type, object });
  };
  if (context.written !== undefined) {
    const repositoryContext = { ...context.written };
    const written: Context = { apiVersion, kind: "Context", metadata: metadata(name), repositoryContext };
    add(resources.context, written);
  }
  for (const secret of secretsOf(source.imports, metadata)) add(kubeResources.secret, secret);
  for (const value of Object.values(source.imports.values)) {
    for (const target of targetsOf(value)) {
      add(resources.target, { ...target, metadata: metadata(target.metadata.name ?? "") });
    }
  }
  for (const [key, value] of Object.entries(source.imports.values)) {
    if (value.type !== "data") continue;
    const dataObject = { apiVersion, kind: "DataObject", metadata: metadata(objectName(name, key)), data: value.value };
    add(resources.dataObject, dataObject);
  }
  return { before, installation: installationOf(source, context, metadata(name)) };
}

function secretsOf({ targets }: ReadImports, metadata: (name: string) => KubeObject["metadata"]): readonly Secret[] {
  return targets.map(({ name, kubeconfig }) => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: metadata(name),
    data: { [kubeconfigKey]: Buffer.from(kubeconfig).toString("base64") },
  }));
}

function targetsOf(value: ParameterValue) {
  switch (value.type) {
    case "data":
      return [];
    case "target":
      return [value.target];
    case "targetList":
    case "targetMap":
      return Object.values(value.targets);
  }
}

interface ChosenContext {
  /** spec.context; undefined is the default one. */
  readonly name: string | undefined;
  /** The repository of the Context of the Installation's name, which is to be written. */
  readonly written?: RepositoryContext;
  /** The repository that the Installation itself names. */
  readonly own?: RepositoryContext;
}

/**
 * Helm items find charts of components by the Context: where the repository is that of a Context that is there, nothing is written; a Context that the command
 * line names is used as it is.
 */
function chooseContext({ name, repository }: InstallSource, { named, find }: KnownContexts): ChosenContext {
  const isIn = (context: Context | undefined): boolean => isDeepStrictEqual(context?.repositoryContext, repository);
  if (named !== undefined) {
    const context = find(named);
    if (context === undefined) throw new UsageError(`--context: there is no Context "${named}"`);
    return { name: named, ...(repository === undefined || isIn(context) ? {} : { own: repository }) };
  }
  if (repository === undefined || isIn(find(defaultContextName))) return { name: undefined };
  // No deployer reads it.
  if (repository["type"] === "inline") return { name: undefined, own: repository };
  return { name, written: repository };
}

function installationOf(
  { spec, imports, exports }: InstallSource,
  { name: context, own }: ChosenContext,
  metadata: KubeObject["metadata"] & { readonly name: string },
): Installation {
  const { ref } = spec.componentDescriptor ?? {};
  const repository = own === undefined ? {} : { repositoryContext: { ...own } };
  return {
    apiVersion,
    kind: "Installation",
    metadata: { ...metadata, annotations: { [annotations.operation]: operations.reconcile } },
    spec: {
      ...(context === undefined ? {} : { context }),
      ...(ref === undefined ? {} : { componentDescriptor: { ref: { ...repository, ...ref } } }),
      blueprint: spec.blueprint,
      imports: importsOf(metadata.name, imports.values),
      ...(exports === undefined ? {} : { exports }),
    },
  };
}

function importsOf(installation: string, values: ImportedValues): InstallationImports {
  const data = Object.entries(values).flatMap(([name, { type }]) =>
    type === "data" ? [{ name, dataRef: objectName(installation, name) }] : [],
  );
  const targets = Object.entries(values).flatMap(([name, value]): TargetImport[] => {
    switch (value.type) {
      case "data":
        return [];
      case "target":
        return [{ name, target: value.target.metadata.name ?? "" }];
      case "targetList":
        return [{ name, targets: value.targets.map(({ metadata }) => metadata.name ?? "") }];
      case "targetMap": {
        const entries = Object.entries(value.targets).map(([key, { metadata }]) => [key, metadata.name ?? ""]);
        return [{ name, targetMap: Object.fromEntries(entries) as Record<string, string> }]; // as built above
      }
    }
  });
  return { data, targets };
}
