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

/** Creates and guarded updates with as little code between us and the socket as one can have. */
export interface WriteConnection {
  create<T extends KubeObject>(type: ResourceType<T>, object: T): Promise<T>;
  /** PUT with the resourceVersion that `object` carries. */
  update<T extends KubeObject>(type: ResourceType<T>, object: T, subresource?: "status"): Promise<T>;
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

const contentTypes = {
  POST: "application/json",
  PUT: "application/json",
  PATCH: "application/apply-patch+yaml",
  DELETE: "application/json",
} as const;

export function openWriteConnection({ url, ca, token, inFlight }: WriteConnectionOptions): WriteConnection {
  const pool = new Pool(url, {
    connections: inFlight,
    pipelining: 1,
    ...(ca === undefined ? {} : { connect: { ca } }),
  });
  const common = { authorization: `Bearer ${token}`, accept: "application/json" };

  async function send(method: keyof typeof contentTypes, path: string, body?: KubeObject): Promise<unknown> {
    const payload = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = { ...common, "content-type": contentTypes[method] };
    const answer = await pool.request({ method, path, headers, ...payload });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`);
    return JSON.parse(text) as unknown;
  }

  return {
    create: async (type, object) => (await send("POST", collectionPath(type, object), object)) as typeof object, // its echo
    async update(type, object, subresource) {
      const suffix = subresource === undefined ? "" : `/${subresource}`;
      const path = `${collectionPath(type, object)}/${object.metadata.name ?? ""}${suffix}`;
      return (await send("PUT", path, object)) as typeof object; // its echo
    },
    async apply(type, object, fieldManager) {
      const query = `fieldManager=${encodeURIComponent(fieldManager)}&force=true`;
      const path = `${collectionPath(type, object)}/${object.metadata.name ?? ""}?${query}`;
      return (await send("PATCH", path, object)) as typeof object; // its echo
    },
    async delete(type, object) {
      await send("DELETE", `${collectionPath(type, object)}/${object.metadata.name ?? ""}`);
    },
    close: async () => pool.close(),
  };
}
