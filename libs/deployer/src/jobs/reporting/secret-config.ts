import {
  annotations,
  everything,
  parsePaths,
  redactLeaves,
  valuesAt,
  type DeployItem,
  type JsonPath,
} from "@landscaper/api";

/** What of `spec.config` derives from secrets, as the core says it; everything where nobody says it. */
export function secretConfigPaths({ metadata }: DeployItem): readonly JsonPath[] {
  return parsePaths(metadata.annotations?.[annotations.sensitiveConfig]) ?? everything;
}

/** The values there. */
export function secretConfigValues(item: DeployItem): readonly unknown[] {
  return valuesAt(item.spec.config, secretConfigPaths(item));
}

/** Deployers mask these values by their place on the target. A search for the values would also mask equal names of objects. */
const maskedByDeployer = /^\/(?:manifests|values)(?:\/|$)/;

/**
 * Returns a function that masks the secret values of all other fields, such as an expression or the reference of a chart, in a text. Without the annotation
 * `sensitive-config`, it masks nothing: the whole configuration counts as secret then, so it would mask every word.
 */
export function maskSettings(item: DeployItem): (text: string) => string {
  const paths = secretConfigPaths(item).filter((path) => path !== "" && !maskedByDeployer.test(path));
  const values = valuesAt(item.spec.config, paths);
  return values.length === 0 ? (text) => text : (text) => redactLeaves(text, values);
}
