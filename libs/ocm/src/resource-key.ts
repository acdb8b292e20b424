import { fromYaml, toYaml, YamlError } from "@landscaper/goyaml";
import { uniqueIdentity, type Identity } from "./identity.ts";
import { ocmError } from "./ocm-error.ts";
import type { FoundResource } from "./resource-reference.ts";

/** A resource of a component version, as deployers are told of it. */
export interface ResourceKey {
  readonly component: { readonly name: string; readonly version: string };
  /** Name, extra identity, and the version where these are not unique. */
  readonly resource: Identity;
}

/** The text of a key: base64 of YAML (spiff.md §3.9). */
export function formatResourceKey({ component, resource }: FoundResource): string {
  const { name, version, resources } = component;
  const key = { component: { name, version }, resource: uniqueIdentity(resource, resources) };
  return Buffer.from(toYaml(key), "utf8").toString("base64");
}

/** The reverse. Throws LandscaperError that names the field of the key. */
export function parseResourceKey(text: string): ResourceKey {
  const value = readYaml(decode(text));
  const { component, resource } = mapOf(value, "the key");
  const { name, version } = mapOf(component, "component");
  const identity = mapOf(resource, "resource");
  textOf(identity["name"], "resource.name");
  return {
    component: { name: textOf(name, "component.name"), version: textOf(version, "component.version") },
    resource: Object.fromEntries(
      Object.entries(identity).map(([attribute, text]) => [attribute, textOf(text, `resource.${attribute}`)]),
    ),
  };
}

const expected = "expected base64 of YAML with component and resource, as getResourceKey makes it";

function decode(text: string): string {
  const compact = text.replace(/\s+/g, "");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) throw ocmError(`${expected}, found no base64`);
  return Buffer.from(compact, "base64").toString("utf8");
}

function readYaml(text: string): unknown {
  try {
    return fromYaml(text);
  } catch (error) {
    if (error instanceof YamlError) throw ocmError(`${expected}, found base64 of something else`);
    throw error;
  }
}

function mapOf(value: unknown, field: string): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw ocmError(`${field}: expected a map, found ${wordOf(value)}`);
  }
  return value as Readonly<Record<string, unknown>>;
}

function textOf(value: unknown, field: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw ocmError(`${field}: expected a text, found ${value === "" ? "an empty one" : wordOf(value)}`);
}

function wordOf(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}
