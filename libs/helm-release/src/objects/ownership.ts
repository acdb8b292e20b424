import type { KubeObject, UnstructuredObject } from "@landscaper/api";
import { formatResource, referenceTo } from "@landscaper/resources";
import { releaseError } from "../release-error.ts";

/** What makes an object part of a release. */
export interface ReleaseName {
  readonly name: string;
  readonly namespace: string;
}

const managedBy = "app.kubernetes.io/managed-by";
const releaseName = "meta.helm.sh/release-name";
const releaseNamespace = "meta.helm.sh/release-namespace";

/** Labels of whatever belongs to any release. */
export const managedSelector = `${managedBy}=Helm`;

/** The fields that mark an object, as the API server names them. */
export const markFields: readonly string[] = [
  `.metadata.labels.${managedBy}`,
  `.metadata.annotations.${releaseName}`,
  `.metadata.annotations.${releaseNamespace}`,
];

/** The object with the marks of Helm. */
export function markOwned(object: UnstructuredObject, release: ReleaseName): UnstructuredObject {
  const { labels, annotations } = object.metadata;
  const metadata = {
    ...object.metadata,
    labels: { ...labels, [managedBy]: "Helm" },
    annotations: { ...annotations, [releaseName]: release.name, [releaseNamespace]: release.namespace },
  };
  return { ...object, metadata };
}

/** Throws LandscaperError (ReleaseOwnership) that names every mark of a live object that is not that of the release. */
export function checkOwned(live: UnstructuredObject, release: ReleaseName): void {
  const { labels, annotations } = live.metadata;
  const problems = [
    mismatch("label", managedBy, { expected: "Helm", found: labels?.[managedBy] }),
    mismatch("annotation", releaseName, { expected: release.name, found: annotations?.[releaseName] }),
    mismatch("annotation", releaseNamespace, { expected: release.namespace, found: annotations?.[releaseNamespace] }),
  ].filter((problem) => problem !== undefined);
  if (problems.length === 0) return;
  const object = formatResource(referenceTo(live));
  const message = `${object} exists and does not belong to release ${release.namespace}/${release.name}: ${problems.join(", ")}`;
  throw releaseError("ReleaseOwnership", message, { hint: "delete it, rename it in the chart, or set takeOwnership" });
}

/** Whether a live object has all marks of the release. */
export function isMarked({ metadata: { labels, annotations } }: KubeObject, release: ReleaseName): boolean {
  return (
    labels?.[managedBy] === "Helm" &&
    annotations?.[releaseName] === release.name &&
    annotations[releaseNamespace] === release.namespace
  );
}

function mismatch(
  what: string,
  key: string,
  { expected, found }: { expected: string; found: string | undefined },
): string | undefined {
  if (found === expected) return undefined;
  return `${what} ${key}: expected "${expected}", found ${found === undefined ? "none" : `"${found}"`}`;
}

/** Whether a live object says that it belongs to another release. */
export function isOfAnotherRelease({ metadata: { annotations } }: UnstructuredObject, release: ReleaseName): boolean {
  const owner = annotations?.[releaseName];
  return owner !== undefined && (owner !== release.name || annotations?.[releaseNamespace] !== release.namespace);
}

/** Throws LandscaperError (ReleaseOwnership) for a live object that says so, which `what` is about to replace. */
export function checkNotOfAnotherRelease(live: UnstructuredObject, release: ReleaseName, what: string): void {
  if (!isOfAnotherRelease(live, release)) return;
  const { annotations } = live.metadata;
  const owner = [annotations?.[releaseNamespace], annotations?.[releaseName]]
    .filter((part) => part !== undefined)
    .join("/");
  const message = `${what}: ${formatResource(referenceTo(live))} exists and is an object of release ${owner}`;
  throw releaseError("ReleaseOwnership", message, { hint: "rename the hook, or uninstall that release" });
}

/** Whether the object stays when the release no longer has it. */
export function isKept(object: UnstructuredObject): boolean {
  return object.metadata.annotations?.["helm.sh/resource-policy"]?.trim().toLowerCase() === "keep";
}
