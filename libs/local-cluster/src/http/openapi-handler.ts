import { createHash } from "node:crypto";
import { openApiDocument } from "../openapi/openapi-document.ts";
import type { ResourceDefinition } from "../resources/resource-definition.ts";
import { groupVersionOf } from "../resources/resource-definition.ts";
import type { ResourceRegistry } from "../resources/resource-registry.ts";
import type { Answer } from "./answer.ts";
import { jsonAnswer } from "./answer.ts";

interface Document {
  readonly json: string;
  readonly hash: string;
}

/** Serves /openapi/v3; documents are made when they are first asked for. */
export class OpenApiHandler {
  readonly #resources: ResourceRegistry;
  #version = -1;
  #definitions = new Map<string, ResourceDefinition[]>();
  readonly #documents = new Map<string, Document>();

  constructor(resources: ResourceRegistry) {
    this.#resources = resources;
  }

  /** Undefined for paths that are not of its kind. */
  handle(path: string): Answer | undefined {
    if (path === "/openapi/v3" || path === "/openapi/v3/") return this.#index();
    if (!path.startsWith("/openapi/v3/")) return undefined;
    this.#refresh();
    const document = this.#document(path.slice("/openapi/v3/".length));
    return document === undefined ? undefined : { code: 200, body: document.json };
  }

  #index(): Answer {
    this.#refresh();
    const paths = [...this.#definitions.keys()].map((key) => {
      const hash = this.#document(key)?.hash ?? "";
      return [key, { serverRelativeURL: `/openapi/v3/${key}?hash=${hash}` }] as const;
    });
    return jsonAnswer({ paths: Object.fromEntries(paths) });
  }

  #refresh(): void {
    if (this.#version === this.#resources.version) return;
    this.#version = this.#resources.version;
    this.#definitions = new Map();
    this.#documents.clear();
    for (const definition of this.#resources.all()) {
      const prefix = definition.group === "" ? "api" : "apis";
      const key = `${prefix}/${groupVersionOf(definition)}`;
      this.#definitions.set(key, [...(this.#definitions.get(key) ?? []), definition]);
    }
  }

  #document(key: string): Document | undefined {
    const known = this.#documents.get(key);
    if (known !== undefined) return known;
    const definitions = this.#definitions.get(key);
    if (definitions === undefined) return undefined;
    const json = JSON.stringify(openApiDocument(definitions));
    const document = { json, hash: createHash("sha256").update(json).digest("hex").toUpperCase() };
    this.#documents.set(key, document);
    return document;
  }
}
