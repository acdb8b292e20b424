import { createHash } from "node:crypto";
import {
  didYouMean,
  findNearestName,
  goJsonStringify,
  type Installation,
  type InstallationStatus,
  LandscaperError,
  type LocalRef,
  quoteText,
  type Target,
} from "@landscaper/api";
import type { ImportedValues, ParameterValue } from "../parameter/parameter-value.ts";
import { listImportSources, type ImportSource } from "./import-sources.ts";
import { loadSource, type ImportLookup, type Loaded, type Loading, type LoadOptions } from "./load-source.ts";

/** The imports of an Installation at one moment. */
export interface ImportReading {
  readonly given: ImportedValues;
  /** Tells whether two readings of one job found the same (core.md §3.2). */
  readonly hash: string;
  /** What `status.imports` says of them (core.md §1.5 D2). */
  readonly summary: NonNullable<InstallationStatus["imports"]>;
}

/** Reason of the error for an import whose object or key does not exist. */
export const importMissing = "ImportsSatisfied";

interface MissingImport {
  readonly text: string;
  /** Field of the import that names a missing key; undefined if the whole object is missing. */
  readonly keyField: "secretRef.key" | "configMapRef.key" | undefined;
}

/** Names of keys are listed for ConfigMaps only: those of a Secret may be secret. */
async function describeMissing(source: ImportSource, reader: ImportLookup): Promise<MissingImport> {
  const where = `import "${source.importName}": `;
  if (source.kind === "secret" && (await reader.secret(source.ref.name)) !== undefined) {
    return { text: `${where}${describeKey("secret", source.ref)}`, keyField: "secretRef.key" };
  }
  const configMap = source.kind === "configMap" ? await reader.configMap(source.ref.name) : undefined;
  if (source.kind === "configMap" && configMap !== undefined) {
    const keys = Object.keys(configMap.binaryData ?? configMap.data ?? {});
    const meant = didYouMean(findNearestName(source.ref.key ?? "", keys), ",");
    return { text: `${where}${describeKey("config map", source.ref)}${meant}`, keyField: "configMapRef.key" };
  }
  const absent = await listAbsentTargets(source, reader);
  const reference = absent.length === 0 ? source.reference : `target ${absent.map(quoteText).join(", ")}`;
  return { text: `${where}${reference} was not found`, keyField: undefined };
}

/** Returns the missing Targets of a list or map. Returns none if the objects have other names than those that the user wrote. */
async function listAbsentTargets(source: ImportSource, reader: ImportLookup): Promise<readonly string[]> {
  if (source.kind !== "targetList" && source.kind !== "targetMap") return [];
  const names = Object.values(source.objectNames);
  const targets = await Promise.all(names.map(async (name) => await reader.target(name)));
  const absent = names.filter((_, index) => targets[index] === undefined);
  return absent.every((name) => source.reference.includes(quoteText(name))) ? absent : [];
}

function describeKey(kind: "secret" | "config map", { name, key = "" }: LocalRef): string {
  return `${kind} "${name}" has no key "${key}"`;
}

function hintFor(missing: readonly MissingImport[]): string {
  const fields = new Set(missing.flatMap(({ keyField }) => keyField ?? []));
  const remedies = [
    ...(missing.some(({ keyField }) => keyField === undefined)
      ? ["create what is missing or correct the reference"]
      : []),
    ...(fields.has("secretRef.key") ? ["add the key to the secret or correct secretRef.key"] : []),
    ...(fields.has("configMapRef.key") ? ["add the key to the config map or correct configMapRef.key"] : []),
  ];
  return `${remedies.join(", ")}${remedies.length > 1 ? "," : ""} and trigger the installation again`;
}

function missingError(missing: readonly MissingImport[], namespace: string): LandscaperError {
  return new LandscaperError({
    message: `imports are not satisfied in namespace ${namespace}: ${missing.map(({ text }) => text).join("; ")}`,
    reason: importMissing,
    operation: "init",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint: hintFor(missing),
    retry: "never",
  });
}

type ImportSummary = ImportReading["summary"][number];

