import { LandscaperError, type ConfigMap, type Secret } from "@landscaper/api";
import { fromYaml, YamlError } from "@landscaper/goyaml";

/** What is wrong with a text, and where. The message of the error may quote the text. */
function describeProblem(error: unknown): string {
  if (!(error instanceof YamlError)) return "expected YAML, found other text";
  return error.explanation;
}

function parseYaml(text: string, where: string): unknown {
  try {
    return fromYaml(text, { integers: "exact" });
  } catch (error) {
    throw new LandscaperError({
      message: `${where}: ${describeProblem(error)}`,
      reason: "ImportUnreadable",
      operation: "init",
      codes: ["ERR_CONFIGURATION_PROBLEM"],
      retry: "never",
    });
  }
}

function parseEntries(entries: Readonly<Record<string, string>>, where: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(entries).map(([key, text]) => [key, parseYaml(text, `${where}, key "${key}"`)]),
  );
}

function decodeAll(data: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(data).map(([key, base64]) => [key, Buffer.from(base64, "base64").toString("utf8")]),
  );
}

function selectEntry(entries: Readonly<Record<string, string>>, key: string | undefined, where: string): unknown {
  if (key === undefined || key === "") return parseEntries(entries, where);
  const text = entries[key];
  return text === undefined ? undefined : parseYaml(text, `${where}, key "${key}"`);
}

/** A Secret or ConfigMap whose key is imported, and the name of the import. */
export interface KeyImport {
  readonly importName: string;
  /** Undefined or empty: all keys. */
  readonly key: string | undefined;
}

/**
 * Value of a Secret import: one entry, or (without a key, or with an empty one) all as a map. Values are YAML: "5" is a number (core.md §3.9, §4.43).
 * Undefined when the key is not there.
 */
export function valueOfSecret(secret: Secret, { importName, key }: KeyImport): unknown {
  const where = `import "${importName}": Secret "${secret.metadata.name ?? ""}"`;
  return selectEntry(decodeAll(secret.data ?? {}), key, where);
}

/** Value of a ConfigMap import, as of a Secret. binaryData, where it is, stands in for data (core.md §3.9). */
export function valueOfConfigMap(configMap: ConfigMap, { importName, key }: KeyImport): unknown {
  const entries = configMap.binaryData === undefined ? (configMap.data ?? {}) : decodeAll(configMap.binaryData);
  return selectEntry(entries, key, `import "${importName}": ConfigMap "${configMap.metadata.name ?? ""}"`);
}
