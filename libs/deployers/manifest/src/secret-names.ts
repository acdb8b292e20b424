import { annotations, parsePaths, type DeployItem, type LandscaperError } from "@landscaper/api";
import { configError } from "./parse-manifest-config.ts";

/** Paths into `spec.config` of what names an object on the target. Lists of Kubernetes (`items`) are objects, too. */
const naming =
  /^\/manifests\/\d+(?:\/manifest)?(?:\/items\/\d+)*\/(?:apiVersion|kind|metadata\/(?:name|namespace|generateName))$/;

/** The same for objects that exports and readiness checks read. */
const reading =
  /^\/(?:(?:exports\/exports|exportsFromManifests)\/\d+\/fromResource|readinessChecks\/custom\/\d+\/resourceSelector\/\d+)\/(?:apiVersion|kind|name|namespace)$/;

/**
 * Refuses manifests whose name, namespace or kind derives from a secret, as the core says it. Throws LandscaperError, which does not tell the name. Of an item
 * without that annotation, nothing is known, and nothing is refused.
 */
export function checkSecretNames(item: Pick<DeployItem, "metadata">): void {
  checkSecretFields(item, naming);
}

/** Refuses names of objects that exports and readiness checks read, and other fields whose paths match `fields`; see `checkSecretNames`. */
export function checkSecretFields({ metadata }: Pick<DeployItem, "metadata">, fields: RegExp): void {
  const paths = parsePaths(metadata.annotations?.[annotations.sensitiveConfig]);
  const path = paths?.find((each) => fields.test(each) || reading.test(each));
  if (path === undefined) return;
  const field = path
    .slice(1)
    .replaceAll(/\/(\d+)/g, "[$1]")
    .replaceAll("/", ".");
  throw secretNameError(`spec.config: ${field}`);
}

/** The refusal; `place` says which name derives from a secret. */
export function secretNameError(place: string): LandscaperError {
  return configError(
    `${place} derives from a secret, and names of objects are shown in status, events, logs and plans`,
    "name the object by something that is not secret, or let the operator set allowSecretNames in the configuration of the deployer",
  );
}
