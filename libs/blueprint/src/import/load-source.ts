import { createHash } from "node:crypto";
import {
  everything,
  goJsonStringify,
  labels,
  sensitivePathsOf,
  type ConfigMap,
  type DataObject,
  type JsonPath,
  type Secret,
  type Target,
} from "@landscaper/api";
import type { ParameterValue } from "../parameter/parameter-value.ts";
import { originOf, type ImportSource } from "./import-sources.ts";
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

/** The value of one import. */
export interface Loaded {
  readonly source: ImportSource;
  readonly value: ParameterValue;
  /** Changes when the imported value changes. */
  readonly version: unknown;
  /** Of the imported object, where it is one object that counts generations. */
  readonly generation?: number | undefined;
}

export function sha1(text: string): string {
  return createHash("sha1").update(text, "utf8").digest("hex");
}

interface DataOrigin {
  readonly sensitive?: readonly JsonPath[];
  readonly generation?: number | undefined;
}

function data(source: ImportSource, value: unknown, origin: DataOrigin = {}): Loaded | undefined {
  if (value === undefined) return undefined;
  const { sensitive = [], generation } = origin;
  const loaded: ParameterValue = {
    type: "data",
    value,
    ...(sensitive.length === 0 ? {} : { sensitive }),
    ...originOf(source),
  };
  return { source, value: loaded, version: sha1(goJsonStringify(value)), generation };
}

/** What the spec of a Target says; the content of a Secret behind it only if that is wanted (core.md §4.42). */
async function versionOf({ spec }: Target, { reader, readsTargetSecrets }: Loading): Promise<unknown> {
  const own = sha1(goJsonStringify(spec));
  const { secretRef } = spec;
  if (!readsTargetSecrets || secretRef === undefined) return own;
  const secret = await reader.secret(secretRef.name);
  const content = secretRef.key === undefined ? secret?.data : secret?.data?.[secretRef.key];
  return [own, sha1(goJsonStringify(content ?? null))];
}

async function single(source: ImportSource, target: Target | undefined, loading: Loading): Promise<Loaded | undefined> {
  if (target === undefined) return undefined;
  const { generation } = target.metadata;
  return { source, value: { type: "target", target }, version: await versionOf(target, loading), generation };
}

async function list(
  source: ImportSource,
  targets: readonly (Target | undefined)[],
  loading: Loading,
): Promise<Loaded | undefined> {
  const found = targets.filter((target) => target !== undefined);
  if (found.length < targets.length) return undefined;
  const version = await Promise.all(found.map((target) => versionOf(target, loading)));
  return { source, value: { type: "targetList", targets: found }, version };
}

async function map(
  source: ImportSource,
  entries: readonly (readonly [string, Target | undefined])[],
  loading: Loading,
): Promise<Loaded | undefined> {
  const found = entries.flatMap(([key, target]) => (target === undefined ? [] : [[key, target] as const]));
  if (found.length < entries.length) return undefined;
  const versions = await Promise.all(
    found.map(async ([key, target]) => [key, await versionOf(target, loading)] as const),
  );
  const value = { type: "targetMap" as const, targets: Object.fromEntries(found) };
  return { source, value, version: Object.fromEntries(versions) };
}

/** How imports are read. */
export interface LoadOptions {
  /** Whether the content of Secrets behind Targets counts in the hash. */
  readonly readsTargetSecrets?: boolean;
}

export interface Loading extends LoadOptions {
  readonly reader: ImportLookup;
  readonly jobID: string;
}

/** Reads one import; undefined when a part of it is not there. Throws LandscaperError for what is no YAML. */
export async function loadSource(source: ImportSource, loading: Loading): Promise<Loaded | undefined> {
  const { reader, jobID } = loading;
  switch (source.kind) {
    case "dataObject": {
      const object = await reader.dataObject(source.objectName);
      if (object === undefined) return undefined;
      const { metadata } = object;
      return data(source, object.data ?? null, {
        sensitive: sensitivePathsOf(metadata),
        generation: metadata.generation,
      });
    }
    case "secret": {
      const secret = await reader.secret(source.ref.name);
      return secret === undefined
        ? undefined
        : data(source, valueOfSecret(secret, { importName: source.importName, key: source.ref.key }), {
            sensitive: everything,
          });
    }
    case "configMap": {
      const configMap = await reader.configMap(source.ref.name);
      return configMap === undefined
        ? undefined
        : data(source, valueOfConfigMap(configMap, { importName: source.importName, key: source.ref.key }));
    }
    case "target":
      return single(source, await reader.target(source.objectName), loading);
    case "targetList":
      return list(source, await Promise.all(source.objectNames.map((name) => reader.target(name))), loading);
    case "targetMap": {
      const names = Object.entries(source.objectNames);
      return map(
        source,
        await Promise.all(names.map(async ([key, name]) => [key, await reader.target(name)] as const)),
        loading,
      );
    }
    case "parentList": {
      const targets = reader.parentTargets({ ...source, jobID });
      return list(
        source,
        targets.toSorted((a, b) => indexOf(a) - indexOf(b)),
        loading,
      );
    }
    case "parentMap": {
      const targets = reader.parentTargets({ ...source, jobID });
      return map(
        source,
        targets.map((target) => [target.metadata.labels?.[labels.dataTargetMapKey] ?? "", target]),
        loading,
      );
    }
  }
}

function indexOf(target: Target): number {
  return Number(target.metadata.labels?.[labels.dataIndex] ?? "0");
}