function summarize(loaded: Loaded, namespace: string): ImportSummary {
  return { name: loaded.source.importName, ...referencesOf(loaded, namespace), ...generationOf(loaded.generation) };
}

/** References as in the original: names of objects, in a field of their own for each kind. */
function referencesOf({ source, value }: Loaded, namespace: string): Omit<ImportSummary, "name"> {
  switch (source.kind) {
    case "dataObject":
      return { type: "dataobject", dataRef: source.objectName };
    case "secret":
      return { type: "dataobject", secretRef: formatRef(source.ref, namespace) };
    case "configMap":
      return { type: "dataobject", configMapRef: formatRef(source.ref, namespace) };
    case "target":
      return { type: "target", dataRef: source.objectName, target: source.objectName };
    case "targetList":
    case "targetMap":
    case "parentList":
    case "parentMap":
      return { type: value.type === "targetMap" ? "targetMap" : "targetList", targets: listTargets(value) };
  }
}

function formatRef({ name, key }: LocalRef, namespace: string): string {
  // An empty key imports the whole object.
  return `${namespace}/${name}${key === undefined || key === "" ? "" : `#${key}`}`;
}

function listTargets(value: ParameterValue): NonNullable<ImportSummary["targets"]> {
  const toEntry = ({ metadata: { name = "", generation } }: Target) => ({ target: name, ...generationOf(generation) });
  if (value.type === "targetList") return value.targets.map(toEntry);
  if (value.type !== "targetMap") return [];
  return Object.entries(value.targets).map(([key, target]) => ({ key, ...toEntry(target) }));
}

function generationOf(generation: number | undefined): Pick<ImportSummary, "configGeneration"> {
  return generation === undefined ? {} : { configGeneration: generation };
}

/** SHA-256, for the SHA-1 of the original's importsHash must not be taken for one of ours. */
function hashVersions(sources: readonly ImportSource[], versions: readonly unknown[]): string {
  const entries = sources.map(({ importName, kind }, index) => [importName, kind, versions[index] ?? null]);
  return createHash("sha256").update(goJsonStringify(entries), "utf8").digest("hex");
}

/**
 * Loads every import that the Installation lists; each must be there, whatever the blueprint says of it (core.md §4.20).
 * Throws LandscaperError (init/ImportsSatisfied) that names all that are missing.
 */
export async function loadImports(
  installation: Installation,
  reader: ImportLookup,
  options: LoadOptions = {},
): Promise<ImportReading> {
  const loading: Loading = { ...options, reader, jobID: installation.status?.jobID ?? "" };
  const sources = listImportSources(installation);
  const results = await Promise.all(sources.map((source) => loadSource(source, loading)));
  const missing = sources.filter((_, index) => results[index] === undefined);
  const { namespace = "" } = installation.metadata;
  if (missing.length > 0) {
    throw missingError(await Promise.all(missing.map((source) => describeMissing(source, reader))), namespace);
  }
  const loaded = results.filter((result) => result !== undefined);
  return {
    given: Object.fromEntries(loaded.map(({ source, value }) => [source.importName, value])),
    hash: hashVersions(
      sources,
      loaded.map(({ version }) => version),
    ),
    summary: loaded.map((each) => summarize(each, namespace)),
  };
}

/**
 * The hash that `loadImports` would give, also of imports that are not there or cannot be read: it changes when they can be.
 * Throws LandscaperError for a spec that names no source.
 */
export async function hashImports(
  installation: Installation,
  reader: ImportLookup,
  options: LoadOptions = {},
): Promise<string> {
  const loading: Loading = { ...options, reader, jobID: installation.status?.jobID ?? "" };
  const sources = listImportSources(installation);
  const versions = await Promise.all(sources.map((source) => versionOf(source, loading)));
  return hashVersions(sources, versions);
}

async function versionOf(source: ImportSource, loading: Loading): Promise<unknown> {
  try {
    return (await loadSource(source, loading))?.version;
  } catch (error) {
    if (error instanceof LandscaperError) return { error: error.message };
    throw error;
  }
}
