import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { kubeResources, type KubeObject } from "@landscaper/api";
import { createDeferred } from "../deferred.ts";
import { createFakeClock, type FakeClock } from "@landscaper/testkit";
import type { ResponseBody } from "./transport.ts";
import type { WatchEvent } from "./client-interface.ts";
import { readWatchEvents } from "./watch-stream.ts";

let clock: FakeClock;
/** What the stream was ended with. */
let destroyed: unknown[];
let rounds: number;
let round: NodeJS.Immediate;

beforeEach(() => {
  clock = createFakeClock();
  destroyed = [];
  rounds = 0;
  const count = (): void => {
    rounds++;
    round = setImmediate(count);
  };
  round = setImmediate(count);
});
afterEach(() => clearImmediate(round));

/** What comes at once. */
type Parts = AsyncIterable<string> | Iterable<string | Uint8Array>;

function bodyOf(parts: Parts): ResponseBody {
  return {
    async *[Symbol.asyncIterator]() {
      for await (const part of parts) yield Buffer.from(part);
    },
    text: async () => "",
    destroy: (error?: Error) => destroyed.push(error),
  };
}

function watch(parts: Parts): AsyncGenerator<WatchEvent<KubeObject>, void> {
  return readWatchEvents(bodyOf(parts), {
    type: kubeResources.configMap,
    request: { method: "WATCH", path: "/api/v1/configmaps" },
    server: "https://server",
    clock,
    progressDeadlineMs: 70_000,
    lineLimit: { bytes: 2_000_000, setting: "maxObjectBytes" },
  });
}

function eventLine(name: string, text = ""): string {
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { text } };
  return `${JSON.stringify({ type: "ADDED", object })}\n`;
}

async function namesOf(parts: Iterable<string | Uint8Array>): Promise<string[]> {
  const names: string[] = [];
  for await (const event of watch(parts)) {
    if (event.type === "ADDED") names.push(event.object.metadata.name ?? "");
  }
  return names;
}

describe("the events of a watch", () => {
  it("come one for each line, however the lines are divided", async () => {
    const text = eventLine("a") + eventLine("ä") + eventLine("c");
    expect(await namesOf([text])).toEqual(["a", "ä", "c"]);
    expect(await namesOf(Array.from(Buffer.from(text), (byte) => Buffer.of(byte)))).toEqual(["a", "ä", "c"]);
    expect(await namesOf([`\n${text}\n`])).toEqual(["a", "ä", "c"]);
  });

  it("end before a half line", async () => {
    expect(await namesOf([eventLine("a"), eventLine("b").slice(0, -3)])).toEqual(["a"]);
    expect(destroyed).toEqual([undefined]);
  });

  it.each([
    ["not JSON", "{secret-text}\n", "the watch stream carried a line that is not JSON"],
    ["of an unknown type", '{"type":"secret-text"}\n', "the watch stream carried an event of unknown type"],
    [
      "longer than allowed",
      eventLine("a", "x".repeat(2_000_000)),
      "WATCH /api/v1/configmaps: the answer of https://server is larger than the allowed 2000000 bytes",
    ],
  ])("name what is wrong with a line that is %s, and quote nothing of it", async (_case, line, message) => {
    const failure = namesOf([line.slice(0, -1), line.slice(-1)]);
    await expect(failure).rejects.toThrow(message);
    await expect(failure).rejects.not.toThrow("secret-text");
  });

  it("give others a turn before each large one, and come at once when they are small", async () => {
    const large = eventLine("large", "x".repeat(500_000));
    const before = rounds;
    await namesOf([eventLine("a").repeat(100)]);
    expect(rounds - before).toBe(0);
    expect(await namesOf([large + large + large])).toEqual(["large", "large", "large"]);
    expect(rounds - before).toBeGreaterThanOrEqual(3);
  });

  it("end without an error when nothing has come for too long", async () => {
    const waiting = createDeferred<void>();
    async function* silent(): AsyncGenerator<string> {
      yield eventLine("a");
      waiting.resolve(undefined);
      while (destroyed.length === 0) await new Promise(setImmediate);
      throw new Error("premature close");
    }
    const events = watch(silent());
    await events.next();
    const end = events.next();
    await waiting.promise;
    await clock.advance(69_999);
    expect(destroyed).toEqual([]);
    await clock.advance(1);
    expect(await end).toEqual({ done: true, value: undefined });
    expect(destroyed).toEqual([undefined, undefined]);
  });

  it("end with the error of their connection", async () => {
    async function* broken(): AsyncGenerator<string> {
      yield eventLine("a");
      throw new Error("connection reset");
    }
    const events = watch(broken());
    await events.next();
    await expect(events.next()).rejects.toThrow("connection reset");
  });
});
