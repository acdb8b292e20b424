import { type GoMap, type Value, isMap } from "@landscaper/golang";
import { metaSchema } from "./meta-schemas.ts";
import { type Draft, isReferenceOnly, partsOf } from "./schema-positions.ts";

/** A document, or a part of one with its own `$id`. */
export interface Resource {
  /** Without fragment. */
  readonly url: string;
  /** URL of the document that contains it. */
  readonly document: string;
  /** JSON pointer from the root of the document. */
  readonly pointer: string;
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

export interface SchemaSources {
  readonly warn?: ((text: string) => void) | undefined;
  /** Returns the document behind an http URL. Throws SchemaError. Default: no document is loaded. */
  readonly load?: ((url: string) => { readonly schema: Value; readonly draft: Draft }) | undefined;
  /** Throws SchemaError for a value that a reference uses as a schema but that is not one. `url` includes the fragment. Default: accepts all. */
  readonly checkPart?: ((schema: Value, place: { readonly draft: Draft; readonly url: string }) => void) | undefined;
}

/** A part of a document that is being registered. */
interface Visit {
  readonly schema: Value;
  /** JSON pointer from the root of the document. */
  readonly pointer: string;
}

/** Schemas by the URLs of references to them. Only `load` loads documents. */
export class SchemaDocuments {
  readonly #resources = new Map<string, Resource>();
  readonly #resourceOf = new Map<GoMap, Resource>();
  /** By URL with fragment. */
  readonly #anchors = new Map<string, PlacedSchema & Visit>();
  readonly #dynamicAnchors = new Map<string, PlacedSchema>();
  readonly #sources: SchemaSources;

  constructor(sources: SchemaSources = {}) {
    this.#sources = sources;
  }

  /** Registers a document with all schemas in it. Throws SchemaError if two of them have the same identity. */
  add(url: string, root: Value, draft: Draft): Resource {
    const resource = { url, document: url, pointer: "", root, draft };
    this.#resources.set(url, resource);
    this.#visit({ schema: root, pointer: "" }, resource);
    return isMap(root) ? (this.#resourceOf.get(root) ?? resource) : resource;
  }

  /** Returns the resource that a schema belongs to; undefined for values that are not registered as schemas. */
  resourceOf(schema: Value): Resource | undefined {
    return isMap(schema) ? this.#resourceOf.get(schema) : undefined;
  }

  /** Whether a reference leads to a document of another host that is not loaded. */
  isRemote(reference: string, from: Resource): boolean {
    const [address = ""] = reference.split("#", 1);
    const url = address === "" ? from.url : resolveUrl(from.url, address);
    return /^https?:/i.test(url) && !this.#resources.has(url) && metaSchema(url) === undefined;
  }

  /** Returns the schema that a reference leads to. Throws SchemaError. */
  resolve(reference: string, from: Resource): PlacedSchema {
    const [address = "", fragment = ""] = reference.split("#", 2);
    const resource = address === "" ? from : this.#resource(resolveUrl(from.url, address));
    if (fragment === "") return { schema: resource.root, resource };
    if (fragment.startsWith("/")) return this.#follow(resource, fragment);
    const name = `${resource.url}#${fragment}`;
    const anchored = this.#anchors.get(name);
    if (anchored !== undefined) return anchored;
    throw new SchemaError(`anchor in ${JSON.stringify(name)} not found in schema ${JSON.stringify(resource.document)}`);
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

  #follow(resource: Resource, fragment: string): PlacedSchema {
    const pointer = `${resource.pointer}${decodeFragment(fragment)}`;
    const url = `${resource.document}#${pointer}`;
    if (/~(?![01])/.test(fragment)) throw new SchemaError(`invalid json-pointer "${url}"`);
    let schema = resource.root;
    let owner = resource;
    for (const part of segmentsOf(decodeFragment(fragment))) {
      if (isMap(schema)) {
        owner = this.#resourceOf.get(schema) ?? owner;
        schema = schema.get(part);
      } else schema = Array.isArray(schema) && /^\d+$/.test(part) ? schema[Number(part)] : undefined;
      if (schema === undefined) throw new SchemaError(`json-pointer in "${url}" not found`);
    }
    if (this.resourceOf(schema) === undefined) {
      this.#sources.checkPart?.(schema, { draft: owner.draft, url });
      this.#visit({ schema, pointer }, owner);
    }
    return { schema, resource: this.resourceOf(schema) ?? owner };
  }

  #visit({ schema, pointer }: Visit, around: Resource): void {
    if (!isMap(schema) || this.#resourceOf.has(schema)) return;
    checkDraft(schema);
    const own = this.#identify({ schema, pointer }, around);
    this.#resourceOf.set(schema, own);
    for (const part of partsOf(schema, own.draft)) {
      this.#visit({ schema: part.schema, pointer: `${pointer}${part.pointer}` }, own);
    }
  }

  #identify({ schema, pointer }: { readonly schema: GoMap; readonly pointer: string }, around: Resource): Resource {
    const { draft, document } = around;
    const id = schema.get(draft === 4 ? "id" : "$id");
    let resource = around;
    if (typeof id === "string" && !isReferenceOnly(schema, draft)) {
      const [address = "", fragment = ""] = id.split("#", 2);
      if (address !== "") {
        resource = { url: resolveUrl(around.url, address), document, pointer, root: schema, draft };
        this.#addResource(resource);
      }
      if (fragment !== "") this.#addAnchor(fragment, { schema, pointer, resource });
    }
    if (draft <= 7) return resource;
    for (const keyword of ["$anchor", "$dynamicAnchor"]) {
      const anchor = schema.get(keyword);
      if (typeof anchor !== "string") continue;
      this.#addAnchor(anchor, { schema, pointer, resource });
      if (keyword === "$dynamicAnchor") this.#dynamicAnchors.set(`${resource.url}#${anchor}`, { schema, resource });
    }
    return resource;
  }

  #addResource(resource: Resource): void {
    const { url, document, pointer } = resource;
    const other = this.#resources.get(url);
    // A document is registered by its URL before its own id is read.
    if (other?.document === document && other.pointer !== pointer) {
      throw new SchemaError(duplicate(`id "${url}"`, document, [pointer, other.pointer]));
    }
    this.#resources.set(url, resource);
  }

  #addAnchor(name: string, anchored: PlacedSchema & Visit): void {
    const { resource, pointer } = anchored;
    const url = `${resource.url}#${name}`;
    const other = this.#anchors.get(url);
    if (other?.resource.document === resource.document && other.schema !== anchored.schema) {
      throw new SchemaError(duplicate(`anchor "${name}"`, resource.document, [other.pointer, pointer]));
    }
    this.#anchors.set(url, anchored);
  }
}

function duplicate(what: string, document: string, [first, second]: readonly [string, string]): string {
  return `duplicate ${what} in "${document}" at "${first}" and "${second}"`;
}

/** Throws SchemaError if a schema names an unknown draft. A known one has no effect: the draft of the document counts, as in Helm. */
function checkDraft(schema: GoMap): void {
  const declared = schema.get("$schema");
  if (typeof declared !== "string" || draftOf(declared) !== undefined) return;
  throw new SchemaError(loadProblem(declared.replace(/#$/, "")));
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    // A text with an invalid escape is not decoded.
    return fragment;
  }
}

function segmentsOf(pointer: string): string[] {
  return pointer
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
