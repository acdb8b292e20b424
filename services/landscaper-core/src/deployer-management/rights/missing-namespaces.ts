import { environmentNamespaces, LandscaperError, type Environment, type Namespace } from "@landscaper/api";
import type { Lister } from "@landscaper/controller-runtime";
import { isDeleting, nameOf } from "../../object-reading.ts";

/** Namespaces that an Environment names in which no rights can be given: they do not exist, or are being deleted. Sorted. */
export function findMissingNamespaces(
  { namespaces }: { readonly namespaces: Pick<Lister<Namespace>, "get"> },
  { spec }: Environment,
): readonly string[] {
  const isMissing = (name: string): boolean => {
    const namespace = namespaces.get({ name });
    return namespace === undefined || isDeleting(namespace);
  };
  return (environmentNamespaces(spec) ?? []).filter(isMissing).toSorted();
}

/** More names would not help. */
const maxListed = 10;

/** What the status of the Environment says of them. */
export function missingNamespacesError(environment: Environment, missing: readonly string[]): LandscaperError {
  const rest = missing.length > maxListed ? ` and ${missing.length - maxListed} more` : "";
  return new LandscaperError({
    message: `Environment ${nameOf(environment)}: spec.namespaces names namespaces that do not exist or are being deleted: ${missing.slice(0, maxListed).join(", ")}${rest}`,
    reason: "NamespaceMissing",
    operation: "InstallDeployer",
    codes: ["ERR_CONFIGURATION_PROBLEM"],
    hint: "create the namespaces, or remove them from spec.namespaces; if one is being deleted, wait until it no longer exists",
    retry: "never",
  });
}
