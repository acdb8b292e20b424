import { createHash } from "node:crypto";
import {
  goJsonStringify,
  labels,
  LandscaperError,
  type ConfigMap,
  type DataObject,
  type Installation,
  type InstallationStatus,
  type Secret,
  type Target,
} from "@landscaper/api";
import type { ImportedValues, ParameterValue } from "../parameter-value.ts";
import { listImportSources, type ImportSource } from "./import-sources.ts";
import { valueOfConfigMap, valueOfSecret } from "./reference-value.ts";

/** Where imported objects are read, in the namespace of the Installation. */
export interface ImportLookup {
  dataObject(name: string): Promise<DataObject | undefined>;
  target(name: string): Promise<Target | undefined>;
  secret(name: string): Promise<Secret | undefined>;
  configMap(name: string): Promise<ConfigMap | undefined>;
  /** Targets that the Installation of `scope` imports as element of `key` in this job (core.md §4.25). */
  parentTargets(scope: { readonly scope: string; readonly key: string; readonly jobID: string }): readonly Target[];
}

/** The imports of an Installation at one moment. */
export interface ImportReading {
  readonly given: ImportedValues;
  /** Tells whether two readings of one job found the same (core.md §3.2). */
  readonly hash: string;
  /** What `status.imports` says of them (core.md §1.5 D2). */
  readonly summary: NonNullable<InstallationStatus["imports"]>;
}

interface Loaded {
  readonly source: ImportSource;
  readonly value: ParameterValue;
  /** Changes when the imported value changes. */
  readonly version: unknown;
  /** Of the imported object, where it is one object that counts generations. */
  readonly generation?: number | undefined;
}

function sha1(text: string): string {
  return createHash("sha1").update(text, "utf8").digest("hex");
}

function data(source: ImportSource, value: unknown, generation?: number): Loaded | undefined {
  if (value === undefined) return undefined;
  return { source, value: { type: "data", value }, version: sha1(goJsonStringify(value)), generation };
}

function single(source: ImportSource, target: Target | undefined): Loaded | undefined {
  if (target === undefined) return undefined;
  const { generation } = target.metadata;
  return { source, value: { type: "target", target }, version: versionOf(target), generation };
}

/** Of Targets the generation counts, and the uid of one that was made anew (core.md §4.42). */
function versionOf({ metadata }: Target): string {
  return `${metadata.uid ?? ""}/${metadata.generation ?? 0}`;
}

function list(source: ImportSource, targets: readonly (Target | undefined)[]): Loaded | undefined {
  const found = targets.filter((target) => target !== undefined);
  if (found.length < targets.length) return undefined;
  return { source, value: { type: "targetList", targets: found }, version: found.map(versionOf) };
}

function map(source: ImportSource, entries: readonly (readonly [string, Target | undefined])[]): Loaded | undefined {
  const found = entries.flatMap(([key, target]) => (target === undefined ? [] : [[key, target] as const]));
  if (found.length < entries.length) return undefined;
  const targets = Object.fromEntries(found);
  const versions = Object.fromEntries(found.map(([key, target]) => [key, versionOf(target)]));
  return { source, value: { type: "targetMap", targets }, version: versions };
}

async function load(source: ImportSource, reader: ImportLookup, jobID: string): Promise<Loaded | undefined> {
  switch (source.kind) {
    case "dataObject": {
      const object = await reader.dataObject(source.objectName);
      return object === undefined ? undefined : data(source, object.data ?? null, object.metadata.generation);
    }
    case "secret": {
      const secret = await reader.secret(source.ref.name);
      return secret === undefined ? undefined : data(source, valueOfSecret(secret, source.ref.key));
    }
    case "configMap": {
      const configMap = await reader.configMap(source.ref.name);
      return configMap === undefined ? undefined : data(source, valueOfConfigMap(configMap, source.ref.key));
    }
    case "target":
      return single(source, await reader.target(source.objectName));
    case "targetList":
      return list(source, await Promise.all(source.objectNames.map((name) => reader.target(name))));
    case "targetMap": {
      const names = Object.entries(source.objectNames);
      return map(
        source,
        await Promise.all(names.map(async ([key, name]) => [key, await reader.target(name)] as const)),
      );
    }
    case "parentList": {
      const targets = reader.parentTargets({ ...source, jobID });
      return list(
        source,
        targets.toSorted((a, b) => indexOf(a) - indexOf(b)),
      );
    }
    case "parentMap": {
      const targets = reader.parentTargets({ ...source, jobID });
      return map(
        source,
        targets.map((target) => [target.metadata.labels?.[labels.dataTargetMapKey] ?? "", target]),
      );
    }
  }
}

function indexOf(target: Target): number {
  return Number(target.metadata.labels?.[labels.dataIndex] ?? "0");
}

function missingError(missing: readonly ImportSource[], namespace: string): LandscaperError {
  const lines = missing.map(({ importName, reference }) => `import "${importName}": ${reference} was not found`);
  return new LandscaperError({
    message: `imports are not satisfied in namespace ${namespace}: ${lines.join("; ")}`,
    reason: "ImportsSatisfied",
    operation: "init",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint: "create what is missing and trigger the installation again",
    retry: "never",
  });
}

/** Kinds of import values as the seed's `status.imports` names them. */
function summarize({ source, generation }: Loaded): ImportReading["summary"][number] {
  const type =
    source.kind === "dataObject" || source.kind === "secret" || source.kind === "configMap" ? "dataobject" : "target";
  const dataRef = source.kind === "dataObject" || source.kind === "target" ? source.objectName : source.reference;
  return {
    name: source.importName,
    type,
    dataRef,
    ...(generation === undefined ? {} : { configGeneration: generation }),
  };
}

/** What must not be told of imports: data, and the access data of targets. */
export function secretsOf(given: ImportedValues): readonly unknown[] {
  return Object.values(given).map((value) => {
    switch (value.type) {
      case "data":
        return value.value;
      case "target":
        return value.target.spec.config;
      case "targetList":
        return value.targets.map(({ spec }) => spec.config);
      case "targetMap":
        return Object.values(value.targets).map(({ spec }) => spec.config);
    }
  });
}

/**
 * Loads every import that the Installation lists; each must be there, whatever the blueprint says of it (core.md §4.20).
 * Throws LandscaperError (init/ImportsSatisfied) that names all that are missing.
 */
export async function loadImports(installation: Installation, reader: ImportLookup): Promise<ImportReading> {
  const jobID = installation.status?.jobID ?? "";
  const sources = listImportSources(installation);
  const results = await Promise.all(sources.map((source) => load(source, reader, jobID)));
  const missing = sources.filter((_, index) => results[index] === undefined);
  if (missing.length > 0) throw missingError(missing, installation.metadata.namespace ?? "");
  const loaded = results.filter((result) => result !== undefined);
  const versions = loaded.map(({ source, version }) => [source.importName, source.kind, version]);
  return {
    given: Object.fromEntries(loaded.map(({ source, value }) => [source.importName, value])),
    hash: sha1(goJsonStringify(versions)),
    summary: loaded.map(summarize),
  };
}
