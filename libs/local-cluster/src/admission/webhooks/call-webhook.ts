import { request as httpsRequest } from "node:https";
import { parseJson } from "@landscaper/json";
import { isRecord, recordAt, stringAt } from "../../objects/json.ts";
import type { Webhook } from "./parse-webhooks.ts";

/** What a webhook answered, or why it gave no usable answer. */
export type WebhookAnswer = { readonly response: Readonly<Record<string, unknown>> } | { readonly problem: string };

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
  try {
    const text = await post(webhook, url, { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request });
    return readReview(text, request["uid"]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { problem: `failed to call webhook: Post ${JSON.stringify(webhook.url)}: ${reason}` };
  }
}

function readReview(text: string, uid: unknown): WebhookAnswer {
  const review = parseJson(text);
  const version = `${stringAt(review, "apiVersion")}/${stringAt(review, "kind")}`;
  if (version !== "admission.k8s.io/v1/AdmissionReview") {
    return {
      problem: `received invalid webhook response: expected admission.k8s.io/v1, Kind=AdmissionReview, got ${version}`,
    };
  }
  const response = recordAt(review, "response");
  if (response["uid"] !== uid) {
    return {
      problem: `received invalid webhook response: expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response["uid"] ?? "")}`,
    };
  }
  return isRecord(response) ? { response } : { problem: "webhook response was absent" };
}

/** Rejects for an answer other than 200, one that is too large, and after the timeout of the webhook. */
function post({ caPem, timeoutMs }: Webhook, url: URL, review: unknown): Promise<string> {
  return new Promise((resolve, reject) => {
    const body = Buffer.from(JSON.stringify(review));
    const headers = { "Content-Type": "application/json", Accept: "application/json", "Content-Length": body.length };
    const signal = AbortSignal.timeout(timeoutMs);
    const sent = httpsRequest(
      url,
      { method: "POST", agent: false, headers, signal, ...(caPem === "" ? {} : { ca: caPem }) },
      (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on("data", (chunk: Buffer) => {
          size += chunk.length;
          if (size > maxAnswerBytes) sent.destroy(new Error(`the answer has more than ${maxAnswerBytes} bytes`));
          else chunks.push(chunk);
        });
        response.on("error", reject);
        response.on("end", () => {
          const code = response.statusCode ?? 0;
          if (code === 200) resolve(Buffer.concat(chunks).toString());
          else reject(new Error(`the server answered with status ${code}`));
        });
      },
    );
    sent.on("error", (error) => reject(signal.aborted ? new Error("context deadline exceeded") : error));
    sent.end(body);
  });
}
