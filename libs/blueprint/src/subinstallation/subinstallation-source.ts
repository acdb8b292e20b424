import { LandscaperError, type InstallationSpec, type InstallationTemplate } from "@landscaper/api";
import type { Closure } from "@landscaper/components";
import { findResource, parseResourceReference, selectReference, type ResourceReference } from "@landscaper/ocm";
import { blueprintError } from "../blueprint-error.ts";
import { nameOfBlueprint } from "../blueprint-resource.ts";

/** Where a nested Installation has its component and its blueprint from. */
export type SubinstallationSource = Pick<InstallationSpec, "componentDescriptor" | "blueprint">;

export interface SubinstallationSourceOptions {
  /** The component of the Installation whose blueprint has the template. */
  readonly closure: Closure | undefined;
  readonly parent: Pick<InstallationSpec, "componentDescriptor">;
}

/**
 * The component and the blueprint of a nested Installation: an inline blueprint belongs to the component of its parent (core.md §4.51); one that is
 * a resource belongs to the component that has it, which is named as the reference to it says, for overwrites apply when the nested Installation runs. Throws LandscaperError.
 */
export function sourceOfTemplate(
  template: Pick<InstallationTemplate, "name" | "blueprint">,
  { closure, parent }: SubinstallationSourceOptions,
): SubinstallationSource {
  const { filesystem, ref = "" } = template.blueprint;
  const { componentDescriptor } = parent;
  const own = componentDescriptor === undefined ? {} : { componentDescriptor };
  if (filesystem !== undefined) return { ...own, blueprint: { inline: { filesystem } } };
  const where = `subinstallation "${template.name}": blueprint.ref ${JSON.stringify(ref)}`;
  if (closure === undefined) {
    throw blueprintError("EnsureSubinstallations", `${where}: the Installation has no component`, {
      hint: "give the Installation a component, or the blueprint as filesystem",
    });
  }
  try {
    const reference = parseResourceReference(ref);
    const { component, resource } = findResource(reference, closure.root, closure.lookup);
    const blueprint = { ref: { resourceName: nameOfBlueprint(component, resource) } };
    return reference.path.length === 0 ? { ...own, blueprint } : { ...referenced(reference, closure), blueprint };
  } catch (error) {
    if (!(error instanceof LandscaperError)) throw error;
    throw blueprintError("EnsureSubinstallations", `${where}: ${error.message}`, { cause: error });
  }
}

/** A descriptor that stands in a label is given on as it is. */
function referenced(
  { path }: ResourceReference,
  { root, lookup, context, isInline }: Closure,
): Pick<SubinstallationSource, "componentDescriptor"> {
  const owner = path.slice(0, -1).reduce((from, selector) => {
    const { componentName: name, version } = selectReference(from, selector);
    return lookup({ name, version }) ?? from;
  }, root);
  const { componentName, version } = selectReference(owner, path.at(-1) ?? {});
  const found = lookup({ name: componentName, version });
  if (found !== undefined && isInline(found)) return { componentDescriptor: { inline: { ...found.document } } };
  const repository = context === undefined ? {} : { repositoryContext: { ...context } };
  return { componentDescriptor: { ref: { ...repository, componentName, version } } };
}
