import { LandscaperError } from "@landscaper/api";
import { FunctionError } from "@landscaper/golang";
import {
  findReferenced,
  findResource,
  formatDescriptor,
  formatResourceKey,
  notFound,
  parseDescriptor,
  parseResourceReference,
  selectElement,
  selectElements,
  type ComponentDescriptor,
  type ComponentLookup,
  type FoundResource,
  type Identity,
  type Resource,
} from "@landscaper/ocm";
import type { BlueprintComponent } from "../blueprint-component.ts";
import type { HostFunction, ResourceContent, TemplateHost } from "../template-host.ts";
import { checkArgument, checkArguments } from "./check-arguments.ts";

export type ComponentFunctionName =
  | "getResource"
  | "getResources"
  | "getComponent"
  | "getRepositoryContext"
  | "getResourceKey"
  | "getResourceContent";

/** Template functions that look into component descriptors (core.md §3.7, ocm.md §12). They throw FunctionError. */
export function componentFunctions(
  component: BlueprintComponent | undefined,
  host: TemplateHost | undefined,
): Readonly<Record<ComponentFunctionName, HostFunction>> {
  const functions: Readonly<Record<ComponentFunctionName, HostFunction>> = {
    getResource: (...args) => {
      const { descriptor, selector } = readSelection(args, component);
      const found = selectElement(descriptor.resources, selector);
      if (found === undefined) throw notFound("resource", selector, descriptor);
      return found;
    },
    getResources: (...args) => selectResources(args, component),
    getComponent: (...args) => {
      const { descriptor, selector } = readSelection(args, component);
      const found = findReferenced(descriptor, selector, component?.lookup ?? nowhere);
      return formatDescriptor(found, component?.schemaVersion ?? found.schemaVersion);
    },
    getRepositoryContext: (...args) => {
      if (args.length > 1) throw new FunctionError(`expected at most 1 argument (map), found ${args.length}`);
      const descriptor = args.length === 0 ? ownDescriptor(component) : givenDescriptor(args[0]);
      const found = descriptor.repositoryContexts.at(-1);
      if (found === undefined) throw new FunctionError("the component descriptor has no repository context");
      return found;
    },
    getResourceKey: (...args) => {
      checkArguments(args, ["string"]);
      return formatResourceKey(findOwnResource(String(args[0]), component));
    },
    getResourceContent: (...args) => {
      checkArguments(args, ["string"]);
      if (host?.readContent === undefined) {
        throw new FunctionError("this function needs the repository of a component, and there is none here");
      }
      return contentText(host.readContent(findOwnResource(String(args[0]), component)));
    },
  };
  const entries = Object.entries(functions).map(([name, call]) => [name, asTemplateFunction(call)]);
  return Object.fromEntries(entries) as typeof functions; // the same names
}

/** Content without a text form is given as base64 (core.md §3.7). */
function contentText({ bytes, mediaType }: ResourceContent): string {
  return Buffer.from(bytes).toString(mediaType === "application/octet-stream" ? "base64" : "utf8");
}

/** The resource that a reference names, seen from the blueprint's component. Throws FunctionError and LandscaperError. */
function findOwnResource(reference: string, component: BlueprintComponent | undefined): FoundResource {
  const root = ownDescriptor(component);
  return findResource(parseResourceReference(reference), root, component?.lookup ?? nowhere);
}

/** Without a component of the blueprint there are no others. */
const nowhere: ComponentLookup = () => undefined;

/** Mistakes in descriptors and references are mistakes of the call. Without the cause: what it quotes could not be masked. */
function asTemplateFunction(call: HostFunction): HostFunction {
  return (...args) => {
    try {
      return call(...args);
    } catch (error) {
      if (error instanceof LandscaperError) throw new FunctionError(error.message);
      throw error;
    }
  };
}

function selectResources(args: readonly unknown[], component: BlueprintComponent | undefined): readonly Resource[] {
  const { descriptor, selector } = readSelection(args, component);
  const found = selectElements(descriptor.resources, selector);
  if (found.length === 0) throw notFound("resource", selector, descriptor);
  return found;
}

/** `[cd,] key, value, ...`: without a descriptor that of the blueprint is meant. */
function readSelection(
  args: readonly unknown[],
  component: BlueprintComponent | undefined,
): { readonly descriptor: ComponentDescriptor; readonly selector: Identity } {
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
  return { descriptor: hasDescriptor ? givenDescriptor(args[0]) : ownDescriptor(component), selector };
}

function ownDescriptor(component: BlueprintComponent | undefined): ComponentDescriptor {
  if (component === undefined) throw new FunctionError("there is no component descriptor here");
  return component.descriptor;
}

function givenDescriptor(value: unknown): ComponentDescriptor {
  if (value === null || value === undefined) throw new FunctionError("there is no component descriptor here");
  checkArgument(value, "map", 0);
  return parseDescriptor(value, "argument 1");
}
