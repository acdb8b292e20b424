import { sendingOf } from "./call.ts";
import type { StreamRequest } from "./client-interface.ts";
import type { RequestRunner } from "./request-runner.ts";
import type { Transport } from "./transport.ts";

export interface StreamContext {
  readonly runner: RequestRunner;
  readonly transport: Transport;
}

/** The text of an answer as it comes, however long that takes. Throws ApiError, and ConnectionError for a stream that breaks. */
export async function* streamText(
  { runner, transport }: StreamContext,
  { path, ...options }: StreamRequest,
): AsyncGenerator<string, void> {
  const request = { method: "GET", path, accept: "*/*", isWatch: true, ...sendingOf(options) } as const;
  const response = await runner.open({ ...request, verb: "get", resource: "other" });
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    throw transport.failure(request, error);
  } finally {
    response.body.destroy();
  }
}
