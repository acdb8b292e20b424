import { createHash } from "node:crypto";
import { goJsonStringify, LandscaperError, type Installation, type InstallationStatus } from "@landscaper/api";
import type { ImportedValues } from "../parameter/parameter-value.ts";
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
  if (missing.length > 0) throw missingError(missing, installation.metadata.namespace ?? "");
  const loaded = results.filter((result) => result !== undefined);
  return {
    given: Object.fromEntries(loaded.map(({ source, value }) => [source.importName, value])),
    hash: hashVersions(
      sources,
      loaded.map(({ version }) => version),
    ),
    summary: loaded.map(summarize),
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
