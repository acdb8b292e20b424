import type { KubeObject, ResourceType } from "@landscaper/api";
import { ConnectionError } from "./api-error.ts";
import type { RequestLine } from "./api-error.ts";
import type { WatchEvent } from "./client-interface.ts";
import type { Clock } from "../controller-interface.ts";
import { parseListItem, parseStatusObject } from "./parse-answer.ts";
import type { SizeLimit } from "../foreign/foreign-servers.ts";
import { answerTooLarge, checkText } from "./read-answer.ts";
import type { ResponseBody } from "./transport.ts";

export interface WatchStreamOptions<T extends KubeObject> {
  readonly type: ResourceType<T>;
  readonly request: RequestLine;
  readonly server: string;
  readonly clock: Clock;
  /** Longest silence (ms): a server that sends bookmarks says something every minute, so more means a dead connection. */
  readonly progressDeadlineMs: number;
  /** Of one event. */
  readonly lineLimit?: SizeLimit | undefined;
}

/** The events of a watch answer, one JSON document per line. Ends when the server ends it; a half line at the end is dropped. */
export async function* readWatchEvents<T extends KubeObject>(
  body: ResponseBody,
  options: WatchStreamOptions<T>,
): AsyncGenerator<WatchEvent<T>, void> {
  const { clock, progressDeadlineMs } = options;
  const decoder = new TextDecoder();
  /** Of a line that has not ended: all together are looked at once. */
  let pending: string[] = [];
  let length = 0;
  let cancelDeadline = (): void => {};
  const armDeadline = (): void => {
    cancelDeadline();
    cancelDeadline = clock.schedule(progressDeadlineMs, () => body.destroy(silence(options)));
  };
  armDeadline();
  try {
    for await (const chunk of body) {
      armDeadline();
      const [first = "", ...others] = decoder.decode(chunk, { stream: true }).split("\n");
      pending.push(first);
      length += first.length;
      for (const next of others) {
        if (length > 0) yield parseWatchEvent(pending.join(""), options);
        pending = [next];
        length = next.length;
      }
      checkLine(length, options);
    }
  } finally {
    cancelDeadline();
    body.destroy();
  }
}

/** Characters are at least as many bytes. */
function checkLine(length: number, { lineLimit, request, server }: WatchStreamOptions<KubeObject>): void {
  if (lineLimit === undefined || length <= lineLimit.bytes) return;
  throw answerTooLarge({ ...lineLimit, place: `${request.method} ${request.path}`, server });
}

function silence(options: WatchStreamOptions<KubeObject>): ConnectionError {
  const problem = `the watch was silent for ${options.progressDeadlineMs / 1000} s`;
  return new ConnectionError(options.request, { server: options.server, problem, maybeSent: true });
}

function parseWatchEvent<T extends KubeObject>(line: string, options: WatchStreamOptions<T>): WatchEvent<T> {
  const { lineLimit, request, server } = options;
  if (lineLimit !== undefined) checkText(line, { place: `${request.method} ${request.path}`, server });
  let event: { type?: unknown; object?: unknown };
  try {
    event = JSON.parse(line);
  } catch {
    // The parser's own message would quote the line.
    throw malformed("a line that is not JSON", options);
  }
  switch (event.type) {
    case "ADDED":
    case "MODIFIED":
    case "DELETED":
    case "BOOKMARK":
      return { type: event.type, object: parseListItem(event.object, options.type) };
    case "ERROR":
      return { type: "ERROR", status: parseStatusObject(event.object) };
    default:
      throw malformed("an event of unknown type", options);
  }
}

function malformed(what: string, options: WatchStreamOptions<KubeObject>): ConnectionError {
  const problem = `the watch stream carried ${what}`;
  return new ConnectionError(options.request, { server: options.server, problem, maybeSent: true });
}
