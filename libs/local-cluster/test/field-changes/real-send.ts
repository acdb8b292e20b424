import { Agent, request } from "node:https";
import type { Server } from "@landscaper/testkit";
import { noAnswer } from "./run-sample.ts";
import type { SampleReply, Send } from "./run-sample.ts";

/** Requests to a server on kept connections. A connection that ends without an answer is an answer of its own. */
export function createRealSend({ url, token, caPem }: Server): { readonly send: Send; stop(): void } {
  const agent = new Agent({
    keepAlive: true,
    ...(caPem === undefined ? { rejectUnauthorized: false } : { ca: caPem }),
  });
  const send: Send = (method, path, body) =>
    new Promise<SampleReply>((resolve) => {
      const text = body === undefined ? "" : JSON.stringify(body);
      const headers = {
        Accept: "application/json",
        Authorization: `Bearer ${token}`,
        "Content-Length": Buffer.byteLength(text),
        "Content-Type": method === "PATCH" ? "application/merge-patch+json" : "application/json",
      };
      const sent = request(new URL(path, url), { method, agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", () => resolve({ code: noAnswer, body: undefined }));
        response.on("end", () =>
          resolve({ code: response.statusCode ?? noAnswer, body: parseOr(Buffer.concat(chunks).toString()) }),
        );
      });
      sent.on("error", () => resolve({ code: noAnswer, body: undefined }));
      sent.end(text);
    });
  return { send, stop: () => agent.destroy() };
}

function parseOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
