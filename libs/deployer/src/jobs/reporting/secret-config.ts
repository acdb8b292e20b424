import { annotations, everything, parsePaths, valuesAt, type DeployItem, type JsonPath } from "@landscaper/api";

/** What of `spec.config` derives from secrets, as the core says it; everything where nobody says it. */
export function secretConfigPaths({ metadata }: DeployItem): readonly JsonPath[] {
  return parsePaths(metadata.annotations?.[annotations.sensitiveConfig]) ?? everything;
}

/** The values there. */
export function secretConfigValues(item: DeployItem): readonly unknown[] {
  return valuesAt(item.spec.config, secretConfigPaths(item));
}
