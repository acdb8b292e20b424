import { quoteText } from "@landscaper/api";
import { FunctionError, parseVersion } from "@landscaper/golang";
import type { ComponentDescriptor } from "./component-descriptor.ts";
import type { Element } from "./descriptor-schemas.ts";
import { fieldPaths } from "./field-paths.ts";
import { findDuplicate } from "./identity.ts";
import { ocmError } from "./ocm-error.ts";

/** What no schema says of a descriptor (docs/reference/components.md#descriptors): names, versions, and that elements can be told apart. Throws LandscaperError. */
export function checkDescriptor(descriptor: ComponentDescriptor, where: string): void {
  const paths = fieldPaths[descriptor.schemaVersion];
  const check = (path: string, find: () => string | undefined): void => {
    const problem = find();
    if (problem !== undefined) throw ocmError(`${where}: not a valid component descriptor: ${path}: ${problem}`);
  };
  check(`${paths.component}.name`, () => problemOfName(descriptor.name));
  check(`${paths.component}.version`, () => problemOfVersion(descriptor.version));
  descriptor.references.forEach(({ componentName, version }, i) => {
    check(`${paths.references}[${i}].componentName`, () => problemOfName(componentName));
    check(`${paths.references}[${i}].version`, () => problemOfVersion(version));
  });
  for (const list of ["resources", "sources", "references"] as const) {
    const index = findDuplicate(descriptor[list]);
    if (index >= 0) check(`${paths[list]}[${index}]`, () => problemOfDuplicate(descriptor[list][index]));
  }
}

const domainLabel = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?";
const pathSegment = "[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?";
const componentName = new RegExp(`^${domainLabel}(?:\\.${domainLabel})+(?:/${pathSegment})+$`);

/** Returns undefined for a valid name. */
export function problemOfName(name: string): string | undefined {
  if (componentName.test(name)) return undefined;
  return `expected a component name such as example.com/name, found ${quoteText(name)}`;
}

/** Returns undefined for a valid version. */
export function problemOfVersion(version: string): string | undefined {
  try {
    parseVersion(version);
    return undefined;
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error;
    return `expected a version such as v1.2.3, found ${quoteText(version)}`;
  }
}

function problemOfDuplicate(element: Element | undefined): string {
  const name = quoteText(element?.name ?? "");
  return `expected one element of each identity, found a second one named ${name} of the same version and extra identity`;
}
