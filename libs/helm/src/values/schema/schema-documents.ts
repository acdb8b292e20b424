import { type GoMap, type Value, isMap } from "@landscaper/golang";
import { metaSchema } from "./meta-schemas.ts";

/** Which draft of JSON schema a document is written in. */
export type Draft = 4 | 6 | 7 | 2019 | 2020;

/** A document, or a part of one with an identity of its own. */
export interface Resource {
  /** Without fragment. */
  readonly url: string;
  readonly root: Value;
  readonly draft: Draft;
}

/** A schema at its place. */
export interface PlacedSchema {
  readonly schema: Value;
  readonly resource: Resource;
}

/** A schema that cannot be used; in the words of the library that Helm uses, where it has some. */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
}

const draftUrls: ReadonlyMap<string, Draft> = new Map([
  ["json-schema.org/draft-04/schema", 4],
  ["json-schema.org/draft-06/schema", 6],
  ["json-schema.org/draft-07/schema", 7],
  ["json-schema.org/draft/2019-09/schema", 2019],
  ["json-schema.org/draft/2020-12/schema", 2020],
  ["json-schema.org/schema", 2020],
]);

/** The draft that a `$schema` names; undefined when it is not known. */
export function draftOf(address: string): Draft | undefined {
  return draftUrls.get(address.replace(/^https?:\/\//, "").replace(/#$/, ""));
}

/** Values below these keywords are no schemas. */
const dataKeywords = new Set(["enum", "const", "default", "examples"]);

/** The keys of these keywords' values are names. */
const namingKeywords = new Set([
  "properties",
  "patternProperties",
  "definitions",
  "$defs",
  "dependencies",
  "dependentSchemas",
]);

export interface SchemaSources {
  readonly warn?: ((text: string) => void) | undefined;
  /** Gives the document behind an http URL. Throws SchemaError. Default: there is none. */
  readonly load?: ((url: string) => { readonly schema: Value; readonly draft: Draft }) | undefined;
}

/** Schemas by what references to them say. Nothing is loaded but by `load`. */
export class SchemaDocuments {
  readonly #resources = new Map<string, Resource>();
  readonly #resourceOf = new Map<GoMap, Resource>();
  /** By URL with fragment. */
  readonly #anchors = new Map<string, PlacedSchema>();
  readonly #dynamicAnchors = new Map<string, PlacedSchema>();
  readonly #sources: SchemaSources;

  constructor(sources: SchemaSources = {}) {
    this.#sources = sources;
  }

  add(url: string, root: Value, draft: Draft): Resource {
    const resource = { url, root, draft };
    this.#resources.set(url, resource);
    this.#visit(root, resource);
    return isMap(root) ? (this.#resourceOf.get(root) ?? resource) : resource;
  }

  /** The schema that a reference leads to. Throws SchemaError. */
  resolve(reference: string, from: Resource): PlacedSchema {
    const [address = "", fragment = ""] = reference.split("#", 2);
    const url = address === "" ? from.url : resolveUrl(from.url, address);
    const resource = this.#resource(url);
    if (fragment === "") return { schema: resource.root, resource };
    if (fragment.startsWith("/")) return this.#follow(resource, fragment);
    const anchored = this.#anchors.get(`${resource.url}#${fragment}`);
    if (anchored === undefined)
      throw new SchemaError(`no anchor ${JSON.stringify(fragment)} in ${JSON.stringify(`${url}#`)}`);
    return anchored;
  }

  /** The schema of a resource that has a $dynamicAnchor. */
  dynamicAnchor(resource: Resource, name: string): PlacedSchema | undefined {
    return this.#dynamicAnchors.get(`${resource.url}#${name}`);
  }

  #resource(url: string): Resource {
    const known = this.#resources.get(url);
    if (known !== undefined) return known;
    // Helm gives URNs a schema that takes anything.
    if (url.startsWith("urn:")) {
      this.#sources.warn?.(`WARNING: unresolved URN reference ignored; using permissive schema: ${url}`);
      return this.add(url, true, 2020);
    }
    const meta = metaSchema(url);
    if (meta !== undefined) return this.add(url, meta.schema, meta.draft);
    const { load } = this.#sources;
    if (load === undefined || !/^https?:/i.test(url)) throw new SchemaError(loadProblem(url));
    const { schema, draft } = load(url);
    return this.add(url, schema, draft);
  }

  #follow(resource: Resource, pointer: string): PlacedSchema {
    const missing = (): SchemaError => new SchemaError(`json-pointer in "${resource.url}#${pointer}" not found`);
    let schema = resource.root;
    let owner = resource;
    for (const part of decodePointer(pointer)) {
      if (isMap(schema)) {
        owner = this.#resourceOf.get(schema) ?? owner;
        schema = schema.get(part);
      } else schema = Array.isArray(schema) && /^\d+$/.test(part) ? schema[Number(part)] : undefined;
      if (schema === undefined) throw missing();
    }
    return { schema, resource: (isMap(schema) ? this.#resourceOf.get(schema) : undefined) ?? owner };
  }

  #visit(value: Value, resource: Resource): void {
    if (Array.isArray(value)) for (const item of value) this.#visit(item, resource);
    if (!isMap(value)) return;
    const own = this.#identify(value, resource);
    this.#resourceOf.set(value, own);
    for (const [key, item] of value) {
      if (dataKeywords.has(key)) continue;
      if (namingKeywords.has(key) && isMap(item)) for (const named of item.values()) this.#visit(named, own);
      else this.#visit(item, own);
    }
  }

  #identify(schema: GoMap, around: Resource): Resource {
    const { draft } = around;
    const id = schema.get(draft === 4 ? "id" : "$id");
    let resource = around;
    // In older drafts nothing counts beside a reference.
    if (typeof id === "string" && !(draft <= 7 && schema.has("$ref"))) {
      const [address = "", fragment = ""] = id.split("#", 2);
      if (address !== "") {
        resource = { url: resolveUrl(around.url, address), root: schema, draft };
        this.#resources.set(resource.url, resource);
      }
      if (fragment !== "") this.#anchors.set(`${resource.url}#${fragment}`, { schema, resource });
    }
    if (draft <= 7) return resource;
    for (const keyword of ["$anchor", "$dynamicAnchor"]) {
      const anchor = schema.get(keyword);
      if (typeof anchor !== "string") continue;
      this.#anchors.set(`${resource.url}#${anchor}`, { schema, resource });
      if (keyword === "$dynamicAnchor") this.#dynamicAnchors.set(`${resource.url}#${anchor}`, { schema, resource });
    }
    return resource;
  }
}

function decodePointer(pointer: string): string[] {
  let decoded = pointer;
  try {
    decoded = decodeURIComponent(pointer);
  } catch {
    // What is no escape stands for itself.
  }
  return decoded
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function resolveUrl(base: string, address: string): string {
  if (!URL.canParse(address, base)) return address;
  return new URL(address, base).href.replace(/#.*$/, "");
}

/** Why a document is not there. Helm would go and get it. */
export function loadProblem(url: string): string {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase();
  if (scheme === "http" || scheme === "https") {
    return `failing loading "${url}": schemas of other hosts are not loaded; put it into values.schema.json`;
  }
  if (scheme === "file") return `failing loading "${url}": values.schema.json may not refer to other files`;
  return `failing loading "${url}": no URLLoader registered for "${url}"`;
}
