import { suggestName } from "@landscaper/api";
import { fromYaml, YamlError } from "@landscaper/goyaml";
import { componentText, type ComponentDescriptor } from "./component-descriptor.ts";
import type { Reference, Resource } from "./descriptor-schemas.ts";
import { parseIdentity, selectElement, type Identity } from "./identity.ts";
import { ocmError } from "./ocm-error.ts";

/** Names a resource, seen from a component. */
export interface ResourceReference {
  readonly resource: Identity;
  /** Component references on the way there. */
  readonly path: readonly Identity[];
}

/** Longest cd:// reference (core.md §3.8). */
const maxReferenceLength = 2083;

/** `cd://(componentReferences/NAME[,key=value...]/)*resources/NAME[,key=value...]`, or YAML `{resource: {name}, referencePath: [{name}]}`. Throws LandscaperError. */
export function parseResourceReference(text: string): ResourceReference {
  const uri = /^cd:\/\/(.*)$/s.exec(text)?.[1];
  return uri === undefined ? parseYamlReference(text) : parseUri(uri);
}

function parseUri(uri: string): ResourceReference {
  const segments = uri.split("/");
  const path: Identity[] = [];
  while (segments[0] === "componentReferences" && segments.length > 2)
    path.push(parseSegment(segments.splice(0, 2)[1] ?? ""));
  const [keyword, name = ""] = segments;
  if (keyword !== "resources" || segments.length !== 2 || name === "" || uri.length > maxReferenceLength)
    throw invalidUri();
  return { resource: parseSegment(name), path };
}

function parseSegment(text: string): Identity {
  const identity = parseIdentity(text);
  if (identity === undefined) throw invalidUri();
  return identity;
}

function invalidUri(): Error {
  return ocmError(
    "expected cd://resources/NAME[,key=value], with componentReferences/NAME[,key=value]/ before it for each reference",
  );
}

function parseYamlReference(text: string): ResourceReference {
  const value = readYaml(text);
  if (!isMap(value)) throw ocmError(`expected cd://... or a map with resource, found ${wordOf(value)}`);
  const { resource, referencePath = [] } = value;
  if (!isSelector(resource)) throw ocmError("resource: expected a map of texts with a name");
  if (!Array.isArray(referencePath) || !referencePath.every(isSelector)) {
    throw ocmError("referencePath: expected a list of maps of texts with a name");
  }
  return { resource, path: referencePath };
}

function readYaml(text: string): unknown {
  try {
    return fromYaml(text);
  } catch (error) {
    if (error instanceof YamlError) throw ocmError("expected cd://... or YAML, found a text that is neither");
    throw error;
  }
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSelector(value: unknown): value is Identity {
  return isMap(value) && "name" in value && Object.values(value).every((item) => typeof item === "string");
}

/** The value is no map. */
function wordOf(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}

/** A resource and the component that has it. */
export interface FoundResource {
  readonly component: ComponentDescriptor;
  readonly resource: Resource;
}

/** The component version behind the name and version that a reference has; undefined when it is not known. */
export type ComponentLookup = (
  component: Pick<ComponentDescriptor, "name" | "version">,
) => ComponentDescriptor | undefined;

/** Looks component versions up in a list. */
export function lookupIn(components: readonly ComponentDescriptor[]): ComponentLookup {
  return ({ name, version }) => components.find((one) => one.name === name && one.version === version);
}

/** Follows a reference from a component through those that are known. Throws LandscaperError. */
export function findResource(
  { resource, path }: ResourceReference,
  root: ComponentDescriptor,
  lookup: ComponentLookup,
): FoundResource {
  const component = path.reduce((from, selector) => findReferenced(from, selector, lookup), root);
  const found = selectElement(component.resources, resource);
  if (found === undefined) throw notFound("resource", resource, component);
  return { component, resource: found };
}

/** The component behind the first reference that has the attributes. Throws LandscaperError. */
export function findReferenced(
  from: ComponentDescriptor,
  selector: Identity,
  lookup: ComponentLookup,
): ComponentDescriptor {
  const { componentName: name, version } = selectReference(from, selector);
  const found = lookup({ name, version });
  if (found !== undefined) return found;
  throw ocmError(`component ${componentText({ name, version })} is not available here`);
}

/** The first reference of a component that has the attributes. Throws LandscaperError. */
export function selectReference(from: ComponentDescriptor, selector: Identity): Reference {
  const reference = selectElement(from.references, selector);
  if (reference === undefined) throw notFound("component reference", selector, from);
  return reference;
}

/** Nothing fits the selector. Values that were looked for may come from imports: the message names only their keys. */
export function notFound(what: string, selector: Identity, component: ComponentDescriptor) {
  const elements = what === "resource" ? component.resources : component.references;
  const names = elements.map((element) => element.name);
  const { name = "" } = selector;
  const meant = names.includes(name) ? "" : suggestName(name, names);
  return ocmError(
    `no ${what} of ${componentText(component)} has the given ${Object.keys(selector).join(", ")}${meant}`,
  );
}
