import { request } from "node:https";
import type { TestCluster } from "../clusters/test-cluster.ts";

export interface RawAnswer {
  readonly status: number;
  readonly body: unknown;
  /** Headers `Warning`, as the API server sends them. */
  readonly warnings: readonly string[];
}

/** One request without our client between us and the API server: the client masks values in messages. */
export async function rawRequest(
  { url, ca, token }: TestCluster,
  method: "POST" | "PUT",
  [path, body]: readonly [path: string, body: unknown],
): Promise<RawAnswer> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", accept: "application/json" };
  return new Promise((resolve, reject) => {
    const call = request(`${url}${path}`, { method, headers, agent: false, ...(ca === undefined ? {} : { ca }) });
    call.on("error", reject);
    call.once("response", (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.once("error", reject);
      response.once("end", () => {
        const { statusCode: status = 0, headersDistinct } = response;
        resolve({ status, body: JSON.parse(text) as unknown, warnings: headersDistinct["warning"] ?? [] });
      });
    });
    call.end(JSON.stringify(body));
  });
}
