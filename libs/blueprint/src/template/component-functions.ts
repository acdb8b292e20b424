import { FunctionError } from "@landscaper/golang";
import { fromYaml, toYaml, YamlError } from "@landscaper/goyaml";
import { describeType, isRecord } from "../describe-value.ts";
import type { HostFunction } from "../template-host.ts";
import { checkArgument, checkArguments } from "./check-arguments.ts";
import {
  hasAll,
  readDescriptor,
  referencedComponent,
  selectableIdentity,
  uniqueIdentity,
  type Descriptor,
  type Element,
} from "./component-descriptor.ts";

/** The bindings `cd` and `components` of a template. */
export interface ComponentBindings {
  /** The component that owns the blueprint; absent for an inline blueprint without one. */
  readonly cd: unknown;
  /** All referenced descriptors: `{meta, components}` of schema v2, or a list. */
  readonly components: unknown;
}

type Selector = Readonly<Record<string, string>>;

export type ComponentFunctionName =
  | "getResource"
  | "getResources"
  | "getComponent"
  | "getRepositoryContext"
  | "getResourceKey";

/** Template functions that look into component descriptors (core.md §3.7, ocm.md §12). They throw FunctionError. */
export function componentFunctions(bindings: ComponentBindings): Readonly<Record<ComponentFunctionName, HostFunction>> {
  return {
    getResource: (...args) => selectResources(args, bindings)[0],
    getResources: (...args) => selectResources(args, bindings),
    getComponent: (...args) => {
      const { descriptor, selector } = readSelection(args, bindings);
      const found = descriptor.references.find((reference) => hasAll(selectableIdentity(reference), selector));
      if (found === undefined) throw notFound("component reference", selector, descriptor);
      return findComponent(found, bindings);
    },
    getRepositoryContext: (...args) => {
      if (args.length > 1) throw new FunctionError(`expected at most 1 argument (map), found ${args.length}`);
      const found = readDescriptor(args.length === 0 ? bindings.cd : args[0]).repositoryContexts.at(-1);
      if (found === undefined) throw new FunctionError("the component descriptor has no repository context");
      return found;
    },
    getResourceKey: (...args) => {
      checkArguments(args, ["string"]);
      return resourceKey(parseResourceReference(String(args[0])), bindings);
    },
  };
}

function selectResources(args: readonly unknown[], bindings: ComponentBindings): readonly Element[] {
  const { descriptor, selector } = readSelection(args, bindings);
  const found = descriptor.resources.filter((resource) => hasAll(selectableIdentity(resource), selector));
  if (found.length === 0) throw notFound("resource", selector, descriptor);
  return found;
}

/** `[cd,] key, value, ...`: without a descriptor that of the blueprint is meant. */
function readSelection(
  args: readonly unknown[],
  bindings: ComponentBindings,
): { readonly descriptor: Descriptor; readonly selector: Selector } {
  const hasDescriptor = args.length > 0 && typeof args[0] !== "string";
  const pairs = hasDescriptor ? args.slice(1) : args;
  if (pairs.length === 0) throw new FunctionError("expected at least one pair of key and value, found none");
  if (pairs.length % 2 !== 0) {
    throw new FunctionError(`expected pairs of key and value, found ${pairs.length} arguments for them`);
  }
  const selector: Record<string, string> = {};
  for (let i = 0; i < pairs.length; i += 2) {
    checkArgument(pairs[i], "string", i + (hasDescriptor ? 1 : 0));
    checkArgument(pairs[i + 1], "string", i + (hasDescriptor ? 2 : 1));
    selector[String(pairs[i])] = String(pairs[i + 1]);
  }
  if (hasDescriptor && args[0] !== null && args[0] !== undefined) checkArgument(args[0], "map", 0);
  return { descriptor: readDescriptor(hasDescriptor ? args[0] : bindings.cd), selector };
}

/** Values that were looked for may come from imports: the message names only their keys. */
function notFound(what: string, selector: Selector, { name, version }: Descriptor): FunctionError {
  return new FunctionError(`no ${what} of ${name}:${version} has the given ${Object.keys(selector).join(", ")}`);
}

/** The descriptor that a reference leads to, as it stands in the binding `components`. */
function findComponent(reference: Element, { components }: ComponentBindings): unknown {
  const wanted = referencedComponent(reference);
  const list: unknown = isRecord(components) ? components["components"] : components;
  const found = (Array.isArray(list) ? list : []).find((candidate: unknown) => {
    if (!isRecord(candidate)) return false;
    const { name, version } = readDescriptor(candidate);
    return name === wanted.name && version === wanted.version;
  });
  if (found === undefined) throw new FunctionError(`component ${wanted.name}:${wanted.version} is not available here`);
  return found;
}

interface ResourceReference {
  readonly resource: Selector;
  /** Component references on the way from the blueprint's component. */
  readonly path: readonly Selector[];
}

/** Longest cd:// reference (core.md §3.8). */
const maxReferenceLength = 2083;

/** `cd://(componentReferences/NAME/)*resources/NAME`, or YAML `{resource: {name}, referencePath: [{name}]}`. */
function parseResourceReference(text: string): ResourceReference {
  const uri = /^cd:\/\/(.*)$/s.exec(text)?.[1];
  return uri === undefined ? parseYamlReference(text) : parseUri(uri);
}

function parseUri(uri: string): ResourceReference {
  const segments = uri.split("/");
  const path: Selector[] = [];
  while (segments[0] === "componentReferences" && segments.length > 2)
    path.push({ name: segments.splice(0, 2)[1] ?? "" });
  const [keyword, name = ""] = segments;
  if (keyword !== "resources" || segments.length !== 2 || name === "" || uri.length > maxReferenceLength) {
    throw new FunctionError(
      "expected cd://resources/NAME, with componentReferences/NAME/ before it for each reference",
    );
  }
  return { resource: { name }, path };
}

function parseYamlReference(text: string): ResourceReference {
  const value = readYaml(text);
  if (!isRecord(value))
    throw new FunctionError(`expected cd://... or a map with resource, found ${describeType(value)}`);
  const { resource, referencePath = [] } = value;
  if (!isSelector(resource)) throw new FunctionError("resource: expected a map of texts with a name");
  if (!Array.isArray(referencePath) || !referencePath.every(isSelector)) {
    throw new FunctionError("referencePath: expected a list of maps of texts with a name");
  }
  return { resource, path: referencePath };
}

function readYaml(text: string): unknown {
  try {
    return fromYaml(text);
  } catch (error) {
    if (error instanceof YamlError) throw new FunctionError("expected cd://... or YAML, found a text that is neither");
    throw error;
  }
}

function isSelector(value: unknown): value is Selector {
  return isRecord(value) && "name" in value && Object.values(value).every((item) => typeof item === "string");
}

/** The key by which deployers find a resource again: base64 of YAML (spiff.md §3.9). */
function resourceKey({ resource, path }: ResourceReference, bindings: ComponentBindings): string {
  let descriptor = readDescriptor(bindings.cd);
  for (const selector of path) {
    const reference = descriptor.references.find((candidate) => hasAll(selectableIdentity(candidate), selector));
    if (reference === undefined) throw notFound("component reference", selector, descriptor);
    descriptor = readDescriptor(findComponent(reference, bindings));
  }
  const found = descriptor.resources.find((candidate) => hasAll(selectableIdentity(candidate), resource));
  if (found === undefined) throw notFound("resource", resource, descriptor);
  const { name, version } = descriptor;
  const key = { component: { name, version }, resource: uniqueIdentity(found, descriptor.resources) };
  return Buffer.from(toYaml(key), "utf8").toString("base64");
}
