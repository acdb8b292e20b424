import { createHash } from "node:crypto";
import { encodeOpenApi } from "../openapi/encode-openapi.ts";
import { openApiDocument, openApiV2Document } from "../openapi/openapi-document.ts";
import type { ResourceDefinition } from "../resources/resource-definition.ts";
import { groupVersionOf } from "../resources/resource-definition.ts";
import type { ResourceRegistry } from "../resources/resource-registry.ts";
import type { Answer } from "./answer.ts";
import type { ApiRequest } from "./api-request.ts";
import { jsonAnswer } from "./answer.ts";

interface Document {
  readonly json: string;
  readonly hash: string;
}

const protobuf = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

/** Serves /openapi/v2 and /openapi/v3; documents are made when they are first asked for. */
export class OpenApiHandler {
  readonly #resources: ResourceRegistry;
  #version = -1;
  #definitions = new Map<string, ResourceDefinition[]>();
  readonly #documents = new Map<string, Document>();
  #v2: Readonly<Record<string, unknown>> | undefined;
  #encoded: Buffer | undefined;

  constructor(resources: ResourceRegistry) {
    this.#resources = resources;
  }

  /** Undefined for paths that are not of its kind. */
  handle({ path, accept = "" }: Pick<ApiRequest, "path" | "accept">): Answer | undefined {
    if (path === "/openapi/v2") return this.#second(accept);
    if (path === "/openapi/v3" || path === "/openapi/v3/") return this.#index();
    if (!path.startsWith("/openapi/v3/")) return undefined;
    this.#refresh();
    const document = this.#document(path.slice("/openapi/v3/".length));
    return document === undefined ? undefined : { code: 200, body: document.json };
  }

  /** JSON, or protobuf for clients that name it first; kubectl writes "@" where the answer has ".". */
  #second(accept: string): Answer {
    this.#refresh();
    this.#v2 ??= openApiV2Document(this.#resources.all());
    if (!accept.replace("@", ".").startsWith(protobuf)) return jsonAnswer(this.#v2);
    this.#encoded ??= encodeOpenApi(this.#v2);
    return { code: 200, body: this.#encoded, contentType: protobuf };
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
    this.#v2 = undefined;
    this.#encoded = undefined;
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
