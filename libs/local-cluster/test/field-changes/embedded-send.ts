import { StaticTokens } from "../../src/auth/tokens.ts";
import { createApi } from "../../src/cluster/create-api.ts";
import { createSystemClock } from "../../src/cluster/system-clock.ts";
import { parseRequestInfo } from "../../src/http/request-info.ts";
import { StatusError } from "../../src/status/status-error.ts";
import type { SampleReply, Send } from "./run-sample.ts";

/** Sends requests to the embedded server without a transport. Thousands of requests take seconds. */
export function createEmbeddedSend(): { readonly send: Send; stop(): void } {
  const api = createApi({
    clock: createSystemClock(),
    tokens: new StaticTokens(),
    caPem: "",
    authorization: "always-allow",
    onRefusal: undefined,
  });
  const send: Send = async (method, path, body) => {
    const url = new URL(path, "https://localhost");
    try {
      const answer = await api.handle({
        method,
        path: url.pathname,
        query: url.searchParams,
        info: parseRequestInfo(method, url.pathname, url.searchParams),
        user: { name: "admin", groups: ["system:masters"] },
        accept: "application/json",
        userAgent: "field-changes",
        contentType: method === "PATCH" ? "application/merge-patch+json" : "application/json",
        body: Buffer.from(body === undefined ? "" : JSON.stringify(body)),
      });
      if (!("body" in answer)) throw new Error(`${path}: a stream`);
      const { code, body: text } = answer;
      // Most requests are accepted dry runs whose object is never read.
      return {
        code,
        get body(): unknown {
          return JSON.parse(String(text)) as unknown;
        },
      };
    } catch (error) {
      return refused(error);
    }
  };
  return { send, stop: () => api.stop() };
}

function refused(error: unknown): SampleReply {
  if (!(error instanceof StatusError)) throw error;
  return { code: error.status.code ?? 500, body: error.status };
}
