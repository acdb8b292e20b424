import type { KubeObject, ResourceType } from "@landscaper/api";
import { apiVersionOf } from "@landscaper/api";
import { Pool } from "undici";

export interface WriteConnectionOptions {
  readonly url: string;
  readonly ca: string | undefined;
  readonly token: string;
  /** Connections, each with one request in flight. */
  readonly inFlight: number;
}

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  /** Empty for a request without a body. */
  readonly contentType: string;
  readonly body: string;
}

export interface RawAnswer {
  readonly status: number;
  readonly body: string;
}

/** Sends requests with as little code as possible. All methods but `send` throw for a status of 300 or above. */
export interface WriteConnection {
  send(request: RawRequest): Promise<RawAnswer>;
  get<T extends KubeObject>(type: ResourceType<T>, object: T): Promise<T>;
  create<T extends KubeObject>(type: ResourceType<T>, object: T): Promise<T>;
  /** PUT with the resourceVersion that `object` carries. */
  update<T extends KubeObject>(type: ResourceType<T>, object: T, subresource?: "status"): Promise<T>;
  /** Sends a merge patch. */
  patch<T extends KubeObject>(type: ResourceType<T>, object: T, body: object): Promise<T>;
  /** Server-side apply. */
  apply<T extends KubeObject>(type: ResourceType<T>, object: T, fieldManager: string): Promise<T>;
  delete(type: ResourceType, object: KubeObject): Promise<void>;
  close(): Promise<void>;
}

function collectionPath(type: ResourceType, { metadata }: KubeObject): string {
  const root = type.group === "" ? "/api/v1" : `/apis/${apiVersionOf(type)}`;
  const scope = type.namespaced ? `/namespaces/${metadata.namespace ?? ""}` : "";
  return `${root}${scope}/${type.plural}`;
}

const json = "application/json";

export function openWriteConnection({ url, ca, token, inFlight }: WriteConnectionOptions): WriteConnection {
  const pool = new Pool(url, {
    connections: inFlight,
    pipelining: 1,
    ...(ca === undefined ? {} : { connect: { ca } }),
  });
  const common = { authorization: `Bearer ${token}`, accept: json };

  async function send({ method, path, contentType, body }: RawRequest): Promise<RawAnswer> {
    const headers = contentType === "" ? common : { ...common, "content-type": contentType };
    const payload = body === "" ? {} : { body };
    const answer = await pool.request({ method, path, headers, ...payload });
    return { status: answer.statusCode, body: await answer.body.text() };
  }

  async function succeed(method: string, path: string, [contentType, content]: readonly [string, object?] = [""]) {
    const body = content === undefined ? "" : JSON.stringify(content);
    const answer = await send({ method, path, contentType, body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`);
    return JSON.parse(answer.body) as unknown;
  }

  const pathOf = (type: ResourceType, object: KubeObject): string =>
    `${collectionPath(type, object)}/${object.metadata.name ?? ""}`;
  return {
    send,
    get: async (type, object) => (await succeed("GET", pathOf(type, object))) as typeof object, // of the type
    create: async (type, object) =>
      (await succeed("POST", collectionPath(type, object), [json, object])) as typeof object, // its echo
    async update(type, object, subresource) {
      const suffix = subresource === undefined ? "" : `/${subresource}`;
      return (await succeed("PUT", `${pathOf(type, object)}${suffix}`, [json, object])) as typeof object; // its echo
    },
    patch: async (type, object, body) =>
      (await succeed("PATCH", pathOf(type, object), ["application/merge-patch+json", body])) as typeof object, // of the type
    async apply(type, object, fieldManager) {
      const path = `${pathOf(type, object)}?fieldManager=${encodeURIComponent(fieldManager)}&force=true`;
      return (await succeed("PATCH", path, ["application/apply-patch+yaml", object])) as typeof object; // its echo
    },
    async delete(type, object) {
      await succeed("DELETE", pathOf(type, object));
    },
    close: async () => pool.close(),
  };
}
