import { createInterface } from "node:readline";
import type { Server } from "./send-request.ts";
import { openRequest } from "./send-request.ts";

export interface StreamedEvent {
  readonly type: string;
  readonly object: Readonly<Record<string, unknown>>;
}

/** A running watch, read event by event. */
export interface WatchStream {
  /** The next event; undefined when the stream has ended. */
  next(): Promise<StreamedEvent | undefined>;
  /** The next `count` events. */
  take(count: number): Promise<readonly StreamedEvent[]>;
  /** "end" when the server has finished the stream, "cut" when the connection broke. */
  readonly over: Promise<"end" | "cut">;
  close(): void;
}

/** Opens a watch and resolves when the server has begun to answer. */
export function watchStream(server: Server, path: string, accept?: string): Promise<WatchStream> {
  return new Promise((resolve, reject) => {
    const request = openRequest(server, { method: "GET", path, accept }, (response) => {
      const lines = createInterface({ input: response })[Symbol.asyncIterator]();
      const over = new Promise<"end" | "cut">((finish) => {
        response.once("end", () => finish("end"));
        response.once("error", () => finish("cut"));
        response.once("close", () => finish("cut"));
      });
      const next = async (): Promise<StreamedEvent | undefined> => {
        const { value, done } = await lines.next();
        return done === true ? undefined : (JSON.parse(value) as StreamedEvent); // the server's own line
      };
      const take = async (count: number): Promise<readonly StreamedEvent[]> => {
        const events: StreamedEvent[] = [];
        while (events.length < count) {
          const event = await next();
          if (event === undefined) break;
          events.push(event);
        }
        return events;
      };
      resolve({ next, take, over, close: () => request.destroy() });
    });
    request.on("error", reject);
  });
}
