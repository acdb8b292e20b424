import { request as httpsRequest } from "node:https";
import { bareHost, describeTlsFailure, type TlsFields } from "@landscaper/egress";
import { AnswerError, bodyOf, type HttpAnswer } from "./answer-body.ts";
import type { Webhook } from "./parse-webhooks.ts";
import type { WebhookAnswer } from "./read-review.ts";
import { readReview } from "./read-review.ts";

/** Bound for memory; the real server reads larger answers. An answer of this size can patch an object of the maximum size. */
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
    const review = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request };
    return readReview(bodyOf(await post(webhook, url, review)), { kind: webhook.kind, uid: request["uid"] });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { problem: `failed to call webhook: ${reason}` };
  }
}

/** Posts a review. Rejects with AnswerError if the connection fails, for a body that is too large, and after the webhook's timeout. */
function post({ caPem, timeoutMs }: Webhook, url: URL, review: unknown): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const body = Buffer.from(JSON.stringify(review));
    const requestHeaders = {
      "Content-Type": "application/json",
      Accept: "application/json",
      "Content-Length": body.length,
    };
    const signal = AbortSignal.timeout(Math.ceil(timeoutMs));
    let isAnswered = false;
    const fail = (error: Error): void => {
      if (error instanceof AnswerError) {
        reject(error);
        return;
      }
      const cause =
        describeTlsFailure(error, tlsFieldsOf(url, caPem)) ?? causeOf(error, { isTimeout: signal.aborted, isAnswered });
      const text = isAnswered
        ? `unexpected error when reading response body. Please retry. Original error: ${cause}`
        : `Post ${JSON.stringify(url.href)}: ${cause}`;
      reject(new AnswerError(text));
    };
    const sent = httpsRequest(
      url,
      { method: "POST", agent: false, headers: requestHeaders, signal, ...(caPem === "" ? {} : { ca: caPem }) },
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
          const { statusCode: code = 0, headers } = response;
          resolve({ code, contentType: headers["content-type"] ?? "", text: Buffer.concat(chunks).toString() });
        });
      },
    );
    sent.on("error", fail);
    sent.end(body);
  });
}

/** The field `clientConfig`, as messages on TLS name it. */
function tlsFieldsOf(url: URL, caPem: string): TlsFields {
  return {
    authority: "clientConfig.caBundle of the webhook",
    hasAuthority: caPem !== "",
    name: bareHost(url.hostname),
    nameField:
      "clientConfig.url of the webhook, or issue a certificate with this name as subject alternative name (SAN)",
    clientCertificate: "the webhook's server so that it accepts requests without one",
  };
}

/** Describes a failure of the connection in Go's words. */
function causeOf(
  error: Error,
  { isTimeout, isAnswered }: Readonly<Record<"isTimeout" | "isAnswered", boolean>>,
): string {
  if (isTimeout) return "context deadline exceeded";
  const isEnd = "code" in error && error.code === "ECONNRESET";
  if (isEnd) return isAnswered ? "unexpected EOF" : "EOF";
  return error.message;
}
