import type { LocalCluster } from "@landscaper/local-cluster";
import type { Reply, Server } from "./send-request.ts";
import { sendRequest } from "./send-request.ts";
import { waitFor } from "../wait-for.ts";

/** Short forms of requests as the cluster's admin, for tests. */
export interface TestApi {
  readonly server: Server;
  get(path: string, accept?: string): Promise<Reply>;
  post(path: string, body: unknown): Promise<Reply>;
  put(path: string, body: unknown): Promise<Reply>;
  /** A JSON merge patch when no other content type is given. */
  patch(path: string, body: unknown, contentType?: string): Promise<Reply>;
  delete(path: string, body?: unknown): Promise<Reply>;
  /** Repeats a GET until `check` likes the answer; throws after ten seconds. */
  until(path: string, check: (reply: Reply) => boolean | Promise<boolean>): Promise<Reply>;
}

export function createTestApi(cluster: Pick<LocalCluster, "url" | "caPem" | "adminToken">): TestApi {
  return createTestApiFor({ url: cluster.url, caPem: cluster.caPem, token: cluster.adminToken });
}

export function createTestApiFor(server: Server): TestApi {
  const get = (path: string, accept?: string): Promise<Reply> => sendRequest(server, { method: "GET", path, accept });
  return {
    server,
    get,
    post: (path, body) => sendRequest(server, { method: "POST", path, body }),
    put: (path, body) => sendRequest(server, { method: "PUT", path, body }),
    patch: (path, body, contentType = "application/merge-patch+json") =>
      sendRequest(server, { method: "PATCH", path, body, contentType }),
    delete: (path, body) => sendRequest(server, { method: "DELETE", path, body }),
    until: (path, check) =>
      waitFor(async () => {
        const reply = await get(path);
        if (await check(reply)) return reply;
        throw new Error(`GET ${path}: expected another answer, found ${reply.code} ${JSON.stringify(reply.body)}`);
      }),
  };
}
