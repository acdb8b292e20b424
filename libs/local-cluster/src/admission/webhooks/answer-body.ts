import { parseJson } from "@landscaper/json";
import { isRecord, stringAt } from "../../objects/json.ts";

/** Unusable answer of a webhook, with the message of the real server. */
export class AnswerError extends Error {}

export interface HttpAnswer {
  readonly code: number;
  readonly contentType: string;
  readonly text: string;
}

/** Messages of the real server for HTTP status codes of webhooks. */
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

/** Returns the body of a successful answer. Throws AnswerError for an empty body, a redirect and an error status. */
export function bodyOf({ code, contentType, text }: HttpAnswer): string {
  if (code >= 200 && code < 300) {
    if (text !== "") return text;
    throw new AnswerError(`0-length response with status code: ${code} and content type: ${contentType}`);
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

/** Returns the message if the body is a Status of the Kubernetes API. */
function statusMessageOf(text: string): string | undefined {
  try {
    const status: unknown = parseJson(text);
    if (!isRecord(status) || status["kind"] !== "Status") return undefined;
    return stringAt(status, "message") || undefined;
  } catch {
    return undefined;
  }
}
