import { identityText, parseIdentity, selectElement, type ComponentDescriptor, type Resource } from "@landscaper/ocm";

/** Types of resources that are blueprints. */
const blueprintTypes: ReadonlySet<string> = new Set(["landscaper.gardener.cloud/blueprint", "blueprint"]);

/** The resources of a component that are blueprints, in their order. */
export function blueprintResources({ resources }: ComponentDescriptor): readonly Resource[] {
  return resources.filter(({ type = "" }) => blueprintTypes.has(type));
}

/** The blueprint that a `resourceName` names, `NAME[,key=value...]` (docs/reference/components.md#selecting-resources); undefined if there is none. */
export function findBlueprintResource(component: ComponentDescriptor, resourceName: string): Resource | undefined {
  return selectElement(blueprintResources(component), parseIdentity(resourceName) ?? { name: resourceName });
}

/** The `resourceName` of a resource: its name, unless that names another blueprint of the component. */
export function nameOfBlueprint(component: ComponentDescriptor, resource: Resource): string {
  const blueprints = blueprintResources(component);
  const isNamed = !blueprints.includes(resource) || findBlueprintResource(component, resource.name) === resource;
  return isNamed ? resource.name : identityText(resource, blueprints);
}
