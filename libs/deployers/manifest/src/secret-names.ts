import { annotations, parsePaths, type DeployItem, type LandscaperError } from "@landscaper/api";
import { configError } from "./parse-manifest-config.ts";

/** Paths into `spec.config` of the fields that name an object on the target, also in Lists (`items`). */
const naming =
  /^\/manifests\/\d+(?:\/manifest)?(?:\/items\/\d+)*\/(?:apiVersion|kind|metadata\/(?:name|namespace|generateName))$/;

/** Paths into `spec.config` of the fields that name an object that an export or readiness check reads. */
const reading =
  /^\/(?:(?:exports\/exports|exportsFromManifests)\/\d+\/fromResource|readinessChecks\/custom\/\d+\/resourceSelector\/\d+)\/(?:apiVersion|kind|name|namespace)$/;

/**
 * Refuses manifests whose name, namespace or kind derives from a secret according to the annotation `sensitive-config`. Accepts items without the
 * annotation. Throws LandscaperError, which does not contain the name.
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

/** Returns the error of the refusal. `place` is the field or template of the name. */
export function secretNameError(place: string): LandscaperError {
  return configError(
    `${place} derives from a secret, and names of objects are shown in status, events, logs and plans`,
    "name the object by something that is not secret, or let the operator set allowSecretNames in the configuration of the deployer",
  );
}
