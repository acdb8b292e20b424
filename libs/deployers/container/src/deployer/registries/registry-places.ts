import { findBlueprintResource } from "@landscaper/blueprint";
import { artifactReference, parseRepositoryContext } from "@landscaper/components";
import { parseReference, type RepositoryReference } from "@landscaper/oci";
import { parseDescriptor, type ComponentDescriptor } from "@landscaper/ocm";
import type { ContainerConfig } from "../container-config.ts";

/** Where init reads from; undefined for what lies in no registry, or in one that only the OCM configuration knows. */
export interface RegistryPlaces {
  readonly component: RepositoryReference | undefined;
  readonly blueprint: RepositoryReference | undefined;
}

/**
 * The registries of the component and of the blueprint of an item: the blueprint lies with its component, unless it is an artifact of its own. `pinned` is the
 * reference to it that the core has noted. Pure. Throws LandscaperError for a component that cannot be read.
 */
export function registryPlaces(config: ContainerConfig, pinned: string | undefined): RegistryPlaces {
  const { inline, ref } = config.componentDescriptor ?? {};
  const descriptor =
    inline === undefined ? undefined : parseDescriptor(inline, "spec.config: componentDescriptor.inline");
  const context = ref?.repositoryContext ?? descriptor?.repositoryContexts.at(-1);
  const component = repositoryPlace(context, "spec.config: componentDescriptor: repositoryContext");
  const { resourceName } = config.blueprint?.ref ?? {};
  if (resourceName === undefined) return { component, blueprint: undefined };
  const reference = pinned ?? (descriptor && referenceIn(descriptor, resourceName));
  return { component, blueprint: reference === undefined ? component : parseReference(reference) };
}

/** Undefined for a repository that is in no registry. `where` begins messages. Throws LandscaperError. */
export function repositoryPlace(
  context: Readonly<Record<string, unknown>> | undefined,
  where: string,
): RepositoryReference | undefined {
  if (context === undefined || typeof context["type"] !== "string") return undefined;
  const spec = parseRepositoryContext({ ...context, type: context["type"] }, where);
  return spec.kind === "registry" ? { host: spec.host, repository: spec.subPath } : undefined;
}

function referenceIn(descriptor: ComponentDescriptor, blueprint: string): string | undefined {
  const resource = findBlueprintResource(descriptor, blueprint);
  return resource && artifactReference(resource);
}
