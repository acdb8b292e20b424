import type { HelmProviderConfiguration, ValuesReferenceFields } from "@landscaper/api";
import { ChartError, setValues } from "@landscaper/helm";
import { configError } from "@landscaper/manifest-deployer-lib";
import { maxSources } from "./limit-values.ts";

/** An entry of `valuesFrom`. */
export interface ValuesReference {
  readonly kind: ValuesReferenceFields["kind"];
  readonly name: string;
  /** Of a Secret or ConfigMap. */
  readonly key: string;
  /** As in --set, without "=" and what follows. */
  readonly targetPath: string | undefined;
  readonly isOptional: boolean;
  /** Its place in the configuration, for messages. */
  readonly field: string;
}

const defaultKey = "values.yaml";

/** Field `valuesFrom`; `where` is its place. Throws LandscaperError that names the field. */
export function parseValuesFrom(
  entries: HelmProviderConfiguration["valuesFrom"] = [],
  where: string,
): ValuesReference[] {
  if (entries.length > maxSources) {
    throw configError(`${where}: expected at most ${maxSources} entries, found ${entries.length}`);
  }
  return entries.map((entry, index) => parseReference(entry, index, `${where}[${index}]`));
}

function parseReference(entry: ValuesReferenceFields, index: number, where: string): ValuesReference {
  const { kind, name, key, valuesKey, targetPath, optional } = entry;
  if (key !== undefined && valuesKey !== undefined && key !== valuesKey) {
    throw configError(`${where}: expected key or valuesKey, which mean the same, found both`);
  }
  const chosen = key ?? valuesKey;
  const field = key === undefined ? "valuesKey" : "key";
  if (chosen === "") throw configError(`${where}.${field}: expected a key, found an empty string`);
  if (chosen !== undefined && kind === "DataObject") {
    throw configError(`${where}.${field}: a DataObject has one value and no keys`);
  }
  if (targetPath !== undefined) checkTargetPath(targetPath, `${where}.targetPath`);
  const isOptional = optional === true;
  return { kind, name, key: chosen ?? defaultKey, targetPath, isOptional, field: `valuesFrom[${index}]` };
}

/** Only what comes before the "=" of a --set text: with more, values would be set that nobody sees in `values`. */
function checkTargetPath(path: string, where: string): void {
  const plain = path.replace(/\\./gs, "");
  if (path === "") throw configError(`${where}: expected a path such as a.b[0].c, found an empty string`);
  if (/[=,]/.test(plain)) {
    throw configError(
      `${where}: expected one path such as a.b[0].c, found "=" or "," in it, which need a "\\" before them`,
    );
  }
  if (plain.endsWith("\\")) throw configError(`${where}: expected a path such as a.b[0].c, found a "\\" at its end`);
  const values = new Map();
  try {
    setValues(values, `${path}=x`, { kind: "string" });
  } catch (error) {
    if (!(error instanceof ChartError)) throw error;
    throw configError(`${where}: expected a path such as a.b[0].c: ${error.message}`);
  }
  if (values.size === 0) throw configError(`${where}: expected a path such as a.b[0].c, found no name in it`);
}
