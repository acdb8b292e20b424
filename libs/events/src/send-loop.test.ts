import { describe, expect, it } from "@jest/globals";
import { createEventBuffer } from "./event-buffer.ts";
import type { PendingMessage } from "./event-buffer.ts";
import type { JetStreamLink } from "./jet-stream.ts";
import { createSendLoop } from "./send-loop.ts";
import { createFakeClock } from "@landscaper/testkit";
import { createMemoryLog, createScriptedLink, settle } from "../test/played-link.ts";

const never = (): Promise<never> => new Promise(() => {});

function setUp(open: () => Promise<JetStreamLink>, limit = 100) {
  const clock = createFakeClock();
  const log = createMemoryLog();
  const buffer = createEventBuffer(limit);
  const loop = createSendLoop({ open, buffer, clock, log, random: () => 0.5 });
  const push = (...ids: string[]): void => {
    for (const id of ids) buffer.push({ id, subject: "s", body: "{}" });
    loop.wake();
  };
  return { clock, log, buffer, loop, push };
}

function idsOf(messages: readonly PendingMessage[]): string[] {
  return messages.map(({ id }) => id);
}

describe("createSendLoop", () => {
  it("connects when the first event comes, sends in order and stays connected", async () => {
    const link = createScriptedLink(() => Promise.resolve());
    let opened = 0;
    const { loop, push } = setUp(() => {
      opened++;
      return Promise.resolve(link);
    });
    expect([opened, loop.stats.isConnected]).toEqual([0, false]);
    push("a", "b");
    await settle();
    push("c");
    await settle();
    expect(idsOf(link.sent)).toEqual(["a", "b", "c"]);
    expect(opened).toBe(1);
    expect(loop.stats).toEqual({ published: 3, dropped: 0, buffered: 0, failures: 0, isConnected: true });
  });

  it("backs off exponentially while the server is away and says so once", async () => {
    const { clock, log, loop, push } = setUp(() => Promise.reject(new Error("refused")));
    push("a");
    const delays: number[] = [];
    for (let round = 0; round < 9; round++) {
      await settle();
      delays.push(...clock.dueTimes.map((dueMs) => dueMs - clock.now()));
      await clock.advanceToNext();
    }
    expect(delays).toEqual([375, 750, 1_500, 3_000, 6_000, 12_000, 22_500, 22_500, 22_500]);
    expect(log.lines).toEqual(['warn events cannot be sent for now {"problem":"refused"}']);
    expect(loop.stats).toMatchObject({ published: 0, buffered: 1, failures: 10 });
  });

  it("sends what has waited when the server is back, and says that too", async () => {
    const link = createScriptedLink(() => Promise.resolve());
    let isAway = true;
    const { clock, log, loop, push } = setUp(() =>
      isAway ? Promise.reject(new Error("away")) : Promise.resolve(link),
    );
    push("a", "b");
    await settle();
    isAway = false;
    await clock.advanceToNext();
    await settle();
    expect(idsOf(link.sent)).toEqual(["a", "b"]);
    expect(log.lines).toEqual([
      'warn events cannot be sent for now {"problem":"away"}',
      'info events are sent again {"dropped":0}',
    ]);
    expect(loop.stats).toMatchObject({ published: 2, buffered: 0 });
  });

  it("sends again only what was not acknowledged, over a new connection", async () => {
    const first = createScriptedLink(({ id }) =>
      id === "b" ? Promise.reject(new Error("no ack")) : Promise.resolve(),
    );
    const second = createScriptedLink(() => Promise.resolve());
    const links = [first, second];
    const { clock, push, loop } = setUp(() => Promise.resolve(links.shift()!));
    push("a", "b", "c");
    await settle();
    expect(first.isOpen).toBe(false);
    await clock.advanceToNext();
    await settle();
    expect([idsOf(first.sent), idsOf(second.sent)]).toEqual([["a", "b", "c"], ["b"]]);
    expect(loop.stats).toMatchObject({ published: 3, buffered: 0, failures: 1 });
  });

  it("keeps at most 64 messages in flight", async () => {
    const link = createScriptedLink(never);
    const { push } = setUp(() => Promise.resolve(link), 1_000);
    push(...Array.from({ length: 200 }, (_, index) => String(index)));
    await settle();
    expect(link.sent).toHaveLength(64);
  });

  it("does not lose an event that comes when the loop has just looked for the last time", async () => {
    const link = createScriptedLink(() => Promise.resolve());
    const { push, loop } = setUp(() => Promise.resolve(link));
    push("0");
    // One more event after each of the promise turns in which the loop ends.
    for (let turn = 1; turn <= 20; turn++) {
      await Promise.resolve();
      push(String(turn));
    }
    await settle();
    expect(loop.stats).toMatchObject({ published: 21, buffered: 0 });
  });
});

describe("stop", () => {
  it("sends what is in the buffer first", async () => {
    const link = createScriptedLink(() => Promise.resolve());
    const { loop, push } = setUp(() => Promise.resolve(link));
    push("a", "b");
    await loop.stop(1_000);
    expect([idsOf(link.sent), link.isOpen]).toEqual([["a", "b"], false]);
    expect(loop.stats).toMatchObject({ published: 2, dropped: 0, isConnected: false });
  });

  it("tries once more without a pause when the server was away", async () => {
    const link = createScriptedLink(() => Promise.resolve());
    let isAway = true;
    const { loop, push } = setUp(() => (isAway ? Promise.reject(new Error("away")) : Promise.resolve(link)));
    push("a");
    await settle();
    isAway = false;
    await loop.stop(1_000);
    expect(loop.stats).toMatchObject({ published: 1, dropped: 0 });
  });

  it("gives up after one try when the server is still away, and counts what is lost", async () => {
    const { loop, push } = setUp(() => Promise.reject(new Error("away")));
    push("a", "b");
    await settle();
    await loop.stop(1_000);
    expect(loop.stats).toEqual({ published: 0, dropped: 2, buffered: 0, failures: 2, isConnected: false });
  });

  it("waits no longer than its limit for a server that does not answer", async () => {
    const { clock, loop, push } = setUp(never);
    push("a");
    const stopped = loop.stop(1_000);
    await settle();
    expect(clock.dueTimes).toEqual([clock.now() + 1_000]);
    await clock.advanceToNext();
    await stopped;
    expect(loop.stats).toMatchObject({ dropped: 1, buffered: 0 });
  });

  it("closes a connection that opens after the stop", async () => {
    const link = createScriptedLink(() => Promise.resolve());
    let finishOpening = (): void => {};
    const { clock, loop, push } = setUp(
      () =>
        new Promise((resolve) => {
          finishOpening = () => resolve(link);
        }),
    );
    push("a");
    const stopped = loop.stop(1_000);
    await clock.advanceToNext();
    await stopped;
    finishOpening();
    await settle();
    expect([link.isOpen, link.sent]).toEqual([false, []]);
  });
});
