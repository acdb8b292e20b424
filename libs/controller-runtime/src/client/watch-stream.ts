import type { KubeObject, ResourceType } from "@landscaper/api";
import { parseJson } from "@landscaper/json";
import { ownTurn } from "../breather.ts";
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
  /**
   * Silence (ms) after which the connection may be dead, so that the watch ends. It may as well be alive: an API server sends no bookmark for a kind that has had
   * no event since the server started, and only tells of one when etcd does, after ten minutes.
   */
  readonly progressDeadlineMs: number;
  /** Of one event. */
  readonly lineLimit?: SizeLimit | undefined;
}

/** Characters of an event that takes milliseconds to read: others have their turn before. */
const largeLine = 128 * 1024;

/** The events of a watch answer, one JSON document per line. Ends with the answer, or with its silence; a half line at the end is dropped. */
export async function* readWatchEvents<T extends KubeObject>(
  body: ResponseBody,
  options: WatchStreamOptions<T>,
): AsyncGenerator<WatchEvent<T>, void> {
  const { clock, progressDeadlineMs } = options;
  const decoder = new TextDecoder();
  /** Of a line that has not ended: all together are looked at once. */
  let pending: string[] = [];
  let length = 0;
  let isSilent = false;
  let cancelDeadline = (): void => {};
  const armDeadline = (): void => {
    cancelDeadline();
    cancelDeadline = clock.schedule(progressDeadlineMs, () => {
      isSilent = true;
      body.destroy();
    });
  };
  armDeadline();
  try {
    for await (const chunk of body) {
      armDeadline();
      const [first = "", ...others] = decoder.decode(chunk, { stream: true }).split("\n");
      pending.push(first);
      length += first.length;
      for (const next of others) {
        if (length > largeLine) await ownTurn();
        if (length > 0) yield parseWatchEvent(pending.join(""), options);
        pending = [next];
        length = next.length;
      }
      checkLine(length, options);
    }
  } catch (error) {
    // What a destroyed answer fails with. A server that is away is noticed by the next watch.
    if (!isSilent) throw error;
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

function parseWatchEvent<T extends KubeObject>(line: string, options: WatchStreamOptions<T>): WatchEvent<T> {
  const { lineLimit, request, server } = options;
  if (lineLimit !== undefined) checkText(line, { place: `${request.method} ${request.path}`, server });
  let event: { type?: unknown; object?: unknown };
  try {
    event = parseJson(line) as typeof event;
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
