import { request as httpsRequest } from "node:https";
import type { IncomingMessage } from "node:http";
import { parseJson } from "@landscaper/json";
import { isRecord, stringAt } from "../../objects/json.ts";
import type { Webhook } from "./parse-webhooks.ts";
import type { WebhookAnswer } from "./read-review.ts";
import { readReview } from "./read-review.ts";

/** The real server reads larger answers. An object of the largest size fits into a patch of this one. */
const maxAnswerBytes = 3 * 1024 * 1024;
const loopback: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Sends an AdmissionReview of admission.k8s.io/v1. Never rejects. */
export async function callWebhook(
  webhook: Webhook,
  request: Readonly<Record<string, unknown>>,
): Promise<WebhookAnswer> {
  if (webhook.url === "") {
    return {
      problem: `failed to call webhook: this API server has no network of Services. Replace service ${webhook.service} in clientConfig by a url on loopback`,
    };
  }
  const url = new URL(webhook.url);
  if (!loopback.has(url.hostname)) {
    return {
      problem: `failed to call webhook: this API server calls webhooks on loopback only, and not on ${url.hostname}. Use a url with 127.0.0.1`,
    };
  }
  url.searchParams.set("timeout", `${Math.ceil(webhook.timeoutMs / 1000)}s`);
  try {
    const text = await post(webhook, url, { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request });
    return readReview(text, { kind: webhook.kind, uid: request["uid"] });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { problem: `failed to call webhook: ${reason}` };
  }
}

/** An answer that cannot be used; the message is that of the real server. */
class AnswerError extends Error {}

/** Rejects for an answer without success, one that is empty or too large, and after the timeout of the webhook. */
function post({ caPem, timeoutMs }: Webhook, url: URL, review: unknown): Promise<string> {
  return new Promise((resolve, reject) => {
    const body = Buffer.from(JSON.stringify(review));
    const headers = { "Content-Type": "application/json", Accept: "application/json", "Content-Length": body.length };
    const signal = AbortSignal.timeout(Math.ceil(timeoutMs));
    let isAnswered = false;
    const fail = (error: Error): void => {
      if (error instanceof AnswerError) {
        reject(error);
        return;
      }
      const cause = causeOf(error, { isTimeout: signal.aborted, isAnswered });
      const text = isAnswered
        ? `unexpected error when reading response body. Please retry. Original error: ${cause}`
        : `Post ${JSON.stringify(url.href)}: ${cause}`;
      reject(new AnswerError(text));
    };
    const sent = httpsRequest(
      url,
      { method: "POST", agent: false, headers, signal, ...(caPem === "" ? {} : { ca: caPem }) },
      (response) => {
        isAnswered = true;
        const chunks: Buffer[] = [];
        let size = 0;
        response.on("data", (chunk: Buffer) => {
          size += chunk.length;
          if (size <= maxAnswerBytes) chunks.push(chunk);
          else sent.destroy(new AnswerError(`the response body has more than ${maxAnswerBytes} bytes`));
        });
        response.on("error", fail);
        response.on("end", () => {
          try {
            resolve(textOf(response, Buffer.concat(chunks).toString()));
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        });
      },
    );
    sent.on("error", fail);
    sent.end(body);
  });
}

/** As Go words it. */
function causeOf(
  error: Error,
  { isTimeout, isAnswered }: Readonly<Record<"isTimeout" | "isAnswered", boolean>>,
): string {
  if (isTimeout) return "context deadline exceeded";
  const isEnd = "code" in error && error.code === "ECONNRESET";
  if (isEnd) return isAnswered ? "unexpected EOF" : "EOF";
  return error.message;
}

/** Messages of the real server for status codes of HTTP. */
const codeMessages: Readonly<Record<number, string>> = {
  400: "the server rejected our request for an unknown reason",
  401: "the server has asked for the client to provide credentials",
  403: "unknown",
  404: "the server could not find the requested resource",
  409: "the server reported a conflict",
  415: "unknown",
  422: "the server rejected our request due to an error in our request",
  429: "the server has received too many requests and has asked us to try again later",
  503: "the server is currently unable to handle the request",
  504: "the server was unable to return a response in the time allotted, but may still be processing the request",
};

/** Returns the body of a successful answer. Throws AnswerError for others. */
function textOf({ statusCode: code = 0, headers }: IncomingMessage, text: string): string {
  if (code >= 200 && code < 300) {
    if (text !== "") return text;
    const type = headers["content-type"] ?? "";
    throw new AnswerError(`0-length response with status code: ${code} and content type: ${type}`);
  }
  if (code > 300 && code < 400)
    throw new AnswerError(`the server answered with a redirect (${code}), which this API server does not follow`);
  throw new AnswerError(statusMessageOf(text) ?? codeMessages[code] ?? otherMessage(code));
}

function otherMessage(code: number): string {
  return code >= 500
    ? 'an error on the server ("unknown") has prevented the request from succeeding'
    : `the server responded with the status code ${code} but did not return more information`;
}

/** The message of a Status of the Kubernetes API. */
function statusMessageOf(text: string): string | undefined {
  try {
    const status: unknown = parseJson(text);
    if (!isRecord(status) || status["kind"] !== "Status") return undefined;
    return stringAt(status, "message") || undefined;
  } catch {
    return undefined;
  }
}
