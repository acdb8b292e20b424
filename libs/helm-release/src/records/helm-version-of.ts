import { type HelmVersion, helmVersions } from "@landscaper/helm";
import type { StoredRelease } from "./stored-release.ts";
import type { ReleaseRecord } from "./release-record.ts";

/** Annotation of a record's object: the version of Helm that the deployer rendered the revision as. */
const helmVersionAnnotation = "helm.deployer.landscaper.gardener.cloud/helm-version";

/** Returns the version of Helm in the annotations of a record's object; undefined if another client wrote the record. */
export function annotatedVersion({ metadata }: StoredRelease): HelmVersion | undefined {
  const text = metadata.annotations?.[helmVersionAnnotation];
  return helmVersions.find((version) => version === text);
}

/** Returns the annotations of a record's object that name the version of Helm. */
export function versionAnnotations({ helmVersion }: Pick<ReleaseRecord, "helmVersion">): Record<string, string> {
  return helmVersion === undefined ? {} : { [helmVersionAnnotation]: helmVersion };
}

/**
 * Returns the version of Helm that made a revision, from the deployer's annotation. A revision of another client counts as 4 if it has an
 * apply method, which Helm 3 does not know, else as 3.
 */
export function helmVersionOf({
  helmVersion,
  apply_method: method,
}: Pick<ReleaseRecord, "helmVersion" | "apply_method">): HelmVersion {
  return helmVersion ?? (method === undefined ? "3" : "4");
}
